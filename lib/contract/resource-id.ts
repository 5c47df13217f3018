import { bytesOfKey, keyFromBytes } from "@/lib/redlock";

/** Marks an id that is the base64url of a key's bytes. */
const BYTES_MARK = "~";

/**
 * The `{id}` of a resource in paths: its key percent-encoded, or `~` and base64url where that cannot work (a key that is
 * `.` or `..`, starts with `~`, or, seen as bytes, is not valid UTF-8).
 *
 * @param resource the Redis key; keys that are not UTF-8 are held as latin-1 text behind a NUL, see `keyFromBytes`
 */
export function resourceIdOf(resource: string): string {
  const bytes = bytesOfKey(resource);
  const isPlain = bytes === null && resource !== "." && resource !== ".." && !resource.startsWith(BYTES_MARK);
  if (isPlain && resource.isWellFormed()) return encodeURIComponent(resource);
  return BYTES_MARK + base64Url(bytes ?? new TextEncoder().encode(resource));
}

/**
 * The resource an id names.
 *
 * @param id as it stands in a path, still percent-encoded, or already decoded by a router
 * @returns null when the id is malformed
 */
export function resourceOfId(id: string): string | null {
  if (id.startsWith(BYTES_MARK)) {
    const bytes = fromBase64Url(id.slice(BYTES_MARK.length));
    return bytes === null || bytes.length === 0 ? null : keyFromBytes(bytes);
  }
  try {
    const decoded = decodeURIComponent(id);
    return decoded === "" ? null : decoded;
  } catch {
    return null; // a lone percent sign: not an id of ours
  }
}

function base64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null; // a length no base64 has
  }
}
