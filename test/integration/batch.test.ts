import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReleaseRecipe } from "@/lib/layouts";
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

// Requests asked in the same turn go to a node together (lib/redis/batch.ts). None of them may notice.

const world = new MasterWorld();
let server: TestServer;
beforeEach(async () => {
  server = await world.server();
});
afterEach(() => world.clear());

describe("a batch", () => {
  test("is one call, and each request has its own answer", async () => {
    const node = await world.connected(server.url);
    await server.client.hset("foreign", "field", "value");
    await server.client.set("taken", "somebody", "PX", 30_000);
    await server.client.set("mine", token(3), "PX", 30_000);
    await makeCrowded(node);
    await server.client.config("RESETSTAT");
    const votes = await Promise.all([
      node.acquire(acquireOf("a", 0)),
      node.acquire(acquireOf("taken", 1)),
      node.acquire(acquireOf(["b", "foreign"], 2)),
      node.extend(acquireOf("mine", 3)),
      node.extend(acquireOf(["mine", "missing"], 3)),
      node.heal(acquireOf(["c", "d"], 4, { ttlMs: 20_000 })),
      node.release(releaseOf("gone", 5)),
      node.release(releaseOf("mine", 3)),
    ]);
    expect(await scriptCalls(server)).toBe(1);
    expect(votes).toMatchObject([
      { kind: "granted" },
      { kind: "refused", resource: "taken", foreignType: null },
      { kind: "refused", resource: "foreign", foreignType: "hash" },
      { kind: "extended" },
      { kind: "missing", resource: "missing" },
      { kind: "healed" },
      { kind: "gone" },
      { kind: "released" },
    ]);
    expect((await server.client.keys("*")).sort()).toEqual(["a", "c", "d", "foreign", "taken"]);
    expect(await server.client.pttl("c")).toBeLessThanOrEqual(20_000);
  });

  test("is none when a request is alone: it travels as if there were no batches", async () => {
    const node = await world.connected(server.url);
    await server.client.config("SET", "slowlog-log-slower-than", "0");
    await server.client.slowlog("RESET");
    await node.acquire(acquireOf("r", 7));
    await Promise.all([8, 9, 10].map((by) => node.acquire(acquireOf(`r${by}`, by))));
    await Promise.all([11, 12].map((by) => node.acquire(acquireOf(`r${by}`, by))));
    await node.acquire(acquireOf("s", 13));
    await node.acquire(acquireOf("s", 14));
    const log = (await server.client.slowlog("GET", 100)) as readonly [number, number, number, readonly string[]][];
    const seen = log.map(([, , , words]) => words).reverse();
    const calls = seen.filter(([command, , , key]) => command?.toUpperCase() === "EVALSHA" && key !== "_");
    // Script, number of keys, keys; a request alone begins with its token, a batch with where its runs begin.
    const where = expect.stringMatching(/^\d$/);
    expect(calls.map((words) => words.slice(2, 4 + Number(words[2])))).toEqual([
      ["1", "r", token(7)],
      // Sent at once: nothing told that others would follow.
      ["1", "r8", token(8)],
      ["2", "r9", "r10", where],
      ["2", "r11", "r12", where],
      ["1", "s", token(13)],
      ["1", "s", token(14)],
    ]);
  });

  test("keeps the order in which its requests were asked, those of one resource above all", async () => {
    const node = await world.connected(server.url);
    const votes = await Promise.all([
      node.acquire(acquireOf("r", 1)),
      node.acquire(acquireOf("r", 2)),
      node.release(releaseOf("r", 1)),
      node.acquire(acquireOf("r", 2)),
      node.release(releaseOf("r", 1)),
      node.extend(acquireOf("r", 2)),
      node.release(releaseOf("r", 2)),
      node.extend(acquireOf("r", 2)),
    ]);
    const expected = ["granted", "refused", "released", "granted", "refused", "extended", "released", "missing"];
    expect(votes.map(({ kind }) => kind)).toEqual(expected);
    expect(await server.client.exists("r")).toBe(0);
  });

  test("comes before whatever else is sent on its connection", async () => {
    const node = await world.connected(server.url);
    const deletion: ReleaseRecipe = {
      key: "r1",
      expects: [{ kind: "value", key: "r1", value: token(1) }],
      steps: [{ kind: "delete", key: "r1" }],
    };
    // So that the server knows its script, and one step is enough.
    await node.carryOut(deletion);
    await makeCrowded(node);
    const asked = acquireMany(node, 2);
    expect(await node.carryOut(deletion)).toEqual({ kind: "done" });
    expect(kinds(await Promise.all(asked))).toEqual(["granted"]);
    expect(await server.client.keys("*")).toEqual(["r0"]);
  });

  test("is sent before its connection is closed", async () => {
    const node = await world.connected(server.url);
    await Promise.all(acquireMany(node, 5));
    const released = releaseMany(node, 5);
    await node.close();
    expect(kinds(await Promise.all(released))).toEqual(["released"]);
    expect(await server.client.dbsize()).toBe(0);
  });

  test("of many is cut, so that no call keeps the server from others for long", async () => {
    const node = await world.connected(server.url);
    await makeCrowded(node);
    await server.client.config("RESETSTAT");
    expect(kinds(await Promise.all(acquireMany(node, 1000)))).toEqual(["granted"]);
    expect(await scriptCalls(server)).toBe(Math.ceil(1000 / 128));

    await server.client.config("RESETSTAT");
    const wide = (each: number) => upTo(50).map((index) => `wide${each}-${index}`);
    const votes = await Promise.all(upTo(20).map((each) => node.acquire(acquireOf(wide(each), each))));
    expect(kinds(votes)).toEqual(["granted"]);
    expect(await scriptCalls(server)).toBe(10);

    await server.client.config("RESETSTAT");
    await Promise.all(acquireMany(node, 64, "long".repeat(1000)));
    expect(await scriptCalls(server)).toBe(16);

    const huge = upTo(300).map((index) => `huge${index}`);
    const [first, second] = await Promise.all([node.acquire(acquireOf(huge, 1)), node.acquire(acquireOf("small", 2))]);
    expect([first?.kind, second?.kind]).toEqual(["granted", "granted"]);
    expect(await server.client.exists(...huge, "small")).toBe(301);
  });
});

