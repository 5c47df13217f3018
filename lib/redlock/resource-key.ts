/** Starts a key that is bytes rather than text; no sane key begins with it, and one that does is held as bytes too. */
const RAW_KEY_MARK = "\u0000bytes:";

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
