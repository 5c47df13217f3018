import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createMasters, Guard, type MasterNode, membersOf } from "@/lib/redis";
import type { Lock, RedlockEngine } from "@/lib/redlock";
import { FencedStore } from "../support/fenced-store";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { MasterWorld } from "../support/test-master";
import { until } from "../support/until";

const TTL_MS = 10_000;
const SHORT_MS = 1500;
const MINUTE_MS = 60_000;
const FENCE = "redlock:{guard}:fence";

let world: RealRedlock;
let guarded: RealRedlock;
beforeAll(async () => {
  [world, guarded] = await Promise.all([
    startRealRedlock({ up: 5 }),
    startRealRedlock({ up: 5, guardedTtlMs: SHORT_MS }),
  ]);
});
afterAll(() => Promise.all([world.stop(), guarded.stop()]));

const single = new MasterWorld();
afterEach(() => single.clear());

function fenceOf({ fencingToken }: Lock): number {
  if (fencingToken === null) throw new Error("expected a fencing token");
  return fencingToken;
}

async function nextFence(engine: RedlockEngine, resource: string, ttlMs = TTL_MS): Promise<number> {
  const lock = await engine.acquire([resource], ttlMs, { fencing: true });
  await lock.release();
  return fenceOf(lock);
}

/** Highest fence ever issued, per server; null where there are no counters. */
function highWaters({ servers }: RealRedlock): Promise<(number | null)[]> {
  return Promise.all(
    servers.map(async ({ client }) => {
      const text = await client.get(FENCE);
      return text === null ? null : Number(text.split("|")[0]);
    }),
  );
}

test("trap 25: two hold at once, as after a step of the nodes' clocks, and the old holder's late write is refused", async () => {
  const store = new FencedStore();
  const old = await world.redlock.acquire(["trap25"], TTL_MS, { fencing: true });
  expect(store.claim(fenceOf(old))).toBe("");
  expect(store.write(fenceOf(old), "old")).toBe(true);

  // Their keys end early on a majority.
  await Promise.all(world.servers.slice(0, 3).map(({ client }) => client.del("trap25")));
  const rival = await world.rival({}, () => Date.now() - 5 * MINUTE_MS);
  const young = await rival.acquire(["trap25"], TTL_MS, { fencing: true });
  old.check();
  young.check();
  expect(fenceOf(young)).toBeGreaterThan(fenceOf(old));

  expect(store.claim(fenceOf(young))).toBe("old");
  expect(store.write(fenceOf(old), "late")).toBe(false);
  expect(store.write(fenceOf(young), "young")).toBe(true);
  expect(store.value).toBe("young");
  await Promise.all([old.release(), young.release()]);
});

test("trap 25: nodes that lost their counters rejoin with those of the others, and no fence comes twice", async () => {
  const { redlock, servers, masters } = guarded;
  // From a clock that is ahead, so that the time alone would not do.
  const ahead = await guarded.rival({}, () => Date.now() + 5 * MINUTE_MS);
  const before = await nextFence(ahead, "lost", SHORT_MS);
  await Promise.all([0, 1].map((index) => servers[index]?.client.flushall()));
  await until(() => masters[0]?.status().condition === "quarantined", "the quarantine");
  await until(() => masters.every((master) => master.status().condition === "admitted"), "its end");
  expect((await highWaters(guarded)).slice(0, 2)).toEqual([null, null]);

  expect(await nextFence(redlock, "lost", SHORT_MS)).toBeGreaterThan(before);
  await until(async () => (await highWaters(guarded)).every((fence) => (fence ?? 0) >= before), "all to know");
  await Promise.all([3, 4].map((index) => servers[index]?.kill()));
  expect(await nextFence(redlock, "lost", SHORT_MS)).toBeGreaterThan(before);
});

test("the counters of a node that restarts with doubtful data are doubtful, too", async () => {
  const server = await single.server("--appendonly", "yes", "--appendfsync", "everysec");
  const guard = new Guard({ mode: "full", maxTtlMs: SHORT_MS, members: membersOf([server.url]) });
  const [node] = createMasters([server.url], { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
  if (node === undefined) throw new Error("no node");
  single.adopt(node);
  await until(() => node.status().persistence !== null, "the node to be known");
  await node.bootstrap();
  const unhurried = { isCancelled: () => false };
  expect(await node.restoreFence({ fence: 500, isGuess: false, ...unhurried })).toEqual({ kind: "restored" });
  const runId = node.status().runId;
  await server.restart();
  await until(() => node.status().runId !== runId && isIn(node), "the node to be back");
  expect(await node.readFence()).toEqual({ kind: "high_water", fence: null });
});

function isIn(node: MasterNode): boolean {
  return node.status().state === "up" && node.status().condition === "admitted";
}

test("a client whose clock is an hour ahead cannot use up the fences of the future", async () => {
  const wrong = await world.rival({ retryCount: 0 }, () => Date.now() + 60 * MINUTE_MS);
  const outcome = await wrong.tryAcquire(["future"], TTL_MS, { fencing: true });
  expect(outcome.kind).toBe("not_acquired");
  const vote = outcome.ballots.find((ballot) => ballot.vote.kind === "error")?.vote;
  expect(vote).toMatchObject({ reason: expect.stringMatching(/60 min ahead of the node's clock/) });
  expect(await nextFence(world.redlock, "future")).toBeGreaterThan(0);
});

test("a quorum that lost its counters together raises an alarm on those nodes, and goes on by the clocks", async () => {
  const { redlock, servers, masters } = world;
  const before = await nextFence(redlock, "alarm");
  await Promise.all([0, 1, 2].map((index) => servers[index]?.client.flushall()));
  const after = await redlock.acquire(["alarm"], TTL_MS, { fencing: true });
  expect(fenceOf(after)).toBeGreaterThan(before);
  for (const master of masters.slice(0, 3)) {
    expect(master.status()).toMatchObject({ condition: "degraded" });
    expect(master.status().faults.join()).toMatch(/Fence degraded/);
  }
  expect(masters[4]?.status().condition).toBe("admitted");
  await after.release();
});

test("counters are kept for a week per resource, beside the lock and not as one", async () => {
  const { redlock, servers } = world;
  const fence = await nextFence(redlock, "kept");
  const kept = await Promise.all(
    servers.map(async ({ client }) => ({
      fence: Number(await client.get(`${FENCE}:kept`)),
      days: (await client.pttl(`${FENCE}:kept`)) / (24 * 60 * MINUTE_MS),
    })),
  );
  const known = kept.filter((counter) => counter.fence === fence && counter.days > 6.9 && counter.days <= 7);
  expect(known.length).toBeGreaterThanOrEqual(3);
});
