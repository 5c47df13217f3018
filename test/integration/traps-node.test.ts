import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { Guard, MasterNode, systemClock, systemRandom } from "@/lib/redis";
import { Clocks } from "@/lib/redis/clocks";
import { nodeId, RedlockEngine } from "@/lib/redlock";
import { MasterWorld, RELEASE, request } from "../support/test-master";
import { until } from "../support/until";

// Nodes whose vote is worth less than it looks.

const world = new MasterWorld();
afterEach(() => world.clear());

function engineOver(masters: ReturnType<MasterWorld["masters"]>): RedlockEngine {
  const settings = { nodeTimeoutMs: 5000, retryCount: 0 };
  return new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings });
}

test("trap 23: one server under three names has one vote", async () => {
  const server = await world.server();
  const masters = world.masters([`${server.url}/0#a`, `${server.url}/1#b`, `${server.url}/2#c`]);
  const conditions = () => masters.map((master) => master.status().condition).join();
  await until(() => conditions() === "admitted,unsafe,unsafe", "the duplicates to be found");
  expect(await engineOver(masters).tryAcquire(["r"], 10_000)).toMatchObject({
    kind: "not_acquired",
    refusal: "quorum_unreachable",
  });
});

test.each([
  ["a node ten seconds ahead of the others", 10_000],
  ["a node an hour behind the others", -3_600_000],
])("%s has no vote, and none for a while after its clock is set right", async (_, aheadMs) => {
  const server = await world.server();
  const clocks = new Clocks();
  // What the two other nodes of the membership show: put there by hand, since the server's own clock is the machine's.
  const setOthers = (behindMs: number) => {
    const offsetMs = Date.now() - performance.now() - behindMs;
    for (const other of ["b", "c"]) clocks.report(nodeId(other), { ms: offsetMs, errorMs: 1 });
  };
  setOthers(aheadMs);
  const guard = new Guard({ mode: "full", maxTtlMs: 60_000, members: ["a", "b", "c"] });
  const node = new MasterNode({
    id: nodeId("a"),
    address: "a",
    database: 0,
    createClient: (safe) => new Redis({ port: server.port, ...safe }),
    nodeTimeoutMs: 5000,
    probeEveryMs: 50,
    clocks,
    guard,
  });
  world.adopt(node);
  await until(() => node.status().condition === "clock", "the clock to be noticed");
  await node.bootstrap();
  expect(await node.acquire(request())).toMatchObject({
    kind: "error",
    reason: expect.stringMatching(/clock is .* s/),
  });
  expect((await node.release(RELEASE)).kind).toBe("gone");
  await node.probe();
  setOthers(0);
  await until(async () => {
    const vote = await node.acquire(request());
    expect(vote.kind).not.toBe("granted");
    return vote.kind === "quarantined" && /clock was wrong/.test(vote.reason);
  }, "the quarantine");
  await until(() => node.status().condition === "quarantined", "the clock to be right again");
});

test("a wrong clock is known from the first contact on, before anything but the way for votes is open", async () => {
  const server = await world.server();
  const clocks = new Clocks();
  for (const other of ["b", "c"]) {
    clocks.report(nodeId(other), { ms: Date.now() - performance.now() - 10_000, errorMs: 1 });
  }
  const dead = await world.server();
  await dead.kill();
  const ports = [server.port, dead.port];
  const node = new MasterNode({
    id: nodeId("a"),
    address: "a",
    database: 0,
    // The first connection is that of the votes; the other could tell the time, but is never there.
    createClient: (safe) => new Redis({ port: ports.shift(), ...safe }),
    nodeTimeoutMs: 5000,
    probeEveryMs: 0,
    clocks,
  });
  world.adopt(node);
  await node.firstContact;
  expect(await node.acquire(request())).toMatchObject({
    kind: "error",
    reason: expect.stringMatching(/clock is 10\.0 s ahead/),
  });
  expect(await server.client.exists("r")).toBe(0);
});

test("trap 24: a majority out of memory takes no new lock, extends the one that is held, and one that evicts has no vote", async () => {
  const servers = await Promise.all([world.server(), world.server(), world.server()]);
  const masters = world.masters(servers.map(({ url }, index) => `${url}#${"abc"[index]}`));
  await until(() => masters.every((master) => master.status().condition === "admitted"), "the nodes to be admitted");
  const redlock = engineOver(masters);
  const lock = await redlock.acquire(["held"], 60_000);
  for (const { client } of servers.slice(0, 2)) await client.config("SET", "maxmemory", "1");
  expect((await redlock.tryAcquire(["new"], 10_000)).kind).toBe("not_acquired");
  await lock.extend(120_000);
  expect(lock.remaining()).toBeGreaterThan(60_000);
  await servers[0]?.client.config("SET", "maxmemory-policy", "allkeys-lru");
  await until(() => masters[0]?.status().condition === "unsafe", "the eviction policy to be noticed");
  await lock.release();
});
