import { isAscii } from "node:buffer";
import { bytesOfKey, keyFromBytes } from "@/lib/redlock";

/** What to send for a resource: its text, or its bytes where it is not text. */
export function keyArgument(resource: string): string | Buffer {
  const bytes = bytesOfKey(resource);
  return bytes === null ? resource : Buffer.from(bytes);
}

/** The resource of a key as a server names it. Quick for ordinary keys, of which there may be a hundred thousand. */
export function resourceOf(bytes: Buffer): string {
  const [first = 0] = bytes;
  return first >= 0x20 && isAscii(bytes) ? bytes.toString("latin1") : keyFromBytes(bytes);
}
