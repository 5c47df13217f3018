import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createMasters, systemClock, systemRandom } from "@/lib/redis";
import { RELEASE as RELEASE_SCRIPT } from "@/lib/redis/verb-scripts";
import { RedlockEngine } from "@/lib/redlock";
import { type LinkedRedlock, linkTo, startLinkedRedlock, takeWhenFree } from "../support/linked-redlock";
import { startMeddlingProxy } from "../support/meddling-proxy";
import { startRealRedlock } from "../support/real-redlock";
import type { TestServer } from "../support/redis-server";
import { until } from "../support/until";

// Requests that are lost, late or overtake one another: each of these left a key that nobody owned, or deleted one that somebody did.

const LONG_MS = 30_000;
const LIMIT = { nodeTimeoutMs: 2000 };
/** An EVALSHA with hash and token is longer, and nothing else is asked meanwhile. */
const DEL_BYTES = 100;
const FIVE_FREE = [null, null, null, null, null];

let stage: LinkedRedlock;
beforeAll(async () => {
  stage = await startLinkedRedlock(5, { nodeTimeoutMs: 1000 });
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

/** How often the server has been asked to run a script since its statistics were reset. */
async function scriptsAsked({ client }: TestServer): Promise<number> {
  const stats = await client.info("commandstats");
  const counts = [...stats.matchAll(/cmdstat_(?:eval|evalsha):calls=(\d+)/g)];
  return counts.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** The same without the one that a fresh connection tries its rights with. */
async function votesAsked({ client }: TestServer): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info("commandstats"))?.[1] ?? 0);
}

function resetStatistics(servers: readonly TestServer[]): Promise<unknown> {
  return Promise.all(servers.map(({ client }) => client.config("RESETSTAT")));
}

