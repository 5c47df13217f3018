import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createMasters, Guard, type MasterNode, membersOf } from "@/lib/redis";
import type { AcquireOutcome, Lock } from "@/lib/redlock";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import type { TestServer } from "../support/redis-server";
import { MasterWorld, RELEASE, request } from "../support/test-master";
import { until } from "../support/until";

// Nodes that forget votes, and clients that disagree about the nodes: each let two clients hold one lock without the guard.

const MARKER = "redlock:{guard}:node";
const LONG_MS = 60_000;

let world: RealRedlock;
beforeAll(async () => {
  world = await startRealRedlock({ up: 5, guardedTtlMs: 300 });
});
afterAll(() => world.stop());

const single = new MasterWorld();
afterEach(() => single.clear());

function serverAt(index: number): TestServer {
  const server = world.servers[index];
  if (server === undefined) throw new Error(`no server ${index}`);
  return server;
}

/** A lock on a, b and c only, as if d and e had not answered. */
async function threeVoteLock(resource: string): Promise<Lock> {
  await Promise.all(world.masters.map((master) => master.bootstrap()));
  const lock = await world.redlock.acquire([resource], LONG_MS);
  await until(async () => (await world.values(resource)).every((value) => value === lock.token), "the key everywhere");
  await Promise.all([3, 4].map((index) => serverAt(index).client.del(resource)));
  return lock;
}

function voteOf(outcome: AcquireOutcome<Lock>, node: string): unknown {
  return outcome.ballots.find((ballot) => ballot.node === node)?.vote;
}

/** A rival gets d and e, and must not get c. */
async function expectKeptOut(resource: string, reason: RegExp): Promise<void> {
  const rival = await world.rival();
  await until(async () => {
    const { vote } = (await rival.tryAcquire([resource], LONG_MS)).ballots[2] ?? {};
    return vote?.kind === "quarantined" && reason.test(vote.reason);
  }, "c to be quarantined");
  const outcome = await rival.tryAcquire([resource], LONG_MS);
  expect(outcome.kind).toBe("not_acquired");
  expect(voteOf(outcome, "c")).toMatchObject({ kind: "quarantined", reason: expect.stringMatching(reason) });
  const status = () => world.masters[2]?.status();
  const isKnown = () => status()?.condition === "quarantined" && reason.test(status()?.faults.join() ?? "");
  await until(isKnown, "everybody to know, and why");
  expect(status()?.quarantinedForMs).toBeGreaterThan(30_000);
}

test("trap 1: a voter that restarts empty may not vote again while the lock may live, and can be released on", async () => {
  const lock = await threeVoteLock("trap1");
  await serverAt(2).restart();
  await until(() => world.masters[2]?.status().condition === "quarantined", "c to be found quarantined");
  await expectKeptOut("trap1", /marker is missing/);
  expect((await lock.release()).kind).not.toBe("unknown");
});

test("trap 2: a voter that is flushed under a living connection neither", async () => {
  const lock = await threeVoteLock("trap2");
  await serverAt(2).client.flushall();
  await expectKeptOut("trap2", /marker is missing/);
  await lock.release();
});

test("trap 3: a lagging replica in the voter's place, with its marker but without its last vote", async () => {
  const lock = await threeVoteLock("trap3");
  const marker = await serverAt(2).client.get(MARKER);
  await serverAt(2).restart();
  await serverAt(2).client.set(MARKER, marker ?? "");
  await expectKeptOut("trap3", /restarted/);
  await lock.release();
});

test("a node that forgot votes again when every lock of its past must have ended", async () => {
  const other = await startRealRedlock({ up: 1, guardedTtlMs: 2000 });
  const [master] = other.masters;
  await other.servers[0]?.client.flushall();
  await until(() => (master?.status().quarantinedForMs ?? 0) > 0, "the quarantine");
  await until(() => master?.status().condition === "admitted", "its end");
  expect((await other.redlock.tryAcquire(["r"], 2000)).kind).toBe("acquired");
  await other.stop();
});

