import { describe, expect, test } from "vitest";
import { isHelperKey, KNOWN_LAYOUTS, recogniseByAgreement, revokedValue } from "@/lib/layouts";

const UUID = "123e4567-e89b-42d3-a456-426614174000";
const HEX40 = "0a".repeat(20);
/** The first of December 2025, 00:46:40, as redis-py makes a token of it. */
const UUID1 = "32e39800ce4f11f0925a0242ac110002";

function seen(key: string, value: string | null, type = "string") {
  return KNOWN_LAYOUTS.identify({ key, type, value, elements: null, hasExpiry: true });
}

describe("a string is recognised", () => {
  test.each([
    ["orders:42", "8f3a91c21b77d0ab8f3a91c25b77d0ab", "redlock-hex probable"],
    ["orders:42", UUID1, "redis-py probable"],
    // The digits of a version 1 UUID, but of the year 5236.
    ["orders:42", "32e39800ffff1fff925a0242ac110002", "redlock-hex probable"],
    ["orders:42", HEX40, "redlock4j probable"],
    ["orders:42", "abcdefghijkl1234567890++==", null],
    ["orders:42", "AbCdEfGhIjKlMnOpQrSt+/==", "redsync probable"],
    ["orders:42", "AbCdEfGhIjKlMnOpQrSt+/", "redis-kit probable"],
    ["orders:42", "AbCdEfGhIjKlMnOpQrSt-_", "bsm-redislock possible"],
    ["orders:42", "AbCdEfGhIjKlMnOpQrStUv", "redlock-py possible"],
    ["orders:42", UUID, "redlock-uuid possible"],
    ["orders:42", "\u0000\u0001\u00ffABCDEFGHIJKLMNOPQ", "rslock possible"],
    ["orders:42", `${"A".repeat(43)}=`, "symfony-string probable"],
    ["orders:42", "1764550000000-0.123456789-4711", "redlock-universal-lean probable"],
    ["orders:42", "1764550000000-4fzzzxjylrx-4711", "redlock-universal-lean probable"],
    ["orders:42", "web-01:1764550000000:0123456789abcdef", "redlock-universal-metadata possible"],
    ["orders:42", `WEB-01_4711_${"0f".repeat(16)}`, "distributed-lock-net certain"],
    ["orders:42.writer", `WEB-01_4711_${"0f".repeat(16)}`, "distributed-lock-net certain"],
    ["orders:42.writer", `W_1_${"0f".repeat(16)}_WRITERWAITING`, "distributed-lock-net-writer-waiting certain"],
    ["job-lock:default:x", `ADDED:2025-12-01T06:00:00.000Z@web-01:${UUID}`, "shedlock certain"],
    ["job-lock:default:x", "whatever", "shedlock-key probable"],
    ["redlock:x", UUID, "redlock-key probable"],
    ["redlock:x", "8f3a91c21b77d0ab8f3a91c25b77d0ab", "redlock-hex probable"],
    ["redlock:x", "me", "redlock-prefix possible"],
    ["mutex:x", UUID, "redis-semaphore probable"],
    ["mutex:x", `${UUID}-suffix`, "redis-semaphore probable"],
    ["medusa_lock:x", "*", "medusa certain"],
    ["medusa_lock:x", `execute:${UUID}`, "medusa certain"],
    ["medusa_lock:x", "my-service", "medusa certain"],
    ["syncguard:x", `{"lockId":"abc","expiresAtMs":1,"acquiredAtMs":2,"key":"x","fence":"7"}`, "syncguard certain"],
    ["syncguard:x", "{}", "syncguard possible"],
    ["lock:x", "AbCdEfGhIjKlMnOpQrSt+/12", "python-redis-lock probable"],
    ["lock:x", "me", "lock-key possible"],
    ["lock.x", "1764550000000", "npm-redis-lock probable"],
    ["bull:mail:17:lock", `${UUID}:3`, "bullmq certain"],
    ["{bull}:mail:17:lock", `${UUID}:3`, "bullmq certain"],
    ["my:mail:17:lock", `${UUID}:3`, "bullmq probable"],
    ["laravel_database_laravel_cache_:report", "AbCdEfGhIjKlMnO1", "laravel possible"],
    ["shop_database_shop_cache_:report", 's:16:"AbCdEfGhIjKlMnO1";', "laravel possible"],
    ["report", "AbCdEfGhIjKlMnO1", null],
    ["x:permit:0123456789abcdef0123456789abcdef", "1", "redlock4j-permit probable"],
    ["x:write", HEX40, "redlock4j-write certain"],
    ["x:readers", "3", "redlock4j-readers possible"],
    ["session:17", "some text", null],
    ["counter", "17", null],
    ["x", revokedValue(HEX40), "operator-revoke certain"],
  ])("%s = %j: %s", (key, value, expected) => {
    const recognition = seen(key, value)?.recognition;
    expect(recognition === undefined ? null : `${recognition.id} ${recognition.confidence}`).toBe(expected);
  });

  test("by its key alone when the value is too long to be read", () => {
    expect(seen("mutex:x", null)?.recognition.id).toBe("redis-semaphore");
    expect(seen("mutex:x", null)?.release().kind).toBe("refused");
    expect(seen("orders:42", null)).toBeNull();
  });

  test("as a counter of readers only when it has an expiry", () => {
    const counter = { key: "article:readers", type: "string", value: "17", elements: null, hasExpiry: false };
    expect(KNOWN_LAYOUTS.identify(counter)).toBeNull();
  });
});

