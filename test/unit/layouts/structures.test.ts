import { describe, expect, test } from "vitest";
import { KNOWN_LAYOUTS } from "@/lib/layouts";

// Locks that are hashes, sorted sets or sets, byte for byte as their clients write them.

const CLIENT = "6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c";
const OTHER_CLIENT = "11111111-2222-4333-8444-555555555555";
const SYMFONY = `${"S".repeat(43)}=`;
const SYMFONY_2 = `${"T".repeat(43)}=`;
const MACHINE = `WEB-01_4711_${"0f".repeat(16)}`;

function identify(key: string, type: string, words: readonly string[], size?: number) {
  const count = type === "hash" || type === "zset" ? words.length / 2 : words.length;
  return KNOWN_LAYOUTS.identify({ key, type, value: null, elements: { size: size ?? count, words }, hasExpiry: true });
}

test.each([
  ["a Redisson lock", "orders", "hash", [`${CLIENT}:42`, "1"], "redisson-lock certain", "client 6f0829ed, thread 42"],
  [
    "one that was entered twice",
    "orders",
    "hash",
    [`${CLIENT}:42`, "2"],
    "redisson-lock certain",
    "client 6f0829ed, thread 42, entered 2 times",
  ],
  [
    "a Redisson reader",
    "orders",
    "hash",
    ["mode", "read", `${CLIENT}:42`, "1"],
    "redisson-read certain",
    "client 6f0829ed, thread 42",
  ],
  [
    "two Redisson readers",
    "orders",
    "hash",
    ["mode", "read", `${CLIENT}:42`, "1", `${OTHER_CLIENT}:7`, "1"],
    "redisson-read certain",
    "2 readers",
  ],
  [
    "a Redisson writer",
    "orders",
    "hash",
    ["mode", "write", `${CLIENT}:42:write`, "1"],
    "redisson-write certain",
    "client 6f0829ed, thread 42",
  ],
  [
    "a Redisson multi-lock",
    "orders",
    "hash",
    ["AAAA==", `${CLIENT}:42`, `AAAA==:${CLIENT}:42:expire_time`, "1764550000000", "AAAA==:lock_count", "1"],
    "redisson-multi certain",
    null,
  ],
  [
    "Redisson permits",
    "{sem}:timeout",
    "zset",
    ["0123456789abcdef0123456789abcdef", "1764550000000"],
    "redisson-permits probable",
    "1 permits out",
  ],
  [
    "a Symfony lock",
    "res",
    "zset",
    [SYMFONY, "1764550000", "__write__", "1764550000"],
    "symfony certain",
    "held alone",
  ],
  ["two Symfony readers", "res", "zset", [SYMFONY, "1", SYMFONY_2, "2"], "symfony probable", "2 readers"],
  [
    "a redis-semaphore semaphore",
    "semaphore:x",
    "zset",
    [CLIENT, "1764550000000"],
    "redis-semaphore-semaphore probable",
    "1 permit taken",
  ],
  [
    "a .NET semaphore",
    "sem",
    "zset",
    [MACHINE, "1764550000000"],
    "distributed-lock-net-semaphore certain",
    "WEB-01, pid 4711",
  ],
  ["readers of .NET", "res.readers", "set", [MACHINE], "distributed-lock-net-readers certain", "WEB-01, pid 4711"],
  [
    "a Sidekiq job, version 8",
    "uniquejobs:0123456789abcdef0123456789abcdef:LOCKED",
    "hash",
    ["0a1b2c3d4e5f6a7b8c9d0e1f", "1764550000.123"],
    "sidekiq-unique-jobs certain",
    "job 0a1b2c3d4e5f6a7b8c9d0e1f",
  ],
  [
    "two Sidekiq jobs, version 9",
    "app:uniquejobs:0123456789abcdef0123456789abcdef:LOCKED",
    "hash",
    ["a", "{}", "b", "{}"],
    "sidekiq-unique-jobs certain",
    "2 jobs",
  ],
  ["a session", "session:1", "hash", ["user", "17", "cart", "3"], null, null],
  ["a hash of one field", "profile:1", "hash", ["name", "Ann"], null, null],
  ["a leaderboard", "scores", "zset", ["ann", "10", "bob", "7"], null, null],
  ["a set of tags", "tags", "set", ["a", "b"], null, null],
  ["a list", "queue", "list", ["a"], null, null],
] as const)("%s", (_what, key, type, words, expected, holderLabel) => {
  const recognition = identify(key, type, words)?.recognition;
  expect(recognition === undefined ? null : `${recognition.id} ${recognition.confidence}`).toBe(expected);
  expect(recognition?.holderLabel ?? null).toBe(holderLabel);
});

describe("what a Redisson lock has in common on all nodes", () => {
  const groupOf = (words: readonly string[]) => identify("orders", "hash", words)?.recognition.group;

  test("is its thread, since each server is reached through a client of its own", () => {
    expect(groupOf([`${CLIENT}:42`, "1"])).toBe(groupOf([`${OTHER_CLIENT}:42`, "1"]));
    expect(groupOf([`${CLIENT}:42`, "1"])).not.toBe(groupOf([`${CLIENT}:43`, "1"]));
  });

  test("differs between reading and writing", () => {
    expect(groupOf(["mode", "read", `${CLIENT}:42`, "1"])).not.toBe(
      groupOf(["mode", "write", `${CLIENT}:42:write`, "1"]),
    );
  });
});

test("the owner of a shared lock does not depend on the order its holders are listed in, nor on their scores", () => {
  const owner = identify("res", "zset", [SYMFONY, "1", SYMFONY_2, "2"])?.owner;
  expect(owner).toBe(identify("res", "zset", [SYMFONY_2, "1", SYMFONY, "9"])?.owner);
  expect(owner).not.toBe(identify("res", "zset", [SYMFONY, "1"])?.owner);
});

test("a read lock with more readers than were read is recognised, and not released", () => {
  const identity = identify("orders", "hash", ["mode", "read"], 41);
  expect(identity?.recognition).toMatchObject({ id: "redisson-read", holderLabel: "40 readers" });
  expect(identity?.release()).toMatchObject({ kind: "refused", reason: expect.stringContaining("more readers") });
});
