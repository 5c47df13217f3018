import { describe, expect, test } from "vitest";
import { bytesOfKey, DRIFT_FACTOR, driftMs, keyFromBytes, validityMs } from "@/lib/redlock";

describe("the validity", () => {
  test("is the ttl less the elapsed time, 1 % drift and 2 ms of expiry resolution", () => {
    expect(DRIFT_FACTOR).toBe(0.01);
    expect(driftMs(10_000)).toBe(102);
    expect(validityMs(10_000, 30)).toBe(9868);
  });

  test("is zero or less when the win came too late", () => {
    expect(validityMs(1000, 988)).toBe(0);
    expect(validityMs(1000, 1500)).toBeLessThan(0);
  });

  test("follows the drift factor that was set", () => {
    expect(validityMs(1000, 0, 0.1)).toBe(898);
  });
});

describe("a key as text", () => {
  test.each(["orders:42", "замок 🔒", "\u0000", "\ufeffbom"])("is itself when it is UTF-8: %j", (text) => {
    expect(keyFromBytes(new TextEncoder().encode(text))).toBe(text);
    expect(bytesOfKey(text)).toBeNull();
  });

  test.each([
    ["not UTF-8", Uint8Array.of(0xff, 0x00, 0x41, 0x80)],
    ["looking like the mark", new TextEncoder().encode("\u0000bytes:x")],
  ])("comes back byte for byte when it is %s", (_, bytes) => {
    expect(bytesOfKey(keyFromBytes(bytes))).toEqual(bytes);
  });
});
