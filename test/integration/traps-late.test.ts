import { afterEach, expect, test } from "vitest";
import { createMasters, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import type { TestServer } from "../support/redis-server";
import { MasterWorld, request, untilVoting } from "../support/test-master";
import { until } from "../support/until";

// Requests that reach a server after their sender has given up must do nothing: no ghost locks.

const TIME_LIMIT_MS = 200;

const world = new MasterWorld();
afterEach(() => world.clear());

/** How many scripts the server has run, or tried to. */
async function scriptsRun({ client }: TestServer): Promise<number> {
  const stats = await client.info("commandstats");
  const counts = [...stats.matchAll(/cmdstat_(?:eval|evalsha):calls=(\d+)/g)];
  return counts.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

test.each([
  ["warm", false],
  ["cold", true],
])("trap 16: a frozen node with %s scripts that wakes after the sender is gone grants nothing", async (_, isCold) => {
  const server = await world.server();
  const [node] = createMasters([server.url], { nodeTimeoutMs: TIME_LIMIT_MS, probeEveryMs: 0 });
  if (node === undefined) throw new Error("no node");
  world.adopt(node);
  await untilVoting(node);
  if (isCold) await server.client.script("FLUSH");
  const before = await scriptsRun(server);
  server.pause();
  const startedAt = performance.now();
  const vote = node.acquire(request());
  // The sender dies: nothing will ever release what it asked for.
  await node.close();
  expect((await vote).kind).toBe("unreachable");
  await until(() => performance.now() - startedAt > 2 * TIME_LIMIT_MS, "the time limit to be over");
  server.resume();
  await until(async () => (await scriptsRun(server)) > before, "the server to have met the request");
  expect(await server.client.exists("r")).toBe(0);
});

test("trap 17: three frozen nodes, give up, close, resume: the lock is free at once", async () => {
  const servers = await Promise.all(Array.from({ length: 5 }, () => world.server()));
  const urls = servers.map(({ url }) => url);
  const open = (nodeTimeoutMs: number) => {
    const masters = createMasters(urls, { nodeTimeoutMs, probeEveryMs: 50 });
    for (const master of masters) world.adopt(master);
    const settings = { nodeTimeoutMs, retryCount: 0 };
    return { masters, engine: new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings }) };
  };
  const first = open(TIME_LIMIT_MS);
  await until(() => first.masters.every((master) => master.status().state === "up"), "the nodes to be up");
  for (const server of servers.slice(0, 3)) server.pause();
  const outcome = await first.engine.tryAcquire(["r"], 60_000);
  expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
  await Promise.all(first.masters.map((master) => master.close()));
  for (const server of servers.slice(0, 3)) server.resume();
  const second = open(5000);
  await until(() => second.masters.every((master) => master.status().state === "up"), "the nodes to be back");
  expect((await second.engine.tryAcquire(["r"], 60_000)).kind).toBe("acquired");
});

test("a server that was slow to tell its clock is asked for no vote until it was quick", async () => {
  const server = await world.server();
  const proxy = await world.proxy(server);
  server.pause();
  const node = world.master(proxy.url, TIME_LIMIT_MS);
  await until(() => proxy.connections === 2, "both connections");
  const connectedAt = performance.now();
  await until(() => performance.now() - connectedAt > 700, "the first answers to be slow");
  // What is asked from now on does not arrive, so the clock is known by the slow answers alone.
  proxy.hold("requests");
  server.resume();
  await until(() => node.status().state !== "down", "the node to be open");
  const askedAt = performance.now();
  const vote = await node.acquire(request());
  expect(vote).toMatchObject({ kind: "error", reason: expect.stringContaining("slow to tell its clock") });
  await until(() => performance.now() - askedAt > 2 * TIME_LIMIT_MS, "the time limit to be over");
  const before = await scriptsRun(server);
  proxy.deliver();
  await until(async () => (await node.acquire(request())).kind === "granted", "a vote after a quick answer");
  expect(await scriptsRun(server)).toBe(before + 1);
});

test("a vote that is asked too late is refused by the server, and the next one counts", async () => {
  const server = await world.server();
  const node = await world.connected(server.url, TIME_LIMIT_MS);
  server.pause();
  const late = node.acquire(request());
  const startedAt = performance.now();
  await until(() => performance.now() - startedAt > 2 * TIME_LIMIT_MS, "the time limit to be over");
  server.resume();
  expect(await late).toMatchObject({ kind: "error", reason: expect.stringContaining("stale") });
  await until(async () => (await node.acquire(request())).kind === "granted", "the next vote");
});
