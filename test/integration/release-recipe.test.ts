import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KNOWN_LAYOUTS, type ReleaseRecipe } from "@/lib/layouts";
import { asSighting, type MasterNode } from "@/lib/redis";
import type { TestServer } from "../support/redis-server";
import { MasterWorld } from "../support/test-master";

const world = new MasterWorld();
let server: TestServer;
let node: MasterNode;
beforeAll(async () => {
  server = await world.server();
  node = await world.connected(server.url);
});
beforeEach(() => server.client.flushall());
afterAll(() => world.clear());

const CLIENT = "6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c";
const OTHER = "11111111-2222-4333-8444-555555555555";

/** How to release what is there now. */
async function recipeFor(key: string): Promise<ReleaseRecipe> {
  const answer = await node.read([key]);
  const [reading] = answer.kind === "readings" ? answer.readings : [];
  const release = reading === undefined ? undefined : KNOWN_LAYOUTS.identify(asSighting(reading))?.release();
  if (release?.kind !== "recipe") throw new Error(`no recipe for ${key}`);
  return release.recipe;
}

test("a reader who comes after the look stays, with the lock", async () => {
  const { client } = server;
  await client.hset("orders", "mode", "read", `${CLIENT}:42`, "1");
  const recipe = await recipeFor("orders");
  await client.hset("orders", `${OTHER}:7`, "1");
  await client.pexpire("orders", 30_000);
  expect(await node.carryOut(recipe)).toEqual({ kind: "done" });
  expect(await client.hgetall("orders")).toEqual({ mode: "read", [`${OTHER}:7`]: "1" });
  expect(await client.pttl("orders")).toBeGreaterThan(0);
  expect(await node.carryOut(recipe)).toEqual({ kind: "changed" });
});

test("nothing at all is done when one expectation fails", async () => {
  const { client } = server;
  const [token, other] = [`${"S".repeat(43)}=`, `${"T".repeat(43)}=`];
  await client.zadd("res", 1, token, 2, other);
  const recipe = await recipeFor("res");
  await client.zrem("res", other);
  expect(await node.carryOut(recipe)).toEqual({ kind: "changed" });
  expect(await client.zrange("res", "0", "-1")).toEqual([token]);
  await client.del("res");
  expect(await node.carryOut(recipe)).toEqual({ kind: "gone" });
  await client.set("res", token);
  expect(await node.carryOut(recipe)).toEqual({ kind: "changed" });
});

test("one lock of several in a Redisson multi-lock hash that changed hands is left with the others", async () => {
  const { client } = server;
  const entry = (name: string, owner: string) => [
    ...[name, owner],
    ...[`${name}:${owner}:expire_time`, "1764550000000"],
    ...[`${name}:lock_count`, "1"],
  ];
  await client.hset("orders", ...entry("A==", `${CLIENT}:1`), ...entry("B==", `${CLIENT}:1`));
  const recipe = await recipeFor("orders");
  await client.hset("orders", "A==", `${OTHER}:9`);
  expect(await node.carryOut(recipe)).toEqual({ kind: "changed" });
  await client.hset("orders", "A==", `${CLIENT}:1`);
  await client.hset("orders", ...entry("C==", `${OTHER}:9`));
  expect(await node.carryOut(recipe)).toEqual({ kind: "done" });
  expect(Object.keys(await client.hgetall("orders")).filter((field) => !field.startsWith("C=="))).toEqual([]);
  expect(await client.hlen("orders")).toBe(3);
});

test("readers of .NET leave the set one by one", async () => {
  const machine = `WEB-01_4711_${"0f".repeat(16)}`;
  await server.client.sadd("res.readers", machine);
  const recipe = await recipeFor("res.readers");
  await server.client.sadd("res.readers", "WEB-02_1_x");
  expect(await node.carryOut(recipe)).toEqual({ kind: "done" });
  expect(await server.client.smembers("res.readers")).toEqual(["WEB-02_1_x"]);
});

test("a script of many steps, and a token of raw bytes", async () => {
  const { client } = server;
  const readers = Array.from({ length: 15 }, (_, index) => [`${CLIENT}:${index}`, "64"]).flat();
  await client.hset("orders", "mode", "read", ...readers);
  await client.set(`{orders}:${CLIENT}:14:rwlock_timeout:64`, "1");
  expect(await node.carryOut(await recipeFor("orders"))).toEqual({ kind: "done" });
  expect(await client.dbsize()).toBe(0);
  await client.set("raw", Buffer.from("00ff".repeat(10), "hex"));
  expect(await node.carryOut(await recipeFor("raw"))).toEqual({ kind: "done" });
});

test("a login that may not publish releases all the same", async () => {
  await server.client.call("ACL", "SETUSER", "console", "on", ">secret", "~*", "+@all", "resetchannels");
  const restricted = await world.connected(server.url.replace("redis://", "redis://console:secret@"));
  await server.client.hset("orders", `${CLIENT}:42`, "1");
  expect(await restricted.carryOut(await recipeFor("orders"))).toEqual({ kind: "done" });
  expect(await server.client.exists("orders")).toBe(0);
});
