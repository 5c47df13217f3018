import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { KeyReading, MasterNode } from "@/lib/redis";
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

async function read(key: string): Promise<KeyReading> {
  const answer = await node.read([key]);
  const [reading] = answer.kind === "readings" ? answer.readings : [];
  if (reading === undefined) throw new Error(`no reading: ${JSON.stringify(answer)}`);
  return reading;
}

const wordsOf = async (key: string) => (await read(key)).elements?.words.map(String);

test("reads what is in a hash, sorted set, list and set", async () => {
  const { client } = server;
  await client.hset("hash", "client:42", "2");
  await client.zadd("zset", 20, "second", 10.5, "first");
  await client.rpush("list", "head", "tail");
  await client.sadd("set", "member");
  await client.xadd("stream", "*", "a", "b");
  expect(await read("hash")).toMatchObject({ type: "hash", value: null, elements: { size: 1 } });
  expect(await wordsOf("hash")).toEqual(["client:42", "2"]);
  expect(await wordsOf("zset")).toEqual(["first", "10.5", "second", "20"]);
  expect(await wordsOf("list")).toEqual(["head", "tail"]);
  expect(await wordsOf("set")).toEqual(["member"]);
  expect(await read("stream")).toMatchObject({ type: "stream", value: null, elements: null });
});

test("a scan reads them too, and members are bytes", async () => {
  await server.client.zadd("zset", 1, Buffer.from([0x00, 0xff]));
  expect(await node.scan({ cursor: "0", match: "*", count: 10 })).toMatchObject({
    kind: "page",
    readings: [{ resource: "zset", elements: { size: 1, words: [Buffer.from([0x00, 0xff]), Buffer.from("1")] } }],
  });
});

test("reads no more than is needed to tell a lock by", async () => {
  const { client } = server;
  const many = Array.from({ length: 40 }, (_, index) => index);
  await client.hset("readers", "mode", "read", ...many.flatMap((index) => [`reader:${index}`, "1"]));
  await client.hset("session", ...many.flatMap((index) => [`field:${index}`, "x"]));
  await client.sadd("set", ...many);
  await client.zadd("zset", ...many.flatMap((index) => [index, `m${index}`]));
  await client.hset("large", "field", "x".repeat(100_000));
  await client.rpush("long", ...many.map(() => "x".repeat(1000)));
  expect(await read("readers")).toMatchObject({ elements: { size: 41 } });
  expect(await wordsOf("readers")).toEqual(["mode", "read"]);
  expect(await wordsOf("session")).toEqual([]);
  expect(await read("set")).toMatchObject({ elements: { size: 40, words: [] } });
  expect((await read("zset")).elements?.words).toHaveLength(32);
  expect(await wordsOf("large")).toEqual(["field", ""]);
  expect((await read("long")).elements).toMatchObject({ size: 40, words: Array(4).fill(expect.any(Buffer)) });
});
