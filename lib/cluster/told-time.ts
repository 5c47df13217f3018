/** An answer to TIME: seconds since 1970, and microseconds. No other answer of a server has this shape. */
const TIME_ANSWER = /\*2\r\n\$10\r\n(\d{10})\r\n\$(\d)\r\n(\d{1,6})\r\n/g;

/**
 * The same answers of a server, with every answer to TIME moved by `aheadMs`. Of the same number of bytes, unless the microseconds are
 * written with fewer digits.
 *
 * @param bytes one piece of a stream; an answer that lies in two pieces is left as it is
 */
export function withToldTime(bytes: Buffer, aheadMs: number): Buffer {
  if (aheadMs === 0) return bytes;
  const text = bytes.toString("latin1");
  const told = text.replace(TIME_ANSWER, (_, seconds: string, _length: string, micros: string) => {
    const atUs = BigInt(seconds) * 1_000_000n + BigInt(micros) + BigInt(Math.round(aheadMs)) * 1000n;
    const [wholes, rest] = [String(atUs / 1_000_000n), String(atUs % 1_000_000n)];
    return `*2\r\n$${wholes.length}\r\n${wholes}\r\n$${rest.length}\r\n${rest}\r\n`;
  });
  return told === text ? bytes : Buffer.from(told, "latin1");
}
