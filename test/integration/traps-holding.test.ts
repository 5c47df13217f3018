import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { LockLostError } from "@/lib/redlock";
import { type LinkedRedlock, startLinkedRedlock, takeWhenFree } from "../support/linked-redlock";
import type { HolderKind, HolderNews, HolderTask } from "../support/stopped-holder";
import { until } from "../support/until";

// What happens to a lock after it was won: each of these cost some library the lock, or another client its own.

const SHORT_MS = 1000;
const LONG_MS = 30_000;

let stage: LinkedRedlock;
beforeAll(async () => {
  // A lock that ends early by a fifth, so that a busy machine may be late by that much.
  stage = await startLinkedRedlock(5, { nodeTimeoutMs: 300, driftFactor: 0.2 });
});
afterAll(() => stage.stop());
afterEach(async () => {
  for (const link of stage.links) link.heal();
  for (const server of stage.world.servers) server.resume();
  await until(
    () => stage.masters.every((master) => master.status().state === "up"),
    "all nodes to be up again",
    20_000,
  );
  await Promise.all(stage.world.servers.map(({ client }) => client.flushall()));
});

test("trap 11: transient extend failure: nothing changes, and the next extension works", async () => {
  const { redlock, world } = stage;
  const lock = await redlock.acquire(["r"], LONG_MS);
  await until(async () => (await world.values("r")).every((value) => value === lock.token), "the key everywhere");
  const stalled = world.servers.slice(0, 3);
  for (const server of stalled) server.pause();
  expect((await redlock.tryExtend(lock, LONG_MS)).kind).toBe("unknown");
  expect(lock.remaining()).toBeGreaterThan(LONG_MS / 2);
  lock.check();
  for (const server of stalled) server.resume();
  // The servers have worked off what was sent to them while they stood still.
  await until(async () => (await redlock.tryExtend(lock, 2 * LONG_MS)).kind === "extended", "an extension");
  expect(await world.values("r")).toEqual(Array(5).fill(lock.token));
  expect((await world.redlock.tryAcquire(["r"], LONG_MS)).kind).toBe("not_acquired");
  expect(lock.remaining()).toBeGreaterThan(LONG_MS);
});

test("trap 13: extend after local expiry, keys still there: refused, nothing is revived", async () => {
  const { redlock, world } = stage;
  const lock = await redlock.acquire(["r"], 200);
  await Promise.all(world.servers.map(({ client }) => client.pexpire("r", LONG_MS)));
  await until(() => lock.remaining() === 0, "the validity to end");
  expect((await world.values("r")).filter((value) => value === lock.token).length).toBeGreaterThanOrEqual(3);
  expect(await redlock.tryExtend(lock, 2 * LONG_MS)).toMatchObject({ kind: "lost", ballots: [] });
  await expect(lock.extend(2 * LONG_MS)).rejects.toThrow(LockLostError);
  expect(lock.remaining()).toBe(0);
  const keysMs = await Promise.all(world.servers.map(({ client }) => client.pttl("r")));
  expect(Math.max(...keysMs)).toBeLessThanOrEqual(LONG_MS);
});

test("trap 14: holder black-holed: told by a timer, in using() and without, before anybody else can hold", async () => {
  const { redlock, world, links } = stage;
  const told: string[] = [];
  // Nobody looks at the signals: only the events can tell.
  const plain = await redlock.acquire(["plain"], SHORT_MS);
  plain.signal.addEventListener("abort", () => told.push("plain holder stops"));
  await redlock.using(["r"], SHORT_MS, async (signal) => {
    signal.addEventListener("abort", () => told.push("holder stops"));
    for (const link of links) link.hole("both");
    await takeWhenFree(world.redlock, "plain", SHORT_MS);
    told.push("rival holds plain");
    await takeWhenFree(world.redlock, "r", SHORT_MS);
    told.push("rival holds");
  });
  const place = (who: string) => told.indexOf(who);
  expect(new Set(told).size).toBe(4);
  expect(place("plain holder stops")).toBeLessThan(place("rival holds plain"));
  expect(place("holder stops")).toBeLessThan(place("rival holds"));
});

test("trap 15: SIGSTOP past validity, only signal.aborted read, or lock.check() asked: no stale write", async () => {
  const { world } = stage;
  const [store] = world.servers;
  if (store === undefined) throw new Error("no store");
  const kinds: readonly HolderKind[] = ["signal", "check"];
  const urls = world.servers.map(({ url }) => url);
  const task: HolderTask = { urls, ttlMs: 2 * SHORT_MS, storeUrl: store.url, kinds };
  const script = fileURLToPath(new URL("../support/stopped-holder.mjs", import.meta.url));
  const child = fork(script, [JSON.stringify(task)], { execArgv: [] });
  const news: HolderNews[] = [];
  child.on("message", (message) => news.push(message as HolderNews));
  try {
    await until(() => news.length === 2, "the child to hold both locks", 40_000);
    child.kill("SIGSTOP");
    for (const kind of kinds) {
      await takeWhenFree(world.redlock, kind, LONG_MS);
      expect(await store.client.getset(`store:${kind}`, "the rival")).toBe("the child");
    }
    expect([...news].sort()).toEqual(["check: writes", "signal: writes"]);
    child.kill("SIGCONT");
    await once(child, "exit", { signal: AbortSignal.timeout(10_000) });
  } finally {
    child.kill("SIGKILL");
  }
  for (const kind of kinds) {
    expect(news).toContain(`${kind}: the validity of ${kind} has ended`);
    expect(await store.client.get(`store:${kind}`), kind).toBe("the rival");
  }
}, 90_000);