describe("one request of a batch", () => {
  test("fails alone, and writes none of its keys", async () => {
    const node = await world.connected(server.url);
    await makeCrowded(node);
    const tooLong = { ttlMs: 2 ** 63 };
    const votes = await Promise.all([
      node.acquire(acquireOf("a", 1)),
      node.acquire(acquireOf(["b", "c"], 2, tooLong)),
      node.heal(acquireOf(["d", "e"], 3, tooLong)),
      node.acquire(acquireOf(["f", "g"], 4)),
      node.release(releaseOf("a", 1)),
    ]);
    expect(votes).toMatchObject([
      { kind: "granted" },
      { kind: "error", reason: expect.stringMatching(/out of range/) },
      { kind: "error", reason: expect.stringMatching(/out of range/) },
      { kind: "granted" },
      { kind: "released" },
    ]);
    expect((await server.client.keys("*")).sort()).toEqual(["f", "g"]);
  });

  test("that the server is out of memory for does not keep the others from what needs none", async () => {
    const node = await world.connected(server.url);
    await makeCrowded(node);
    await Promise.all(acquireMany(node, 2));
    await server.client.config("SET", "maxmemory", "1");
    const votes = await Promise.all([
      node.acquire(acquireOf(["x", "y"], 8)),
      node.extend(acquireOf("r0", 0, { ttlMs: 2 * TTL_MS })),
      node.release(releaseOf("r1", 1)),
    ]);
    expect(votes).toMatchObject([
      { kind: "error", reason: expect.stringMatching(/^OOM/) },
      { kind: "extended" },
      { kind: "released" },
    ]);
    await server.client.config("SET", "maxmemory", "0");
    expect(await server.client.keys("*")).toEqual(["r0"]);
  });

  test("for a key that the user may not touch harms none of the others", async () => {
    await server.client.call("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~ok:*");
    const node = await world.connected(server.url.replace("//", "//app:secret@"));
    await makeCrowded(node);
    const votes = await Promise.all([
      node.acquire(acquireOf("ok:1", 1)),
      node.acquire(acquireOf("other", 2)),
      node.acquire(acquireOf("ok:2", 3)),
      node.acquire(acquireOf("ok:3", 4)),
      node.release(releaseOf("ok:3", 4)),
    ]);
    expect(votes.slice(0, 3)).toMatchObject([
      { kind: "granted" },
      { kind: "error", reason: expect.stringMatching(/^NOPERM/) },
      { kind: "granted" },
    ]);
    expect((await server.client.keys("*")).sort()).toEqual(["ok:1", "ok:2"]);
  });

  test("that is cancelled in the same turn is not sent, the others are", async () => {
    const node = await world.connected(server.url);
    await makeCrowded(node);
    let isCancelled = false;
    const asked = [
      node.acquire(acquireOf("a", 1)),
      node.acquire(acquireOf("b", 2, { isCancelled: () => isCancelled })),
      node.acquire(acquireOf("c", 3)),
    ];
    isCancelled = true;
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(["granted", "unreachable", "granted"]);
    expect((await server.client.keys("*")).sort()).toEqual(["a", "c"]);
  });
});
