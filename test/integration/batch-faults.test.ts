import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMasters, Guard, type MasterNode } from "@/lib/redis";
import {
  acquireMany,
  acquireOf,
  kinds,
  makeCrowded,
  releaseMany,
  releaseOf,
  scriptCalls,
  TTL_MS,
  token,
  upTo,
} from "../support/batch-requests";
import type { TestServer } from "../support/redis-server";
import { MasterWorld } from "../support/test-master";
import { until } from "../support/until";

// What can happen to a batch (lib/redis/batch.ts) happens to each request in it.

const world = new MasterWorld();
let server: TestServer;
beforeEach(async () => {
  server = await world.server();
});
afterEach(() => world.clear());

async function guarded(maxTtlMs: number): Promise<MasterNode> {
  const guard = new Guard({ mode: "full", maxTtlMs, members: ["a"] });
  const [node] = createMasters([`${server.url}#a`], { nodeTimeoutMs: 5000, probeEveryMs: 0, guard });
  if (node === undefined) throw new Error("no node");
  world.adopt(node);
  await until(() => node.status().state === "up", "the node to be up");
  await node.bootstrap();
  return node;
}

describe("a server that forgets its scripts", () => {
  test("between batches is told them again, unnoticed", async () => {
    const node = await world.connected(server.url);
    await makeCrowded(node);
    for (const _ of upTo(3)) {
      await server.client.script("FLUSH");
      expect(kinds(await Promise.all(acquireMany(node, 20)))).toEqual(["granted"]);
      await server.client.script("FLUSH");
      expect(kinds(await Promise.all(releaseMany(node, 20)))).toEqual(["released"]);
    }
    expect(await server.client.dbsize()).toBe(0);
  });

  test("is not told of those that were cancelled or released meanwhile", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    await makeCrowded(node);
    await server.client.script("FLUSH");
    await server.client.config("RESETSTAT");
    proxy.hold("replies");
    let isCancelled = false;
    const asked = [
      node.acquire(acquireOf("a", 1)),
      node.acquire(acquireOf("b", 2, { isCancelled: () => isCancelled })),
      node.acquire(acquireOf("c", 3)),
    ];
    await until(async () => (await scriptCalls(server)) > 0 && proxy.heldBytes() > 0, "the batch to be answered");
    isCancelled = true;
    const released = node.release(releaseOf("c", 3));
    proxy.deliver();
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(["granted", "unreachable", "unreachable"]);
    expect(await released).toEqual({ kind: "gone" });
    expect(await server.client.keys("*")).toEqual(["a"]);
  });
});

describe("a connection that is lost in the middle of a batch", () => {
  test.each(["requests", "replies"] as const)("(%s on their way) leaves no key behind", async (direction) => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    await makeCrowded(node);
    proxy.hold(direction);
    const asked = acquireMany(node, 200);
    await until(
      async () => (direction === "requests" ? proxy.heldBytes() > 0 : (await server.client.dbsize()) === 200),
      "the batch to be on its way",
    );
    proxy.cutClients();
    expect(kinds(await Promise.all(asked))).toEqual(["unreachable"]);
    expect(kinds(await Promise.all(releaseMany(node, 200)))).toEqual(["unreachable"]);
    expect(node.outstandingReleases).toBe(200);
    await until(() => node.status().state === "up", "the node to be connected again");
    await server.client.config("RESETSTAT");
    proxy.deliver();
    // What was held back is executed behind the releases, so these are repeated.
    if (direction === "requests") await until(async () => (await scriptCalls(server)) > 0, "the late batch");
    await until(async () => (await server.client.dbsize()) === 0, "the keys to be gone");
  });

  test("does each release of a lost batch again", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    await makeCrowded(node);
    await Promise.all(acquireMany(node, 50));
    proxy.hold("requests");
    const released = releaseMany(node, 50);
    await until(() => proxy.heldBytes() > 0, "the releases to be on their way");
    proxy.cutClients();
    expect(kinds(await Promise.all(released))).toEqual(["unreachable"]);
    await until(async () => (await server.client.dbsize()) === 0, "the keys to be gone");
    await until(() => node.outstandingReleases === 0, "the clean-up to be done");
  });
});

describe("a node that hangs with a full batch", () => {
  test("grants nothing when it wakes, and the releases leave nothing behind", async () => {
    const node = await world.connected(server.url, 50);
    await makeCrowded(node);
    server.pause();
    const asked = acquireMany(node, 300);
    await until(() => node.status().state === "down", "the node to be silent for long");
    const released = releaseMany(node, 300);
    server.resume();
    const votes = await Promise.all(asked);
    expect(kinds(votes)).toEqual(["error"]);
    for (const vote of votes) expect(vote).toMatchObject({ reason: expect.stringContaining("stale") });
    expect(kinds(await Promise.all(released))).toEqual(["gone"]);
    expect(await server.client.dbsize()).toBe(0);
  });

  test("refuses only those requests whose own time is over", async () => {
    const node = await world.connected(server.url, 10_000);
    await makeCrowded(node);
    server.pause();
    const short = node.acquire(acquireOf("short", 1, { ttlMs: 200 }));
    const asked = node.acquire(acquireOf("long", 2));
    const startedAt = performance.now();
    await until(() => performance.now() - startedAt > 300, "half of the shorter ttl to be over");
    server.resume();
    expect(await short).toMatchObject({ kind: "error", reason: expect.stringContaining("stale") });
    expect(await asked).toEqual({ kind: "granted" });
    expect(await server.client.keys("*")).toEqual(["long"]);
  });
});

describe("a batch under the restart guard", () => {
  test("is refused by a node that may have forgotten votes, but for its releases", async () => {
    const node = await guarded(TTL_MS);
    await makeCrowded(node);
    await server.client.flushall();
    await server.client.set("kept", token(9), "PX", TTL_MS);
    const votes = await Promise.all([
      node.acquire(acquireOf("a", 1)),
      node.release(releaseOf("kept", 9)),
      node.extend(acquireOf("b", 2)),
    ]);
    expect(votes.map(({ kind }) => kind)).toEqual(["quarantined", "released", "quarantined"]);
    expect(await server.client.exists("a", "kept")).toBe(0);
  });

  test("notes its longest ttl before it grants", async () => {
    const node = await guarded(1000);
    await makeCrowded(node);
    const ttls = [2000, 90_000, 3000];
    const votes = await Promise.all(ttls.map((ttlMs, each) => node.acquire(acquireOf(`r${each}`, each, { ttlMs }))));
    expect(kinds(votes)).toEqual(["granted"]);
    expect((await server.client.get("redlock:{guard}:node"))?.split("|")[3]).toBe("90000");
  });

  test("prolongs nothing beyond a ttl that could not be noted", async () => {
    const node = await guarded(TTL_MS);
    await makeCrowded(node);
    await Promise.all(acquireMany(node, 3));
    await server.client.config("SET", "maxmemory", "1");
    const votes = await Promise.all(
      upTo(3).map((each) => node.extend(acquireOf(`r${each}`, each, { ttlMs: 2 * TTL_MS }))),
    );
    expect(votes).toMatchObject(upTo(3).map(() => ({ kind: "error", reason: expect.stringMatching(/^OOM/) })));
    for (const each of upTo(3)) expect(await server.client.pttl(`r${each}`)).toBeLessThanOrEqual(TTL_MS);
  });
});
