import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compareAndDelete, type ReleaseRecipe } from "@/lib/layouts";
import { fingerprintOf } from "@/lib/redis";
import { keyFromBytes } from "@/lib/redlock";
import { freePort, type TestServer } from "../support/redis-server";
import { MasterWorld, OTHER, RELEASE, request, TOKEN } from "../support/test-master";
import { until } from "../support/until";

const world = new MasterWorld();
let server: TestServer;
beforeEach(async () => {
  server = await world.server();
});
afterEach(() => world.clear());

describe("a dead node", () => {
  test("is unreachable at once, with the reason and the next step", async () => {
    const node = world.master(`redis://127.0.0.1:${await freePort()}#away`);
    await until(() => node.status().faults[0]?.includes("ECONNREFUSED") === true, "the first attempt to fail");
    expect(await node.acquire(request())).toEqual({
      kind: "unreachable",
      reason: "connection refused (ECONNREFUSED)",
    });
    expect((await node.read(["r"])).kind).toBe("unreachable");
    expect(node.status()).toMatchObject({
      state: "down",
      condition: "unreachable",
      lastAnswerMsAgo: null,
      faults: ["Connection refused (ECONNREFUSED): start the server, or correct its address."],
    });
  });

  test("votes again when it is back, in the database it was in", async () => {
    const node = await world.connected(`${server.url}/3#a`);
    await server.kill();
    await until(() => node.status().state === "down", "the node to be down");
    await server.restart();
    await until(() => node.status().state === "up", "the node to be up again");
    expect(await node.acquire(request())).toEqual({ kind: "granted" });
    await server.client.select(3);
    expect(await server.client.get("r")).toBe(TOKEN);
    await server.client.select(0);
    expect(await server.client.exists("r")).toBe(0);
  });

  test("closes promptly whatever state it is in", async () => {
    server.pause();
    const hung = world.master(server.url);
    const away = world.master(`redis://127.0.0.1:${await freePort()}#away`);
    await Promise.all([hung.close(), away.close()]);
    expect(await hung.acquire(request())).toMatchObject({ kind: "unreachable" });
    expect(await away.release(RELEASE)).toMatchObject({ kind: "unreachable" });
  });
});

describe("reading", () => {
  test("tells type, value and remaining time of every key, in one answer", async () => {
    const { client } = server;
    const odd = Buffer.from([0xff, 0x00, 0xfe]);
    await client.set("lock", TOKEN, "PX", 60_000);
    await client.set("stuck", Buffer.from([0x00, 0xff]));
    await client.set(odd, "x");
    await client.set("long", "x".repeat(1025));
    await client.zadd("zset", 1, "member");
    const node = await world.connected(server.url);
    const answer = await node.read(["lock", "stuck", keyFromBytes(odd), "long", "zset", "none"]);
    expect(answer).toMatchObject({
      kind: "readings",
      readings: [
        { resource: "lock", type: "string", value: Buffer.from(TOKEN), remainingMs: expect.any(Number) },
        { resource: "stuck", type: "string", value: Buffer.from([0x00, 0xff]), remainingMs: null },
        { resource: keyFromBytes(odd), type: "string", value: Buffer.from("x"), remainingMs: null },
        { resource: "long", type: "string", value: null, remainingMs: null },
        { resource: "zset", type: "zset", value: null, remainingMs: null },
        { resource: "none", type: "none", value: null, remainingMs: null },
      ],
    });
    expect(await node.read([])).toMatchObject({ kind: "readings", readings: [] });
  });

  test("scans every key that matches, each read", async () => {
    const pipeline = server.client.pipeline();
    for (let key = 0; key < 1000; key += 1) pipeline.set(`lock:${key}`, TOKEN);
    pipeline.set("other", "x");
    await pipeline.exec();
    const node = await world.connected(server.url);
    const found = new Set<string>();
    let cursor = "0";
    do {
      const page = await node.scan({ cursor, match: "lock:*", count: 100 });
      if (page.kind !== "page") throw new Error(page.kind);
      for (const { resource, value } of page.readings) {
        expect(value).toEqual(Buffer.from(TOKEN));
        found.add(resource);
      }
      cursor = page.cursor;
    } while (cursor !== "0");
    expect(found.size).toBe(1000);
    expect(found.has("other")).toBe(false);
  });

  test("names the holder of a lock by the same fingerprint as a refusal does", async () => {
    await server.client.set("r", OTHER);
    const node = await world.connected(server.url);
    expect(await node.acquire(request())).toMatchObject({ kind: "refused", holder: fingerprintOf(OTHER) });
  });

  test("does not carry a huge value over the network to refuse", async () => {
    await server.client.set("r", Buffer.alloc(8 * 1024 * 1024));
    const node = await world.connected(server.url);
    const before = await outputBytes();
    expect(await node.acquire(request())).toMatchObject({ kind: "refused", holder: null, foreignType: null });
    expect(await node.release(RELEASE)).toMatchObject({ kind: "refused" });
    expect((await outputBytes()) - before).toBeLessThan(1024 * 1024);
  });
});

async function outputBytes(): Promise<number> {
  return Number(/total_net_output_bytes:(\d+)/.exec(await server.client.info("stats"))?.[1]);
}

describe("compare and change", () => {
  const seen = Buffer.from([0xff, 0x00, 0x31]);

  test("deletes exactly what was seen", async () => {
    const node = await world.connected(server.url);
    await server.client.set("r", seen, "PX", 60_000);
    expect(await node.carryOut(recipeFor("something else"))).toEqual({ kind: "changed" });
    expect(await node.carryOut(recipeFor(seen.toString("latin1")))).toEqual({ kind: "done" });
    expect(await node.carryOut(recipeFor(seen.toString("latin1")))).toEqual({ kind: "gone" });
    await server.client.hset("r", "field", "value");
    expect(await node.carryOut(recipeFor(seen.toString("latin1")))).toEqual({ kind: "changed" });
    expect(await server.client.exists("r")).toBe(1);
  });

  test.each([60_000, null])("swaps exactly what was seen and keeps the remaining time (%s)", async (ttlMs) => {
    const node = await world.connected(server.url);
    if (ttlMs === null) await server.client.set("r", seen);
    else await server.client.set("r", seen, "PX", ttlMs);
    expect(await node.compareAndSwap("r", Buffer.from("x"), Buffer.from("new"))).toEqual({ kind: "changed" });
    expect(await node.compareAndSwap("r", seen, Buffer.from("new"))).toEqual({ kind: "done" });
    expect(await server.client.get("r")).toBe("new");
    const remaining = await server.client.pttl("r");
    if (ttlMs === null) expect(remaining).toBe(-1);
    else expect(remaining).toBeGreaterThan(ttlMs - 10_000);
    expect(remaining).toBeLessThanOrEqual(ttlMs ?? -1);
    expect(await node.compareAndSwap("free", seen, Buffer.from("new"))).toEqual({ kind: "gone" });
    expect(await server.client.exists("free")).toBe(0);
  });
});

function recipeFor(value: string): ReleaseRecipe {
  const release = compareAndDelete("r", value);
  if (release.kind === "refused") throw new Error(release.reason);
  return release.recipe;
}
