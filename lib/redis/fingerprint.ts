import { createHash } from "node:crypto";
import { asFingerprint, type Fingerprint } from "@/lib/redlock";

const DIGITS = 8;

/** What may be shown of a lock's value: the first 8 hexadecimal digits of its SHA-256. */
export function fingerprintOf(value: Buffer | string): Fingerprint {
  return asFingerprint(createHash("sha256").update(value).digest("hex").slice(0, DIGITS));
}
