/** Starts a key that is bytes rather than text; no sane key begins with it, and one that does is held as bytes too. */
const RAW_KEY_MARK = "\u0000bytes:";

/** Longest key that Redis takes, bytes. */
export const KEY_BYTES_MAX = 512 * 1024 * 1024 - 1;

/** Whether a key is longer than so many bytes; they are not made for it, since a key may be as large as memory. */
export function isKeyLongerThan(resource: string, bytesMax: number): boolean {
  if (resource.startsWith(RAW_KEY_MARK)) return resource.length - RAW_KEY_MARK.length > bytesMax;
  // A UTF-16 unit is one to three bytes of UTF-8, so that hardly any key has to be looked at.
  if (resource.length > bytesMax) return true;
  if (3 * resource.length <= bytesMax) return false;
  let bytes = 0;
  for (const character of resource) bytes += bytesOfCodePoint(character.codePointAt(0) ?? 0);
  return bytes > bytesMax;
}

function bytesOfCodePoint(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}

/** Text that stands for a Redis key everywhere in the console: the key itself when it is UTF-8, else marked latin-1. */
export function keyFromBytes(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.startsWith(RAW_KEY_MARK)) return text;
  } catch {
    // Not UTF-8: fall through to the marked form.
  }
  return RAW_KEY_MARK + Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** @returns the bytes of a key that is not text; null for an ordinary one, whose bytes are its UTF-8 */
export function bytesOfKey(resource: string): Uint8Array | null {
  if (!resource.startsWith(RAW_KEY_MARK)) return null;
  return Uint8Array.from(resource.slice(RAW_KEY_MARK.length), (character) => character.charCodeAt(0) & 0xff);
}
