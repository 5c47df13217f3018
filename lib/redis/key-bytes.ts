import { bytesOfKey } from "@/lib/redlock";

/** What to send for a resource: its text, or its bytes where it is not text. */
export function keyArgument(resource: string): string | Buffer {
  const bytes = bytesOfKey(resource);
  return bytes === null ? resource : Buffer.from(bytes);
}
