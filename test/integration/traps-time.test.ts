import { uptime } from "node:os";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "@/lib/redis";
import { awakeClock } from "@/lib/redis/awake-clock";
import { monotonicMs } from "@/lib/redlock";
import { type LinkedRedlock, linkTo, startLinkedRedlock, takeWhenFree } from "../support/linked-redlock";
import { until } from "../support/until";

// How long a lock may be relied on. Each of these made some library believe in a lock that another client holds.

/** The wall clock of this process, before anything that reads it is loaded. */
const wall = vi.hoisted(() => {
  const real = Date.now;
  const moved = { aheadMs: 0 };
  Date.now = () => real() + moved.aheadMs;
  return moved;
});

const SHORT_MS = 1000;

let stage: LinkedRedlock;
beforeAll(async () => {
  stage = await startLinkedRedlock(5, { nodeTimeoutMs: 1500 });
});
afterAll(() => stage.stop());
afterEach(async () => {
  wall.aheadMs = 0;
  for (const link of stage.links) link.heal();
  for (const server of stage.world.servers) server.resume();
  await until(() => stage.masters.every((master) => master.status().state === "up"), "all nodes to be up again");
  await Promise.all(stage.world.servers.map(({ client }) => client.flushall()));
});

test("trap 7: client Date.now −10 s while holding: the lock ends all the same", async () => {
  const lock = await stage.redlock.acquire(["r"], SHORT_MS);
  wall.aheadMs = -10_000;
  expect(lock.remaining()).toBeLessThan(SHORT_MS);
  await takeWhenFree(stage.world.redlock, "r", SHORT_MS);
  expect(lock.remaining()).toBe(0);
  expect(lock.signal.aborted).toBe(true);
  expect(() => lock.check()).toThrow("the validity of r has ended");
});

test("trap 7: client Date.now +10 s while holding: a step of the wall clock costs no lock", async () => {
  const lock = await stage.redlock.acquire(["r"], 60_000);
  wall.aheadMs = 10_000;
  lock.check();
  expect(lock.remaining()).toBeGreaterThan(50_000);
});

test("trap 7: the machine sleeps while holding: the nodes went on counting, so the lock has ended", async () => {
  let sleptMs = 0;
  // What a suspended machine shows: the monotonic clock stood still, those of the wall and since the boot did not.
  const now = awakeClock({
    monotonic: () => performance.now(),
    wall: () => Date.now() + sleptMs,
    sinceBoot: () => uptime() * 1000 + sleptMs,
  });
  const sleeper = await linkTo(stage.world, {}, { clock: { ...systemClock, now: () => monotonicMs(now()) } });
  try {
    await until(() => sleeper.masters.every((master) => master.status().state === "up"), "all nodes to be up");
    const lock = await sleeper.redlock.acquire(["r"], 60_000);
    lock.check();
    sleptMs = 60_000;
    expect(() => lock.check()).toThrow("the validity of r has ended");
    expect((await sleeper.redlock.tryExtend(lock, 60_000)).kind).toBe("lost");
  } finally {
    await sleeper.close();
  }
});

test("trap 8: one frozen node, nodeTimeout 1.5 s, TTL 2 s: the validity is at most the TTL less the time it took", async () => {
  const ttlMs = 2000;
  stage.world.servers[4]?.pause();
  for (const link of stage.links.slice(2)) link.delay(150);
  const startedAt = performance.now();
  const lock = await stage.redlock.acquire(["r"], ttlMs, { retryCount: 0 });
  const claimedMs = lock.remaining();
  const tookMs = performance.now() - startedAt;
  // Both ways, and nobody waited for the frozen one.
  expect(tookMs).toBeGreaterThanOrEqual(300);
  expect(tookMs).toBeLessThan(1000);
  expect(claimedMs).toBeLessThanOrEqual(ttlMs - 300);
  expect(claimedMs).toBeGreaterThan(ttlMs - tookMs - 100);
});

test("trap 9: third vote arrives after the TTL: it is rejected, and no key is left", async () => {
  const { links, redlock, world } = stage;
  links[2]?.hold("replies");
  for (const link of links.slice(3)) link.hold("both");
  const acquiring = redlock.tryAcquire(["r"], SHORT_MS);
  await until(async () => (await world.servers[2]?.client.exists("r")) === 1, "the third vote to be cast");
  // So that the key there ends by itself, and not by the release.
  links[2]?.hold("both");
  await until(async () => (await world.servers[2]?.client.exists("r")) === 0, "the third vote to be worthless");
  await takeWhenFree(world.redlock, "r", 5000);
  for (const link of links) link.heal();
  expect(await acquiring).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
  const held = await world.values("r");
  await until(() => stage.masters.every((master) => master.outstandingReleases === 0), "the clean-up");
  expect(await world.values("r")).toEqual(held);
});

test("trap 10: retries longer than the TTL: the validity counts from the try that won", async () => {
  const ttlMs = 600;
  await Promise.all(stage.world.servers.map(({ client }) => client.set("r", "somebody else", "PX", 1500)));
  const settings = { retryCount: -1, retryDelay: 30, retryJitter: 10 };
  const startedAt = performance.now();
  const lock = await stage.redlock.acquire(["r"], ttlMs, settings);
  const keysMs = await Promise.all(stage.world.servers.map(({ client }) => client.pttl("r")));
  const leftMs = lock.remaining();
  expect(performance.now() - startedAt).toBeGreaterThan(2 * ttlMs);
  expect(lock.attempts).toBeGreaterThan(2);
  expect(leftMs).toBeGreaterThan(0);
  // A quorum of the nodes keeps the lock for at least as long.
  expect(leftMs).toBeLessThanOrEqual(keysMs.sort((a, b) => b - a)[2] ?? 0);
});
