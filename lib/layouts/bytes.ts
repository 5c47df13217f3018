import { bytesOfKey, keyFromBytes } from "@/lib/redlock";

/** Bytes, one character per byte (latin-1). */
export type Bytes = string;

/** The bytes of a key as it stands in Redis. */
export function bytesOf(key: string): Bytes {
  return latin1(bytesOfKey(key) ?? new TextEncoder().encode(key));
}

/** The text that stands for a key of these bytes everywhere in the console. */
export function keyOf(bytes: Bytes): string {
  return keyFromBytes(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

function latin1(bytes: Uint8Array): Bytes {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
