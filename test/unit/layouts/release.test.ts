import { expect, test } from "vitest";
import { KNOWN_LAYOUTS, type ReleaseRecipe } from "@/lib/layouts";
import { keyFromBytes } from "@/lib/redlock";

const CLIENT = "6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c";
const UUID = "123e4567-e89b-42d3-a456-426614174000";
const HEX40 = "0a".repeat(20);
const SYMFONY = `${"S".repeat(43)}=`;
const MACHINE = `WEB-01_4711_${"0f".repeat(16)}`;

function releaseOf(key: string, type: string, content: string | readonly string[]) {
  const isText = typeof content === "string";
  const count = type === "hash" || type === "zset" ? content.length / 2 : content.length;
  const elements = isText ? null : { size: count, words: content };
  const value = isText ? content : null;
  return KNOWN_LAYOUTS.identify({ key, type, value, elements, hasExpiry: true })?.release();
}

function recipeOf(key: string, type: string, content: string | readonly string[]): ReleaseRecipe {
  const release = releaseOf(key, type, content);
  if (release?.kind !== "recipe") throw new Error(`no recipe: ${JSON.stringify(release)}`);
  return release.recipe;
}

/** A recipe in one line per part, for reading. */
const linesOf = ({ expects, steps }: ReleaseRecipe) =>
  [...expects, ...steps].map((part) =>
    Object.values(part)
      .filter((word) => word !== undefined)
      .join(" | "),
  );

test.each([
  ["node-redlock", "orders", "string", HEX40.slice(8), [`value | orders | ${HEX40.slice(8)}`, "delete | orders"]],
  [
    "redlock4j, out of its fair lock's queue too",
    "orders",
    "string",
    HEX40,
    [`value | orders | ${HEX40}`, "delete | orders", `remove | orders:queue | ${HEX40}`],
  ],
  [
    "python-redis-lock, which waits for a signal",
    "lock:x",
    "string",
    "AbCdEfGhIjKlMnOpQrSt+/12",
    ["value | lock:x | AbCdEfGhIjKlMnOpQrSt+/12", "delete | lock:x", "signal | lock-signal:x | 1 | 1000"],
  ],
  [
    "Spring, on the channels of old and new versions",
    "jobs:nightly:report",
    "string",
    UUID,
    [
      `value | jobs:nightly:report | ${UUID}`,
      "delete | jobs:nightly:report",
      "publish | jobs-channel | jobs:nightly:report",
      "publish | jobs-channel:jobs:nightly:report | jobs:nightly:report",
    ],
  ],
  [
    "syncguard, with its index and without its fence",
    "syncguard:x",
    "string",
    '{"lockId":"abc"}',
    ['value | syncguard:x | {"lockId":"abc"}', "delete | syncguard:x", "delete | syncguard:id:abc"],
  ],
  [
    "a Redisson lock",
    "orders",
    "hash",
    [`${CLIENT}:42`, "2"],
    [
      `element | orders | ${CLIENT}:42`,
      "delete | orders",
      "publish_to_head | redisson_lock_queue:{orders} | redisson_lock__channel:{orders} | 0",
    ],
  ],
  [
    "a Redisson lock whose name has braces",
    "a{b}c",
    "hash",
    [`${CLIENT}:42`, "1"],
    [
      `element | a{b}c | ${CLIENT}:42`,
      "delete | a{b}c",
      "publish_to_head | redisson_lock_queue:a{b}c | redisson_lock__channel:a{b}c | 0",
    ],
  ],
  [
    "a Redisson reader that entered twice",
    "orders",
    "hash",
    ["mode", "read", `${CLIENT}:42`, "2"],
    [
      `element | orders | ${CLIENT}:42`,
      `remove | orders | ${CLIENT}:42`,
      `delete | {orders}:${CLIENT}:42:rwlock_timeout:1`,
      `delete | {orders}:${CLIENT}:42:rwlock_timeout:2`,
      "delete_if_only | orders | mode",
      "publish | redisson_rwlock:{orders} | 0",
    ],
  ],
  [
    "a Redisson writer",
    "orders",
    "hash",
    ["mode", "write", `${CLIENT}:42:write`, "1"],
    [`element | orders | ${CLIENT}:42:write`, "delete | orders", "publish | redisson_rwlock:{orders} | 1"],
  ],
  [
    "a Redisson multi-lock",
    "orders",
    "hash",
    ["A==", `${CLIENT}:42`, `A==:${CLIENT}:42:expire_time`, "17", "A==:lock_count", "1"],
    [
      `element | orders | A== | ${CLIENT}:42`,
      "remove | orders | A==",
      `remove | orders | A==:${CLIENT}:42:expire_time`,
      "remove | orders | A==:lock_count",
      "publish | redisson_lock__channel:{orders} | 0",
    ],
  ],
  [
    "a Symfony writer",
    "res",
    "zset",
    [SYMFONY, "1", "__write__", "1"],
    [`element | res | ${SYMFONY}`, `remove | res | ${SYMFONY}`, "remove | res | __write__"],
  ],
  [
    "a .NET reader",
    "res.readers",
    "set",
    [MACHINE],
    [`element | res.readers | ${MACHINE}`, `remove | res.readers | ${MACHINE}`],
  ],
] as const)("how to release %s", (_what, key, type, content, lines) => {
  const recipe = recipeOf(key, type, content);
  expect(recipe.key).toBe(key);
  expect(linesOf(recipe)).toEqual(lines);
});

test.each([
  ["a job of BullMQ", "bull:mail:17:lock", "string", `${UUID}:3`, "runs it a second time"],
  ["a job of Sidekiq", "uniquejobs:abc:LOCKED", "hash", ["jid", "1"], "must change together"],
  ["a redis-semaphore semaphore", "semaphore:x", "zset", [UUID, "1"], "semaphore"],
  ["a .NET semaphore", "sem", "zset", [MACHINE, "1"], "semaphore"],
  ["Redisson permits", "{s}:timeout", "zset", ["0a".repeat(16), "1"], "semaphore"],
  ["a permit of redlock4j", `x:permit:${"0a".repeat(16)}`, "string", "1", "semaphore"],
  ["a counter of readers", "x:readers", "string", "3", "counter"],
])("refuses to release %s, with the reason", (_what, key, type, content, part) => {
  expect(releaseOf(key, type, content)).toMatchObject({ kind: "refused", reason: expect.stringContaining(part) });
});

test("keys that are not text go into recipes as their bytes", () => {
  const key = keyFromBytes(Uint8Array.from([0x6c, 0xff]));
  const recipe = recipeOf(key, "hash", [`${CLIENT}:42`, "1"]);
  expect(recipe.key).toBe("l\u00ff");
  expect(recipeOf("é", "string", HEX40).key).toBe("Ã©");
});
