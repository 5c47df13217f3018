import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Redlock } from "@/lib/redis";
import { ResourceLockedError } from "@/lib/redlock";
import { startMeddlingProxy } from "../support/meddling-proxy";
import { freePort, startRedisServers, type TestServers } from "../support/redis-server";
import { until } from "../support/until";

// What an application that comes from node-redlock gets: ioredis clients or URLs in, the familiar verbs out.

let servers: TestServers;
const open: Redlock[] = [];
beforeAll(async () => {
  servers = await startRedisServers(3);
});
afterAll(() => servers.stop());
afterEach(async () => {
  await Promise.all(open.splice(0).map((redlock) => redlock.quit()));
  await Promise.all(servers.servers.map((server) => server.client.flushall()));
});

const wide = { nodeTimeoutMs: 1000, retryCount: 0 };

function redlockOn(clients: Iterable<Redis | string>, settings = wide): Redlock {
  const redlock = new Redlock(clients, settings);
  open.push(redlock);
  return redlock;
}

test("acquires at once, without a retry, on clients that are not connected yet", async () => {
  const redlock = redlockOn(servers.servers.map(({ port }) => new Redis(port)));
  let lock = await redlock.acquire(["r"], 5000);
  lock = await lock.extend(10_000);
  await expect(redlockOn(servers.servers.map(({ url }) => url)).acquire(["r"], 5000)).rejects.toThrow(
    ResourceLockedError,
  );
  expect((await redlock.release(lock)).kind).toBe("released");
  expect(await redlock.using(["r"], 5000, async () => "result")).toBe("result");
});

test("keeps the client's database, key prefix and login, whatever its own options", async () => {
  const [a, b, c] = servers.servers;
  if (!a || !b || !c) throw new Error("no servers");
  await a.client.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all");
  const clients = [
    new Redis({
      port: a.port,
      db: 3,
      keyPrefix: "app:",
      username: "app",
      password: "secret",
      enableOfflineQueue: true,
    }),
    new Redis({ port: b.port, db: 3, keyPrefix: "app:", maxRetriesPerRequest: 20 }),
    new Redis({ port: c.port, db: 3, keyPrefix: "app:", commandTimeout: 5, lazyConnect: true }),
  ];
  const redlock = redlockOn(clients);
  const lock = await redlock.acquire(["r"], 5000);
  for (const { client } of servers.servers) {
    await client.select(3);
    await until(async () => (await client.get("app:r")) === lock.token, "the key in database 3");
    await client.select(0);
    expect(await client.dbsize()).toBe(0);
  }
  await lock.release();
});

test("quit closes the given clients too, so that a program can end", async () => {
  const clients = servers.servers.map(({ port }) => new Redis(port));
  const redlock = new Redlock(clients, wide);
  await redlock.acquire(["r"], 5000);
  await redlock.quit();
  await until(() => clients.every((client) => client.status === "end"), "the given clients to end");
  await expect(redlock.acquire(["r"], 5000)).rejects.toThrow();
});

test("a majority is enough from the first call on; the node that is away is reported, but only to those who listen", async () => {
  const [a, b] = servers.servers;
  const away = `redis://127.0.0.1:${await freePort()}`;
  const redlock = redlockOn([a?.url ?? "", b?.url ?? "", away]);
  const lock = await redlock.acquire(["r"], 5000);
  await lock.release();
  const errors: string[] = [];
  redlock.on("error", (error) => errors.push(error.message));
  const proxy = await startMeddlingProxy(a?.port ?? 0);
  const other = redlockOn([proxy.url, b?.url ?? "", away]);
  other.on("error", (error) => errors.push(error.message));
  await other.acquire(["s"], 5000);
  await proxy.close();
  await until(() => errors.length > 0, "the loss to be reported");
  expect(errors[0]).toMatch(/^Node 127\.0\.0\.1:\d+: Connection closed|refused/);
});

test("a reply lost after the acquire landed leaves no key", async () => {
  const [a, b, c] = servers.servers;
  if (!a || !b || !c) throw new Error("no servers");
  const proxies = await Promise.all([startMeddlingProxy(a.port), startMeddlingProxy(b.port)]);
  try {
    const redlock = redlockOn([...proxies.map(({ url }) => url), c.url], { nodeTimeoutMs: 300, retryCount: 0 });
    await (await redlock.acquire(["warm"], 5000)).release();
    for (const proxy of proxies) proxy.hold("replies");
    const acquired = redlock.acquire(["r"], 60_000);
    await until(async () => (await a.client.exists("r")) === 1 && (await b.client.exists("r")) === 1, "it to land");
    for (const proxy of proxies) proxy.cutClients();
    await expect(acquired).rejects.toThrow();
    for (const { client } of servers.servers) {
      await until(async () => (await client.exists("r")) === 0, "the key to be gone");
    }
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
});

describe("refuses", () => {
  test.each([
    ["no client", () => new Redlock([])],
    ["a cluster", () => new Redlock([{ isCluster: true, duplicate: () => {} } as unknown as Redis])],
    ["something else", () => new Redlock([{} as unknown as Redis])],
    ["an address given twice", () => new Redlock(["redis://127.0.0.1:1", "redis://127.0.0.1:1"])],
    ["an even half as quorum", () => new Redlock(["redis://127.0.0.1:1", "redis://127.0.0.1:2"], { quorum: 1 })],
  ])("%s", (_name, make) => {
    expect(make).toThrow(/TypeError|node|client|quorum/);
  });
});
