// lib/layouts: how other clients write their locks: recognise a key, name its holder, say how it may be released from outside.
// Promises: pure; a recognition never contains the token; a helper key of some client is never taken for a lock.
export { isHelperKey } from "./helpers";
export type { Confidence, OutsideRelease, Recognition, Sighting } from "./layout";
export { REVOKED_LAYOUT_ID, revokedValue } from "./operator";
export { recognise, recogniseByAgreement } from "./table";
