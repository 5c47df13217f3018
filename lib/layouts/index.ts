// lib/layouts: how other clients write their locks: recognise a key, name its holder, say how it may be released from outside.
// Promises: pure; a recognition never contains the token; a helper key of some client is never taken for a lock; a release
// compares with what was seen before it changes anything.
export type { DeclaredLayout } from "./declared";
export { discover, type KeyGroup, patternsLine, type Sample } from "./discovery";
export { globMatcher, literalPrefix, prefixesOf } from "./glob";
export { isHelperKey } from "./helpers";
export type { Confidence, Identity, Recognition, Sighting } from "./layout";
export { REVOKED_LAYOUT_ID, revokedValue } from "./operator";
export { compareAndDelete, type ReleaseRecipe } from "./release";
export { KNOWN_LAYOUTS, type Layouts, layoutsWith, recogniseByAgreement } from "./table";
export type { WaiterProbe, WaiterSource } from "./waiters";
