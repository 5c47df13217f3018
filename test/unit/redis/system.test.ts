import { expect, test } from "vitest";
import { fingerprintOf, systemClock, systemRandom } from "@/lib/redis";

test("a token is 20 random bytes as hexadecimal digits, never the same twice", () => {
  const tokens = Array.from({ length: 1000 }, () => systemRandom.token());
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{40}$/);
  expect(new Set(tokens).size).toBe(1000);
});

test("a fraction is at least 0 and below 1", () => {
  for (let each = 0; each < 1000; each += 1) {
    const fraction = systemRandom.fraction();
    expect(fraction).toBeGreaterThanOrEqual(0);
    expect(fraction).toBeLessThan(1);
  }
});

test("the clock only moves forward, and a cancelled callback is not called", async () => {
  const before = systemClock.now();
  let called = false;
  systemClock.schedule(1, () => {
    called = true;
  })();
  await new Promise<void>((resolve) => systemClock.schedule(20, resolve));
  expect(called).toBe(false);
  expect(systemClock.now()).toBeGreaterThan(before);
});

test("a fingerprint is the same for text and its bytes, and says nothing of the value", () => {
  expect(fingerprintOf("abc")).toBe("ba7816bf");
  expect(fingerprintOf(Buffer.from("abc"))).toBe("ba7816bf");
});
