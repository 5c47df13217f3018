import { describe, expect, test } from "vitest";
import { isHelperKey, recognise, recogniseByAgreement, revokedValue } from "@/lib/layouts";

const UUID = "123e4567-e89b-42d3-a456-426614174000";

function seen(key: string, value: string | null, type = "string") {
  return recognise({ key, type, value, hasExpiry: true });
}

describe("recognise", () => {
  test.each([
    ["orders:42", "8f3a91c21b77d0ab8f3a91c25b77d0ab", "redlock-hex"],
    ["orders:42", "0a".repeat(20), "redlock-hex"],
    ["orders:42", "abcdefghijkl1234567890++==", null],
    ["orders:42", "AbCdEfGhIjKlMnOpQrSt+/==", "redsync"],
    ["orders:42", "AbCdEfGhIjKlMnOpQrSt+/", "redis-kit"],
    ["orders:42", "AbCdEfGhIjKlMnOpQrStUv", "redlock-py"],
    ["orders:42", UUID, "redlock-uuid"],
    ["orders:42", "\u0000\u0001\u00ffABCDEFGHIJKLMNOPQ", "rslock"],
    ["redlock:x", UUID, "redlock-key"],
    ["mutex:x", UUID, "redis-semaphore"],
    ["medusa_lock:x", "*", "medusa"],
    ["job-lock:default:x", "whatever", "shedlock-key"],
    ["syncguard:x", "{}", "syncguard"],
    ["lock:x", "me", "lock-key"],
    ["bull:mail:17:lock", `${UUID}:3`, "bullmq"],
    ["session:17", "some text", null],
    ["x", revokedValue("0a".repeat(20)), "operator-revoke"],
  ])("%s = %j is %s", (key, value, id) => {
    expect(seen(key, value)?.id ?? null).toBe(id);
  });

  test.each([
    ["WEB-01_4711_0123456789abcdef0123456789abcdef", "WEB-01, pid 4711"],
    [`ADDED:2025-12-01T06:00:00.000Z@web-01:${UUID}`, "web-01, since 2025-12-01T06:00:00.000Z"],
    ["1764550000000-0.123456789-4711", "pid 4711, since 2025-12-01T00:46:40.000Z"],
  ])("%s names its holder", (value, holderLabel) => {
    expect(seen("job", value)?.holderLabel).toBe(holderLabel);
  });

  test("never repeats a token", () => {
    const token = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
    expect(JSON.stringify(seen("orders:42", token))).not.toContain(token);
    expect(JSON.stringify(seen("x", `WEB_1_${token}`))).not.toContain(token);
  });

  test("takes no key of another type, and none without its value, for a string lock of a known shape", () => {
    expect(seen("orders:42", null, "hash")).toBeNull();
    expect(seen("orders:42", null)).toBeNull();
    expect(seen("mutex:x", null)?.id).toBe("redis-semaphore");
  });

  test("refuses the release of a job lock with a reason", () => {
    expect(seen("bull:mail:17:lock", `${UUID}:3`)?.release).toMatchObject({ kind: "refused" });
  });
});

describe("recogniseByAgreement", () => {
  test("calls one value with an expiry on two masters a lock, and nothing less", () => {
    expect(recogniseByAgreement({ nodesWithSameValue: 2, hasExpiry: true })?.id).toBe("redlock-unknown");
    expect(recogniseByAgreement({ nodesWithSameValue: 1, hasExpiry: true })).toBeNull();
    expect(recogniseByAgreement({ nodesWithSameValue: 5, hasExpiry: false })).toBeNull();
  });
});

test.each([
  ["redisson_lock__channel:{x}", true],
  ["a:rwlock_timeout:b", true],
  ["bull:mail:stalled-check", true],
  ["redlock:{guard}:fence:orders:42", true],
  ["syncguard:fence:x", true],
  ["syncguard:x", false],
  ["nextid:x", true],
  ["orders:42", false],
])("%s is a helper key: %s", (key, isHelper) => {
  expect(isHelperKey(key)).toBe(isHelper);
});
