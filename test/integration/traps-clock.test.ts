import { afterEach, expect, test } from "vitest";
import type { AcquireOutcome, Lock } from "@/lib/redlock";
import { type GuardedClient, ShimmedRedlock } from "../support/shimmed-redlock";
import { until } from "../support/until";

// Disks that lag and clocks that jump, on real servers; each lets two clients hold one lock, or nobody any more, where it is not noticed.

let world: ShimmedRedlock | null = null;
afterEach(async () => {
  await world?.stop();
  world = null;
});

async function start(skip: (note: string) => never, ttlMs: number, args?: readonly string[]): Promise<ShimmedRedlock> {
  world = await ShimmedRedlock.start(skip, { ttlMs, args });
  return world;
}

/** A lock on a, b and c only, as if d and e had not answered. */
async function threeVoteLock(on: ShimmedRedlock, { redlock }: GuardedClient, resource: string, ttlMs: number) {
  const lock = await redlock.acquire([resource], ttlMs);
  await until(async () => (await on.values(resource)).every((value) => value === lock.token), "the key everywhere");
  await Promise.all([3, 4].map((index) => on.node(index).server.client.del(resource)));
  return lock;
}

function voteOfC({ ballots }: AcquireOutcome<Lock>): unknown {
  return ballots.find(({ node }) => node === "c")?.vote;
}

function conditionOfC({ masters }: GuardedClient): string | undefined {
  return masters[2]?.status().condition;
}

const QUORUM = 3;

test("trap 4: AOF everysec with a slow disk loses votes it has given to a plain SIGKILL, so the node is kept out", async ({
  skip,
}) => {
  const ttlMs = 60_000;
  const on = await start(skip, ttlMs, ["--appendonly", "yes", "--appendfsync", "everysec"]);
  const [holder, rival] = [await on.client(), await on.client()];
  const { server, shim } = on.node(2);
  const isWaiting = async (field: string) => {
    const info = await server.client.info("persistence");
    return Number(new RegExp(`${field}:(\\d+)`).exec(info)?.[1] ?? 0) > 0;
  };
  shim.delayFsync(60_000);
  await until(async () => {
    await server.client.set("unrelated", "");
    return isWaiting("aof_pending_bio_fsync");
  }, "the server to wait for its disk");
  const lock = await threeVoteLock(on, holder, "trap4", ttlMs);
  // Granted, and not even handed to the operating system: write(2) waits for the fsync, two seconds at most.
  expect(await isWaiting("aof_buffer_length")).toBe(true);
  await server.kill();
  shim.delayFsync(0);
  await server.restart();
  expect((await on.values("trap4"))[2]).toBeNull();
  await until(() => conditionOfC(rival) === "quarantined", "the node to be kept out");
  const outcome = await rival.redlock.tryAcquire(["trap4"], ttlMs);
  expect(outcome.kind).toBe("not_acquired");
  expect(voteOfC(outcome)).toMatchObject({ kind: "quarantined", reason: expect.stringMatching(/restarted/) });
  expect(lock.remaining()).toBeGreaterThan(0);
  expect(await on.naiveVotes("trap4")).toBe(QUORUM);
});

test("trap 5: a node whose clock goes ten seconds forward ends its keys at once, and has no vote", async ({ skip }) => {
  const ttlMs = 9900;
  const on = await start(skip, ttlMs);
  const [holder, rival] = [await on.client(), await on.client()];
  const lock = await threeVoteLock(on, holder, "trap5", ttlMs);
  const { shim } = on.node(2);
  shim.stepClock(10_000);
  // Whether or not it has asked for the time since: the vote itself tells.
  const first = await rival.redlock.tryAcquire(["trap5"], ttlMs);
  expect(first.kind).toBe("not_acquired");
  expect(voteOfC(first)).toMatchObject({ kind: "error" });
  const newcomer = await on.client();
  for (const client of [holder, rival, newcomer]) {
    await until(() => conditionOfC(client) === "clock", "the clock to be noticed");
    const outcome = await client.redlock.tryAcquire(["trap5"], ttlMs);
    expect(outcome.kind).toBe("not_acquired");
    expect(voteOfC(outcome)).toMatchObject({ kind: "error", reason: expect.stringMatching(/clock is 10\.\d s ahead/) });
  }
  expect(await on.naiveVotes("trap5")).toBe(QUORUM);
  expect(lock.remaining()).toBeGreaterThan(0);
  // Right again, it still is without the keys it had.
  shim.stepClock(0);
  await until(() => conditionOfC(rival) === "quarantined", "the quarantine behind it");
  expect((await rival.redlock.tryAcquire(["trap5"], ttlMs)).kind).toBe("not_acquired");
});

test("trap 6: a node whose clock goes an hour back keeps keys for an hour, and the others do without it", async ({
  skip,
}) => {
  const ttlMs = 1500;
  const on = await start(skip, ttlMs);
  const [holder, rival] = [await on.client(), await on.client()];
  // Its holder is never heard of again.
  await holder.redlock.acquire(["trap6"], ttlMs);
  const { server, shim } = on.node(2);
  await until(async () => (await server.client.exists("trap6")) === 1, "the key on c");
  shim.stepClock(-3_600_000);
  // Valkey 9 looks at the wall clock a few times a second, and reckons in between.
  await until(async () => (await server.client.pttl("trap6")) > 3_590_000, "the server to go by its clock");
  for (const client of [holder, rival]) {
    await until(() => conditionOfC(client) === "clock", "the clock to be noticed");
    expect(client.masters[2]?.status().faults.join()).toMatch(/clock is 3\d{3}\.\d s behind .* set it right/);
  }
  await until(async () => {
    const outcome = await rival.redlock.tryAcquire(["trap6"], ttlMs);
    return outcome.kind === "acquired" && (await outcome.lock.release()) !== null;
  }, "the lock to be had again without c");
  // Control: with two more nodes away the stuck key alone is in the way of a client that takes it for a holder, until the clock is right.
  await Promise.all([3, 4].map((index) => on.kill(index)));
  expect(await on.naiveVotes("trap6")).toBe(QUORUM - 1);
  shim.stepClock(0);
  expect(await on.naiveVotes("trap6")).toBe(QUORUM);
});