test.each([
  ["job", "WEB-01_4711_0123456789abcdef0123456789abcdef", "WEB-01, pid 4711"],
  ["job", "W_1_0123456789abcdef0123456789abcdef_WRITERWAITING", "W, pid 1, waits for the readers to finish"],
  ["job", `ADDED:2025-12-01T06:00:00.000Z@web-01:${UUID}`, "web-01, since 2025-12-01T06:00:00.000Z"],
  ["job", "1764550000000-0.123456789-4711", "pid 4711, since 2025-12-01T00:46:40.000Z"],
  ["job", "web-01:1764550000000:0123456789abcdef", "web-01, since 2025-12-01T00:46:40.000Z"],
  ["job", UUID1, "host with address 02:42:ac:11:00:02, since 2025-12-01T00:46:40.000Z"],
  ["lock.x", "1764550000000", "until 2025-12-01T00:46:40.000Z by its own clock"],
  ["medusa_lock:x", "*", "anonymous: every client may release it"],
  ["medusa_lock:x", "my-service", null],
  ["bull:mail:17:lock", `${UUID}:3`, "worker 123e4567"],
  [
    "syncguard:x",
    '{"lockId":"abc","acquiredAtMs":1764550000000,"fence":"7"}',
    "since 2025-12-01T00:46:40.000Z, fence 7",
  ],
  ["job", UUID, null],
])("%s = %s names its holder", (key, value, holderLabel) => {
  expect(seen(key, value)?.recognition.holderLabel).toBe(holderLabel);
});

test("a recognition never repeats a token", () => {
  const token = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
  for (const value of [token, `WEB_1_${token}`, UUID1, `${UUID}:3`, `execute:${UUID}`]) {
    for (const key of ["orders:42", "bull:mail:17:lock", "medusa_lock:x", "lock:x"]) {
      expect(JSON.stringify(seen(key, value)?.recognition ?? "")).not.toContain(value);
    }
  }
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
  ["redisson_lock_token:{x}", true],
  ["redisson_unlock_latch:{x}:0123456789abcdef0123456789abcdef", true],
  ["a:rwlock_timeout:b", true],
  ["bull:mail:stalled-check", true],
  ["redlock:{guard}:fence:orders:42", true],
  ["syncguard:fence:x", true],
  ["syncguard:x", false],
  ["nextid:x", true],
  ["lock-signal:x", true],
  ["symfony_check_support_time", true],
  ["health:check:1764550000000:abc", true],
  ["__redlock4j_cad_test__1", true],
  [`x:readers:${HEX40}`, true],
  ["uniquejobs:digests", true],
  ["uniquejobs:0123456789abcdef0123456789abcdef:QUEUED", true],
  ["uniquejobs:0123456789abcdef0123456789abcdef:LOCKED", false],
  ["app:uniquejobs:0123456789abcdef0123456789abcdef:INFO", true],
  ["orders:42", false],
])("%s is a helper key: %s", (key, isHelper) => {
  expect(isHelperKey(key)).toBe(isHelper);
});

test("a queue is a helper only when it is a sorted set", () => {
  expect(isHelperKey("orders:queue", "zset")).toBe(true);
  expect(isHelperKey("orders:queue", "string")).toBe(false);
  expect(isHelperKey("orders:queue")).toBe(false);
});
