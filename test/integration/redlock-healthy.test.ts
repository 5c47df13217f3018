import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fingerprintOf } from "@/lib/redis";
import { ExecutionError, ResourceLockedError } from "@/lib/redlock";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { until } from "../support/until";

let world: RealRedlock;
beforeAll(async () => {
  world = await startRealRedlock({ up: 5 });
});
afterAll(() => world.stop());
afterEach(() => Promise.all(world.servers.map((server) => server.client.flushall())));

describe("with five of five nodes up", () => {
  test("a lock stands on every node with its ttl, and is gone from every node after its release", async () => {
    const lock = await world.redlock.acquire(["orders:42"], 10_000);
    await until(async () => (await world.values("orders:42")).every((value) => value === lock.token), "five keys");
    for (const { client } of world.servers) expect(await client.pttl("orders:42")).toBeGreaterThan(0);
    expect(lock.remaining()).toBeGreaterThan(0);
    expect(lock.remaining()).toBeLessThan(10_000);
    expect((await lock.release()).kind).toBe("released");
    await world.untilFree("orders:42");
  });

  test("a second holder is refused, with the fingerprint and remaining time of the first, never its token", async () => {
    const lock = await world.redlock.acquire(["r"], 10_000);
    const rival = await world.rival();
    const outcome = await rival.tryAcquire(["r"], 10_000);
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "held_by_other" });
    const refusals = outcome.ballots.filter(({ vote }) => vote.kind === "refused");
    expect(refusals.length).toBeGreaterThanOrEqual(3);
    for (const { vote } of refusals) {
      expect(vote).toMatchObject({ holder: fingerprintOf(lock.token), remainingMs: expect.any(Number) });
    }
    expect(JSON.stringify(outcome)).not.toContain(lock.token);
    await expect(rival.acquire(["r"], 10_000, { retryCount: 0 })).rejects.toThrow(ResourceLockedError);
    await lock.release();
    expect((await rival.tryAcquire(["r"], 10_000)).kind).toBe("acquired");
  });

  test("a waiter gets the lock when the holder releases it", async () => {
    const lock = await world.redlock.acquire(["r"], 10_000);
    const rival = await world.rival();
    const waiting = rival.acquire(["r"], 10_000, { waitMs: 20_000 });
    await lock.release();
    expect((await waiting).remaining()).toBeGreaterThan(0);
  });

  test("an extension reaches every node, and heals the one that lost the key", async () => {
    const lock = await world.redlock.acquire(["r"], 5000);
    await until(async () => (await world.values("r")).every((value) => value === lock.token), "five keys");
    const [first] = world.servers;
    await first?.client.flushall();
    await lock.extend(60_000);
    expect(lock.remaining()).toBeGreaterThan(50_000);
    await until(async () => (await world.values("r")).every((value) => value === lock.token), "the key to be healed");
    for (const { client } of world.servers) expect(await client.pttl("r")).toBeGreaterThan(50_000);
  });

  test("several resources are one lock: all or none", async () => {
    const other = await world.redlock.acquire(["b"], 10_000);
    expect((await world.redlock.tryAcquire(["a", "b", "c"], 10_000)).kind).toBe("not_acquired");
    await world.untilFree("a");
    await world.untilFree("c");
    await other.release();
    const lock = await world.redlock.acquire(["a", "b", "c"], 10_000);
    for (const resource of ["a", "b", "c"]) {
      await until(async () => (await world.values(resource)).every((value) => value === lock.token), "five keys");
    }
    expect((await lock.release()).kind).toBe("released");
  });

  test("a wrong token releases and extends nothing", async () => {
    const lock = await world.redlock.acquire(["r"], 10_000);
    await until(async () => (await world.values("r")).every((value) => value === lock.token), "five keys");
    const wrong = { resources: ["r"], token: "0".repeat(40) as typeof lock.token };
    expect((await world.redlock.release(wrong)).kind).toBe("lost");
    expect((await world.redlock.tryExtend(wrong, 60_000)).kind).toBe("lost");
    expect(await world.values("r")).toEqual(Array(5).fill(lock.token));
  });

  test("the release of an expired lock is an outcome, not an error", async () => {
    const lock = await world.redlock.acquire(["r"], 60);
    await world.untilFree("r");
    expect((await lock.release()).kind).toBe("expired");
  });

  test("a key of another type on a majority is a refusal that says so, and stays as it is", async () => {
    for (const { client } of world.servers.slice(0, 3)) await client.hset("r", "field", "value");
    const outcome = await world.redlock.tryAcquire(["r"], 10_000);
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "held_by_other" });
    expect(outcome.ballots.filter(({ vote }) => vote.kind === "refused" && vote.foreignType === "hash")).toHaveLength(
      3,
    );
    await until(async () => (await world.servers[4]?.client.exists("r")) === 0, "the granted minority to be released");
    expect(await world.servers[0]?.client.hget("r", "field")).toBe("value");
  });

  test("SCRIPT FLUSH in the middle goes unnoticed", async () => {
    const flush = () => Promise.all(world.servers.map((server) => server.client.script("FLUSH")));
    await flush();
    const lock = await world.redlock.acquire(["r"], 10_000);
    await flush();
    await lock.extend(20_000);
    await flush();
    expect((await lock.release()).kind).toBe("released");
    await world.untilFree("r");
  });

  test("using keeps the lock beyond its ttl and releases it afterwards", async () => {
    const rival = await world.rival();
    const result = await world.redlock.using(["r"], 400, async (signal, context) => {
      await until(() => context.extensions >= 2, "two extensions");
      expect(signal.aborted).toBe(false);
      expect((await rival.tryAcquire(["r"], 400)).kind).toBe("not_acquired");
      return "done";
    });
    expect(result).toBe("done");
    await world.untilFree("r");
  });

  test("using aborts its signal when a majority loses the lock", async () => {
    await world.redlock.using(["r"], 600, async (signal) => {
      await Promise.all(world.servers.slice(0, 3).map((server) => server.client.set("r", "stolen")));
      await until(() => signal.aborted, "the signal");
    });
    expect((await world.values("r")).filter((value) => value === "stolen")).toHaveLength(3);
  });

  test("rivals never hold the same resource at once, and no key is left", async () => {
    const rivals = [world.redlock, await world.rival(), await world.rival()];
    let holders = 0;
    let most = 0;
    let turns = 0;
    const work = async (engine: (typeof rivals)[number]) => {
      for (let turn = 0; turn < 15; turn += 1) {
        const lock = await engine.acquire(["r"], 5000, { retryCount: -1 });
        holders += 1;
        most = Math.max(most, holders);
        turns += 1;
        await new Promise((resolve) => setImmediate(resolve));
        holders -= 1;
        await lock.release();
      }
    };
    await Promise.all(rivals.map(work));
    expect([most, turns]).toEqual([1, 45]);
    await world.untilFree("r");
  });

  test("refuses what cannot be a lock before anything is sent", async () => {
    await expect(world.redlock.acquire([], 1000)).rejects.toThrow(TypeError);
    await expect(world.redlock.acquire(["r"], 1)).rejects.toThrow(RangeError);
    await expect(world.redlock.acquire(["r"], 1000, { retryCount: 0 })).resolves.toBeDefined();
    await expect(world.redlock.acquire(["r"], 1000, { retryCount: 0 })).rejects.toThrow(ExecutionError);
  });
});
