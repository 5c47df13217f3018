import { afterEach, describe, expect, test } from "vitest";
import { duplicatesOf, type MasterNode } from "@/lib/redis";
import { asToken } from "@/lib/redlock";
import { MasterWorld, RELEASE, request, untilState } from "../support/test-master";
import { until } from "../support/until";

// What a node says about itself, and what its vote is worth for that.

const world = new MasterWorld();
afterEach(() => world.clear());

test("a plain master is up and admitted, and tells what it is", async () => {
  const server = await world.server();
  await server.client.set("key", "value");
  const node = world.master(`${server.url}#one`);
  await untilState(node, "up");
  await node.probe();
  const status = node.status();
  expect(node).toMatchObject({ id: "one", address: `127.0.0.1:${server.port}`, database: 0 });
  expect(status).toMatchObject({
    state: "up",
    condition: "admitted",
    quarantinedForMs: 0,
    role: "master",
    version: expect.stringMatching(/^(valkey )?\d+\.\d+\.\d+$/),
    runId: expect.stringMatching(/^[0-9a-f]{40}$/),
    persistence: "none",
    evictionPolicy: "noeviction",
    keys: 1,
    faults: [],
  });
  // One machine, one clock; the rest is how well a busy machine lets us measure.
  expect(Math.abs(status.clockOffsetMs ?? Number.NaN)).toBeLessThan(500);
  expect(status.lastAnswerMsAgo).toBeLessThan(5000);
});

test.each([
  [["--appendonly", "yes", "--appendfsync", "always"], "aof always"],
  [["--appendonly", "yes", "--appendfsync", "everysec"], "aof everysec"],
  [["--save", "3600 1"], "rdb"],
])("with %j persistence reads %s", async (args, persistence) => {
  const node = world.master((await world.server(...args)).url);
  await untilState(node, "up");
  expect(node.status().persistence).toBe(persistence);
});

describe("a node whose vote must not count", () => {
  async function expectUnsafe(node: MasterNode, fault: RegExp): Promise<void> {
    await until(() => node.status().condition === "unsafe", "the node to be found unsafe");
    expect(node.status().faults.join()).toMatch(fault);
    expect(await node.acquire(request())).toMatchObject({ kind: "error" });
    expect(await node.extend(request())).toMatchObject({ kind: "error" });
    expect(await node.heal(request())).toMatchObject({ kind: "error" });
  }

  test("a replica", async () => {
    const primary = await world.server();
    const replica = await world.server("--replicaof", `127.0.0.1 ${primary.port}`);
    await expectUnsafe(world.master(replica.url), /Role is slave, not master: name an independent master instead\./);
  });

  test("a master that is demoted while we are connected", async () => {
    const primary = await world.server();
    const server = await world.server();
    const node = world.master(server.url);
    await untilState(node, "up");
    await server.client.replicaof("127.0.0.1", String(primary.port));
    await expectUnsafe(node, /not master/);
    await server.client.replicaof("NO", "ONE");
    await until(() => node.status().condition === "admitted", "the node to be admitted again");
    expect(await node.acquire(request())).toEqual({ kind: "granted" });
  });

  test("a node in cluster mode", async () => {
    await expectUnsafe(world.master((await world.server("--cluster-enabled", "yes")).url), /cluster mode is on/i);
  });

  test("a node that may evict locks", async () => {
    const server = await world.server("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru");
    await expectUnsafe(
      world.master(server.url),
      /volatile-lru, so locks may be evicted: CONFIG SET maxmemory-policy noeviction/,
    );
  });

  test("a second name for the same server, also for another database of it; the first keeps its vote", async () => {
    const server = await world.server();
    const other = await world.server();
    const [a, b, c] = world.masters([`${server.url}/0#a`, `${server.url}/1#b`, `${other.url}#c`]);
    if (!a || !b || !c) throw new Error("no masters");
    await untilState(a, "up");
    await untilState(c, "up");
    await expectUnsafe(b, /The same server as node a/);
    expect([a.status().condition, c.status().condition]).toEqual(["admitted", "admitted"]);
    expect(duplicatesOf([a, b, c])).toEqual([
      { node: "b", twin: "a", fault: "Nodes a and b are the same server: name another master instead of b." },
    ]);
  });
});

describe("a node in trouble says so in its own words", () => {
  test("out of memory: no grant, but an extension and a release", async () => {
    const server = await world.server("--maxmemory", "100mb");
    const node = world.master(server.url);
    await untilState(node, "up");
    await node.acquire(request());
    await server.client.config("SET", "maxmemory", "1");
    expect(await node.acquire({ ...request(), resources: ["other"] })).toMatchObject({
      kind: "error",
      reason: expect.stringContaining("OOM"),
    });
    expect(await node.extend({ ...request(), ttlMs: 120_000 })).toEqual({ kind: "extended" });
    await until(() => node.status().condition === "degraded", "the node to be degraded");
    expect(node.status().faults.join()).toContain("raise maxmemory");
    expect(await node.release(RELEASE)).toEqual({ kind: "released" });
  });

  test("busy with a script", async () => {
    const server = await world.server("--lua-time-limit", "20");
    const node = world.master(server.url);
    await untilState(node, "up");
    const blocker = server.client.duplicate();
    blocker.on("error", () => {});
    const blocked = blocker.eval("while true do end", 0).catch(() => "killed");
    await until(async () => (await node.acquire(request())).kind === "error", "the server to be busy");
    expect(await node.acquire(request())).toMatchObject({ kind: "error", reason: expect.stringContaining("BUSY") });
    await until(() => node.status().condition === "degraded", "the node to be degraded");
    expect(node.status().faults.join()).toContain("SCRIPT KILL");
    await server.client.script("KILL");
    expect(await blocked).toBe("killed");
    blocker.disconnect();
    await until(() => node.status().condition === "admitted", "the node to be admitted again");
  });

  test("a release that the server refused is tried again until it is done", async () => {
    const server = await world.server("--lua-time-limit", "20");
    const node = world.master(server.url);
    await untilState(node, "up");
    await node.acquire(request());
    const blocker = server.client.duplicate();
    blocker.on("error", () => {});
    const blocked = blocker.eval("while true do end", 0).catch(() => "killed");
    // Not ours, so that it does not release it.
    const probe = { resources: ["other"], token: asToken("x"), keepTryingForMs: 0 };
    await until(async () => (await node.release(probe)).kind === "error", "the server to be busy");
    expect(await node.release(RELEASE)).toMatchObject({ kind: "error" });
    await server.client.script("KILL");
    await blocked;
    blocker.disconnect();
    await until(async () => (await server.client.exists("r")) === 0, "the key to be gone");
  });
});