async function guarded(args: readonly string[]): Promise<{ server: TestServer; node: MasterNode }> {
  const server = await single.server(...args);
  const guard = new Guard({ mode: "full", maxTtlMs: LONG_MS, members: membersOf([server.url]) });
  const [node] = createMasters([server.url], { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
  if (node === undefined) throw new Error("no node");
  single.adopt(node);
  await until(() => node.status().persistence !== null, "the node to be known");
  expect(await node.bootstrap()).toEqual({ kind: "done" });
  expect(await node.acquire(request())).toEqual({ kind: "granted" });
  return { server, node };
}

test("an append-only file that is synced every second is not proof of memory, though nothing was lost this time", async () => {
  const { server, node } = await guarded(["--appendonly", "yes", "--appendfsync", "everysec"]);
  await server.client.save();
  await server.restart();
  const isKeptOut = () => node.status().condition === "quarantined" && node.status().quarantinedForMs > 30_000;
  await until(isKeptOut, "the quarantine");
  expect(await node.acquire(request({ resources: ["other"] }))).toMatchObject({ kind: "quarantined" });
  expect((await node.release(RELEASE)).kind).toMatch(/released|gone/);
});

test("a node that syncs every write votes at once when it is back with its data", async () => {
  const { server, node } = await guarded(["--appendonly", "yes", "--appendfsync", "always"]);
  await until(async () => /\|1\|\w+$/.test((await server.client.get(MARKER)) ?? ""), "the marker to say durable");
  await server.restart();
  await until(() => node.status().state === "up" && node.status().condition === "admitted", "the node to be back");
  await until(async () => (await node.acquire(request({ resources: ["other"] }))).kind === "granted", "its vote");
  expect(await node.acquire(request())).toMatchObject({ kind: "refused" });
});

test("a clock that went back cannot keep a node out for longer than a quarantine lasts", async () => {
  const { server, node } = await guarded([]);
  const marker = (await server.client.get(MARKER)) ?? "";
  const [runId, , ...rest] = marker.split("|");
  await server.client.set(MARKER, [runId, Date.now() + 3_600_000, ...rest].join("|"));
  const vote = await node.acquire(request({ resources: ["other"] }));
  expect(vote.kind).toBe("quarantined");
  expect("forMs" in vote && vote.forMs).toBeLessThanOrEqual(LONG_MS * 1.01 + 10);
});

test("a longer lock than was assumed lengthens the quarantine of the node that forgets it", async () => {
  const { node, server } = await guarded([]);
  await node.acquire(request({ resources: ["long"], ttlMs: 600_000 }));
  await server.client.flushall();
  const vote = await node.acquire(request());
  expect("forMs" in vote && vote.forMs).toBeGreaterThan(500_000);
});

test("so does one that another client took: the other nodes still remember it", async () => {
  const servers = await Promise.all([single.server(), single.server()]);
  const urls = servers.map(({ url }, index) => `${url}#${"ab"[index]}`);
  const open = async () => {
    const guard = new Guard({ mode: "full", maxTtlMs: LONG_MS, members: membersOf(urls) });
    const masters = createMasters(urls, { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
    for (const master of masters) single.adopt(master);
    await until(() => masters.every((master) => master.status().persistence !== null), "both nodes to be known");
    return { masters, guard };
  };
  const first = await open();
  await Promise.all(first.masters.map((master) => master.bootstrap()));
  for (const master of first.masters)
    expect(await master.acquire(request({ ttlMs: 600_000 }))).toEqual({ kind: "granted" });
  await Promise.all(first.masters.map((master) => master.close()));
  const { masters, guard } = await open();
  await until(() => guard.quarantineMs > 600_000, "the second client to learn of the long lock");
  await servers[0]?.client.flushall();
  const vote = await masters[0]?.acquire(request());
  expect(vote?.kind).toBe("quarantined");
  expect(vote !== undefined && "forMs" in vote && vote.forMs).toBeGreaterThan(500_000);
});

test("by connection: one that restarts empty or is flushed is kept out, too", async () => {
  const server = await single.server();
  const guard = new Guard({ mode: "connection", maxTtlMs: LONG_MS, members: ["one"] });
  const [node] = createMasters([server.url], { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
  if (node === undefined) throw new Error("no node");
  single.adopt(node);
  for (const forget of [() => server.restart(), () => server.client.flushall()]) {
    await until(() => node.status().state === "up", "the node to be up");
    expect(await node.bootstrap()).toEqual({ kind: "done" });
    expect(await node.acquire(request())).toEqual({ kind: "granted" });
    await forget();
    await until(async () => (await node.acquire(request())).kind === "quarantined", "the quarantine");
    expect(await server.client.exists("r")).toBe(0);
  }
});

test("a user who may not ask who the server is cannot vote under the guard, and is told what is missing", async () => {
  const server = await single.server();
  await server.client.call("ACL", "SETUSER", "locker", "on", ">secret", "~*", "+@all", "-info");
  const guard = new Guard({ mode: "full", maxTtlMs: LONG_MS, members: ["one"] });
  const url = `redis://locker:secret@127.0.0.1:${server.port}`;
  const [node] = createMasters([url], { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
  if (node === undefined) throw new Error("no node");
  single.adopt(node);
  const isRefused = () => /guard cannot look/.test(node.status().faults.join());
  await until(() => isRefused() && node.status().condition === "quarantined", "the refusal to be told");
  expect(node.status().faults.join()).toMatch(/grant the user \+info and \+time/);
  expect(await node.acquire(request())).toMatchObject({ kind: "error" });
  expect(await server.client.exists("r")).toBe(0);
});

test("trap 22: two clients with different lists of masters cannot both win", async () => {
  const servers = await Promise.all(Array.from({ length: 5 }, () => single.server()));
  const urls = servers.map(({ url }, index) => `${url}#${"abcde"[index]}`);
  const open = (members: readonly string[]) => {
    const guard = new Guard({ mode: "full", maxTtlMs: LONG_MS, members: membersOf(members) });
    const masters = createMasters(members, { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
    for (const master of masters) single.adopt(master);
    return masters;
  };
  const three = open(urls.slice(0, 3));
  await until(() => three.every((master) => master.status().state === "up"), "three nodes to be up");
  await Promise.all(three.map((master) => master.bootstrap()));
  const five = open(urls);
  await until(
    () => five.slice(0, 3).every((master) => master.status().condition === "config_mismatch"),
    "the mismatch",
  );
  for (const master of five.slice(0, 3)) {
    expect(await master.acquire(request())).toMatchObject({
      kind: "error",
      reason: expect.stringMatching(/list of masters/),
    });
    expect(master.status().faults.join()).toMatch(/name the same masters everywhere/);
  }
  for (const master of three) expect(await master.acquire(request())).toEqual({ kind: "granted" });
});
