import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { locksQuerySchema } from "@/lib/contract";
import { Inventory, type LockDifference } from "@/lib/inventory";
import { systemClock } from "@/lib/redis";
import { type FakeMaster, fakeMasters } from "../../support/fake-master";
import { until } from "../../support/until";

const TOKEN = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
const EVERYTHING = locksQuerySchema.parse({});

let masters: FakeMaster[];
let inventory: Inventory;
beforeEach(() => {
  masters = fakeMasters(5);
  inventory = inventoryOf();
});
afterEach(() => inventory.stop());

function inventoryOf(more: { patterns?: readonly string[]; listsEverything?: boolean } = {}): Inventory {
  return new Inventory({
    masters,
    clock: systemClock,
    wallClock: Date.now,
    patterns: ["*"],
    listsEverything: true,
    ownedByConsole: () => null,
    maxTtlMs: null,
    incidents: null,
    ...more,
  });
}

function setOn(names: string, resource = "orders:42", value = TOKEN, remainingMs: number | null = 60_000): void {
  for (const master of masters) if (names.includes(master.id)) master.put(resource, value, remainingMs);
}

const verdicts = async () => (await inventory.list(EVERYTHING)).locks.map(({ verdict }) => verdict);

test("one silent node is unknown and delays nobody", async () => {
  setOn("abcde");
  const [silent] = masters.slice(-1);
  if (silent === undefined) throw new Error("no master");
  silent.fault = { kind: "timeout" };
  silent.delayMs = 50;
  await inventory.start();
  const list = await inventory.list(EVERYTHING);
  expect(list.locks).toMatchObject([{ verdict: "held", votes: 4 }]);
  expect(list.locks[0]?.nodes[4]).toMatchObject({ reading: "unknown" });
  expect(list.scan).toMatchObject({ complete: 4, n: 5 });
  silent.fault = null;
  await until(async () => (await inventory.list(EVERYTHING)).scan.complete === 5, "the node to be read again");
  expect((await inventory.list(EVERYTHING)).locks).toMatchObject([{ votes: 5 }]);
});

test("a list asked for once shows a leftover that was set just before, though such a finding needs a second look", async () => {
  await inventory.start();
  const startedAt = performance.now();
  await until(() => performance.now() - startedAt > 350, "the first reading to be old");
  setOn("ab");
  expect(await verdicts()).toEqual(["leftover"]);
});

test("tells a listener of what is new, and nothing of a mere countdown", async () => {
  await inventory.start();
  const heard: LockDifference[] = [];
  inventory.subscribe((difference) => heard.push(difference));
  setOn("abcde");
  await until(() => heard.some(({ changed }) => changed.length > 0), "the new lock");
  const before = heard.length;
  const scansBefore = masters[0]?.scans ?? 0;
  await until(() => (masters[0]?.scans ?? 0) >= scansBefore + 2, "two more readings");
  expect(heard).toHaveLength(before);
  for (const { keys } of masters) keys.clear();
  await until(() => heard.some(({ removed }) => removed.includes("orders%3A42")), "its end");
});

test("a lock that is over is gone without another reading of the silent nodes", async () => {
  setOn("abcde", "orders:42", TOKEN, 300);
  await inventory.start();
  expect(await verdicts()).toEqual(["held"]);
  for (const master of masters) {
    master.keys.clear();
    if ("cde".includes(master.id)) master.fault = { kind: "timeout" };
  }
  await until(async () => (await verdicts()).length === 0, "the lock to be gone");
});

test("reads seldom while nobody is there", async () => {
  await inventory.start();
  const before = masters[0]?.scans ?? 0;
  // The next reading is five seconds away; one of 500 ms would show within this.
  await expect(until(() => (masters[0]?.scans ?? 0) > before, "a reading", 700)).rejects.toThrow();
  inventory.subscribe(() => undefined);
  await until(() => (masters[0]?.scans ?? 0) > before, "a reading once somebody watches", 700);
});

describe("on servers that others use too", () => {
  beforeEach(() => {
    inventory = inventoryOf({ listsEverything: false });
  });

  test("lists what looks like a lock and nothing else", async () => {
    setOn("a", "session:1", "some text");
    setOn("a", "counter", "17", null);
    setOn("abcde", "orders:42");
    setOn("abcde", "agreed", "some text");
    setOn("abcde", "redisson_unlock_latch:x", TOKEN);
    await inventory.start();
    const { locks } = await inventory.list(locksQuerySchema.parse({ sort: "resource" }));
    expect(locks.map(({ resource }) => resource)).toEqual(["agreed", "orders:42"]);
  });

  test("answers an exact name all the same", async () => {
    setOn("a", "session:1", "some text");
    await inventory.start();
    expect(await inventory.detail("session:1")).toMatchObject({ verdict: "leftover", layout: null });
    expect(await inventory.list(EVERYTHING)).toMatchObject({ total: 0 });
  });
});
