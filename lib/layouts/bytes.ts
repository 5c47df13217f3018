import { bytesOfKey } from "@/lib/redlock";

/** Bytes, one character per byte (latin-1). */
export type Bytes = string;

/** The bytes of a key as it stands in Redis. */
export function bytesOf(key: string): Bytes {
  const bytes = bytesOfKey(key) ?? new TextEncoder().encode(key);
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