test("trap 12: late DEL of attempt 1 on the old connection: the key of attempt 2 stays", async () => {
  const { world } = stage;
  const proxies = await Promise.all(world.servers.map(({ port }) => startMeddlingProxy(port)));
  const masters = createMasters(
    proxies.map(({ url }) => url),
    { ...LIMIT, probeEveryMs: 0 },
  );
  const redlock = new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings: LIMIT });
  try {
    await until(() => masters.every((master) => master.status().state === "up"), "all nodes to be up");
    await Promise.all(world.servers.slice(0, 3).map(({ client }) => client.set("r", "somebody else", "PX", 1500)));
    await resetStatistics(world.servers);
    for (const proxy of proxies) proxy.hold("replies");
    const acquiring = redlock.acquire(["r"], LONG_MS, { retryCount: -1, retryDelay: 50, retryJitter: 10 });
    for (const server of world.servers) await until(async () => (await scriptsAsked(server)) > 0, "attempt 1");
    const first = (await world.values("r"))[4];
    for (const proxy of proxies) {
      proxy.hold("requests");
      proxy.deliver("replies");
    }
    await until(() => proxies.every((proxy) => proxy.heldBytes() > DEL_BYTES), "its DEL to be held");
    for (const proxy of proxies) proxy.cutClients();
    const lock = await acquiring;
    expect(first).toMatch(/^[0-9a-f]{40}$/);
    expect(lock.token).not.toBe(first);
    await resetStatistics(world.servers);
    const held = await world.values("r");
    expect(held.filter((value) => value === lock.token).length).toBeGreaterThanOrEqual(3);
    for (const proxy of proxies) proxy.deliver();
    for (const server of world.servers) await until(async () => (await scriptsAsked(server)) > 0, "the late DEL");
    // On a busy machine that may have been another release of attempt 1, over the new connection.
    const deliveredAt = performance.now();
    await until(() => performance.now() - deliveredAt > 200, "what else was delivered");
    expect(await world.values("r")).toEqual(held);
  } finally {
    await Promise.all(masters.map((master) => master.close()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
});

test("trap 18: node away, commandTimeout, comes back: nothing was queued for it, so there is no ghost", async () => {
  const world = await startRealRedlock({ up: 2, down: 3 });
  try {
    expect((await world.redlock.tryAcquire(["r"], LONG_MS)).kind).toBe("not_acquired");
    await Promise.all(world.servers.slice(2).map((server) => server.restart()));
    await until(() => world.masters.every((master) => master.status().state === "up"), "the nodes to be back");
    // A queue would have been worked off before the node counts as up.
    for (const server of world.servers.slice(2)) expect(await votesAsked(server)).toBe(0);
    await world.untilFree("r");
    expect((await world.redlock.tryAcquire(["r"], LONG_MS)).kind).toBe("acquired");
  } finally {
    await world.stop();
  }
});

test("trap 19: SET executed, reply lost: an error and no foreign lock, and the key is taken back", async () => {
  const { redlock, world, links } = stage;
  for (const link of links.slice(0, 3)) link.hold("replies");
  const acquiring = redlock.tryAcquire(["r"], LONG_MS);
  await until(async () => (await world.values("r")).every((value) => value !== null), "it to be executed");
  for (const link of links.slice(0, 3)) link.reset();
  const outcome = await acquiring;
  expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
  expect(outcome.ballots.slice(0, 3).map(({ vote }) => vote.kind)).toEqual(Array(3).fill("unreachable"));
  await world.untilFree("r");
});

test("trap 20: fast failure on 3 nodes while 2 are still connecting: the acquire is not sent to them later", async () => {
  const { world } = stage;
  const late = await linkTo(
    world,
    { nodeTimeoutMs: 5000 },
    {
      prepare: (link, index) => (index < 3 ? link.close() : link.hold("replies")),
    },
  );
  try {
    await resetStatistics(world.servers);
    const startedAt = performance.now();
    const outcome = await late.redlock.tryAcquire(["r"], LONG_MS);
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    expect(performance.now() - startedAt).toBeLessThan(2500);
    for (const link of late.links.slice(3)) link.heal();
    await until(() => late.masters.slice(3).every((master) => master.status().state === "up"), "both to be connected");
    expect(await world.values("r")).toEqual(FIVE_FREE);
    for (const server of world.servers.slice(3)) expect(await votesAsked(server)).toBe(0);
  } finally {
    await late.close();
  }
});

test("trap 20: fast failure on 3 nodes while 2 fetch the script: the release does not overtake the acquire", async () => {
  const { redlock, world, links } = stage;
  await Promise.all(world.servers.slice(0, 3).map(({ client }) => client.set("r", "somebody else")));
  const slow = world.servers.slice(3);
  for (const { client } of slow) {
    // The release is known and the acquire is not: the one takes a single step, the other two.
    await client.script("FLUSH");
    await client.script("LOAD", RELEASE_SCRIPT.source);
  }
  await resetStatistics(slow);
  for (const link of links.slice(3)) link.delay(100);
  expect((await redlock.tryAcquire(["r"], LONG_MS)).kind).toBe("not_acquired");
  for (const server of slow) await until(async () => (await scriptsAsked(server)) >= 2, "both to have arrived");
  // What follows a refusal to run the unknown script takes this long to come.
  const answeredAt = performance.now();
  await until(() => performance.now() - answeredAt > 400, "another step");
  expect((await world.values("r")).slice(3)).toEqual([null, null]);
});

test("trap 21: 2+2 split, retries: both release before they wait, so that the fifth node decides at once", async () => {
  const { redlock, world, links } = stage;
  const other = await linkTo(world);
  try {
    await until(() => other.masters.every((master) => master.status().state === "up"), "all links to be up");
    await world.servers[4]?.client.set("r", "somebody else");
    for (const link of links.slice(2, 4)) link.delay(100);
    for (const link of other.links.slice(0, 2)) link.delay(100);
    const patient = { retryCount: -1, retryDelay: 20_000, retryJitter: 0 };
    const givingUp = new AbortController();
    const wait = (engine: RedlockEngine) => engine.tryAcquire(["r"], LONG_MS, { ...patient, signal: givingUp.signal });
    const waiting = [wait(redlock), wait(other.redlock)];
    const isSplit = (values: readonly (string | null)[]) =>
      new Set(values.slice(0, 4)).size === 2 && !values.includes(null);
    await until(async () => isSplit(await world.values("r")), "the split");
    await until(async () => (await world.values("r")).slice(0, 4).every((value) => value === null), "its end", 5000);
    await world.servers[4]?.client.del("r");
    await takeWhenFree(world.redlock, "r", LONG_MS);
    givingUp.abort();
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(["not_acquired", "not_acquired"]);
  } finally {
    await other.close();
  }
});
