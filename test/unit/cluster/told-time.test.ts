import fc from "fast-check";
import { expect, test } from "vitest";
import { withToldTime } from "@/lib/cluster";

const answer = (seconds: number, micros: number) =>
  `*2\r\n$${String(seconds).length}\r\n${seconds}\r\n$${String(micros).length}\r\n${micros}\r\n`;
const told = (text: string, aheadMs: number) => withToldTime(Buffer.from(text, "latin1"), aheadMs).toString("latin1");

test("an answer to TIME is moved, and the answers around it stay as they are", () => {
  const around = (time: string) => `+OK\r\n${time}$3\r\nabc\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n${time}`;
  expect(told(around(answer(1_765_000_000, 123_456)), 20_000)).toBe(around(answer(1_765_000_020, 123_456)));
});

test("microseconds carry over to seconds, both ways", () => {
  expect(told(answer(1_765_000_000, 999_500), 1)).toBe(answer(1_765_000_001, 500));
  expect(told(answer(1_765_000_000, 500), -1)).toBe(answer(1_764_999_999, 999_500));
});

test("nothing is moved by nothing, and any bytes without an answer to TIME pass", () => {
  const bytes = Buffer.from(answer(1_765_000_000, 5));
  expect(withToldTime(bytes, 0)).toBe(bytes);
  fc.assert(
    fc.property(fc.uint8Array(), fc.integer({ min: -100_000, max: 100_000 }), (raw, ms) => {
      const piece = Buffer.from(raw);
      return withToldTime(piece, ms) === piece;
    }),
  );
});
