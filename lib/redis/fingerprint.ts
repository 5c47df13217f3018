import { hash } from "node:crypto";
import { asFingerprint, type Fingerprint } from "@/lib/redlock";

const DIGITS = 8;

/** What may be shown of a lock's value: the first 8 hexadecimal digits of its SHA-256. */
export function fingerprintOf(value: Buffer | string): Fingerprint {
  // In one step: a hash object for each key of a reading of everything would cost more than the rest of it.
  return asFingerprint(hash("sha256", value, "hex").slice(0, DIGITS));
}
