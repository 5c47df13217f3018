import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { forceExpireAnswerSchema } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { dataOf, errorOf } from "../support/api";
import { apiConsole } from "../support/api-console";
import { until } from "../support/until";

// Locks of other languages, written byte for byte as their clients do, and what such a client would hear when it waits.

const { act, detail, list, server } = apiConsole(3);
const CLIENT = "6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c";
const clientOn = (index: number) => CLIENT.replace("6f0829ed", `6f0829e${index}`);

let waiter: Redis;
let heard: string[];
beforeAll(() => {
  waiter = new Redis(server("a").url);
  waiter.on("message", (channel: string, message: string) => heard.push(`${channel} ${message}`));
});
afterEach(() => waiter.unsubscribe());
afterAll(() => waiter.disconnect());

async function listen(...channels: readonly string[]): Promise<void> {
  heard = [];
  await waiter.subscribe(...channels);
}

async function forced(resource: string) {
  const { holder } = await detail(resource);
  const body = { fingerprint: holder?.fingerprint, reason: "stuck job" };
  return dataOf(act(resource, "force-expire", body), forceExpireAnswerSchema);
}

/** Writes on every server. @param write gets the server's number too */
function everywhere(write: (client: Redis, index: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all([..."abc"].map((name, index) => write(server(name).client, index)));
}

test("a Redisson RedLock is one held lock though each server knows another client, and its waiters are woken", async () => {
  await everywhere(async (client, index) => {
    await client.hset("orders", `${clientOn(index)}:42`, "1");
    await client.pexpire("orders", 30_000);
  });
  await listen("redisson_lock__channel:{orders}");
  const lock = await detail("orders");
  expect(lock).toMatchObject({
    verdict: "held",
    votes: 3,
    layout: { id: "redisson-lock", confidence: "certain" },
    holder: { label: "client 6f0829e0, thread 42" },
    waiters: { visible: true, count: 1, order: null },
    nodes: [{ type: "hash" }, { type: "hash" }, { type: "hash" }],
  });
  expect(await forced("orders")).toMatchObject({ outcome: "expired", freeFromMs: 0 });
  await until(() => heard.length > 0, "the message to the waiters");
  expect(heard).toEqual(["redisson_lock__channel:{orders} 0"]);
  expect(await detail("orders")).toMatchObject({ verdict: "free" });
});

test("a Redisson RedLock can be forced while the node is silent whose fingerprint it was shown by", async () => {
  await everywhere((client, index) => client.hset("orders", `${clientOn(index)}:42`, "1"));
  const { holder } = await detail("orders");
  server("a").pause();
  try {
    await until(async () => (await detail("orders")).nodes[0]?.reading === "unknown", "the node to be silent");
    expect((await detail("orders")).holder).toEqual(holder);
    const body = { fingerprint: holder?.fingerprint, reason: "stuck job" };
    const answer = await dataOf(act("orders", "force-expire", body), forceExpireAnswerSchema);
    expect(answer).toMatchObject({ outcome: "partial", freeFromMs: 0 });
    expect(answer.nodes.map(({ result }) => result)).toEqual(["unreachable", "deleted", "deleted"]);
  } finally {
    // Before the hook below, which talks to it.
    server("a").resume();
  }
});

test("another thread's Redisson lock on one server is split off, and left alone", async () => {
  await everywhere((client, index) => client.hset("orders", `${clientOn(index)}:${index === 2 ? 7 : 42}`, "1"));
  expect(await detail("orders")).toMatchObject({ verdict: "at_risk", votes: 2 });
  const answer = await forced("orders");
  expect(answer.nodes.map(({ result }) => result)).toEqual(["deleted", "deleted", "changed"]);
  expect(await server("c").client.exists("orders")).toBe(1);
});

test("the queue of a Redisson fair lock is shown in its order, and its head alone is woken", async () => {
  const { client } = server("a");
  const line = [`${clientOn(1)}:7`, `${clientOn(2)}:8`];
  await client.hset("orders", `${CLIENT}:42`, "1");
  await client.rpush("redisson_lock_queue:{orders}", ...line);
  await client.zadd("redisson_lock_timeout:{orders}", 1, line[0] ?? "", 2, line[1] ?? "");
  await client.set("redisson_lock_token:{orders}", "17");
  await listen("redisson_lock__channel:{orders}", ...line.map((one) => `redisson_lock__channel:{orders}:${one}`));
  expect((await detail("orders")).waiters).toMatchObject({
    visible: true,
    count: 2,
    order: ["client 6f0829e1, thread 7", "client 6f0829e2, thread 8"],
  });
  await forced("orders");
  await until(() => heard.length > 0, "the message to the head of the queue");
  expect(heard).toEqual([`redisson_lock__channel:{orders}:${line[0]} 0`]);
  expect(await client.get("redisson_lock_token:{orders}")).toBe("17");
  expect((await list()).locks).toEqual([]);
});

test("a reader of a Redisson lock is taken out with its keys, but not when another one came meanwhile", async () => {
  const { client } = server("a");
  const reader = `${CLIENT}:42`;
  const timeout = `{orders}:${reader}:rwlock_timeout:1`;
  await client.hset("orders", "mode", "read", reader, "1");
  await client.set(timeout, "1", "PX", 30_000);
  await listen("redisson_rwlock:{orders}");
  const { holder } = await detail("orders");
  await client.hset("orders", `${clientOn(1)}:7`, "1");
  const body = { fingerprint: holder?.fingerprint, reason: "stuck job" };
  expect(await errorOf(act("orders", "force-expire", body))).toMatchObject({ code: "lock_changed" });
  await client.hdel("orders", `${clientOn(1)}:7`);
  expect(await forced("orders")).toMatchObject({ outcome: "expired" });
  await until(() => heard.length > 0, "the message to the waiters");
  expect(heard).toEqual(["redisson_rwlock:{orders} 0"]);
  expect(await client.exists("orders", timeout)).toBe(0);
});

test("a writer of a Redisson lock is taken out, and readers and writers are woken", async () => {
  await server("a").client.hset("orders", "mode", "write", `${CLIENT}:42:write`, "1");
  await listen("redisson_rwlock:{orders}");
  await forced("orders");
  await until(() => heard.length > 0, "the message to the waiters");
  expect(heard).toEqual(["redisson_rwlock:{orders} 1"]);
});

test("whoever waits in python-redis-lock is seen, and woken by its signal", async () => {
  const blocked = new Redis(server("a").url);
  try {
    await server("a").client.set("lock:report", "AbCdEfGhIjKlMnOpQrSt+/12", "EX", 30);
    const popped = blocked.blpop("lock-signal:report", 30);
    await until(async () => (await detail("lock:report")).waiters.count === 1, "the waiter to be seen");
    await forced("lock:report");
    expect(await popped).toEqual(["lock-signal:report", "1"]);
    expect((await list()).locks).toEqual([]);
  } finally {
    blocked.disconnect();
  }
});

test("Spring's registry hears of the key on its channel", async () => {
  const key = "jobs:nightly";
  await server("a").client.set(key, CLIENT, "PX", 60_000);
  expect((await detail(key)).waiters.visible).toBe(false);
  await listen("jobs-channel");
  expect((await detail(key)).waiters).toMatchObject({ visible: true, count: 1 });
  await forced(key);
  await until(() => heard.length > 0, "the message to the registry");
  expect(heard).toEqual([`jobs-channel ${key}`]);
});

test("a Symfony lock loses the token that was seen and its mark of a writer", async () => {
  const token = `${"S".repeat(43)}=`;
  await everywhere((client) => client.zadd("res", 1, token, "1", "__write__"));
  expect(await detail("res")).toMatchObject({ verdict: "held", holder: { label: "held alone" } });
  expect(await forced("res")).toMatchObject({ outcome: "expired" });
  expect(await server("b").client.exists("res")).toBe(0);
});

test("the queue of redlock4j's fair lock is shown by fingerprints without the holder, who is taken out of it", async () => {
  const holder = "0a".repeat(20);
  const next = "0b".repeat(20);
  await everywhere(async (client) => {
    await client.set("orders", holder, "PX", 60_000);
    await client.zadd("orders:queue", 1, holder, 2, next);
  });
  const { waiters } = await detail("orders");
  expect(waiters).toMatchObject({ visible: true, count: 1, order: [fingerprintOf(next)] });
  await forced("orders");
  expect(await server("c").client.zrange("orders:queue", "0", "-1")).toEqual([next]);
  expect((await list()).locks).toEqual([]);
});

test.each([
  ["semaphore:pool", (client: Redis) => client.zadd("semaphore:pool", 1_764_550_000_000, CLIENT)],
  ["pool:readers", (client: Redis) => client.set("pool:readers", "3", "PX", 60_000)],
  [
    "uniquejobs:0123456789abcdef0123456789abcdef:LOCKED",
    (client: Redis) => client.hset("uniquejobs:0123456789abcdef0123456789abcdef:LOCKED", "jid", "1764550000.1"),
  ],
])("%s is not released from outside", async (key, write) => {
  await everywhere(write);
  const { holder, layout } = await detail(key);
  expect(layout).not.toBeNull();
  const body = { fingerprint: holder?.fingerprint, reason: "stuck job" };
  const error = await errorOf(act(key, "force-expire", body));
  expect(error).toMatchObject({ status: 409, code: "layout_refused" });
  expect(await server("a").client.exists(key)).toBe(1);
});

test("a lock that is more than a token cannot be revoked, only forced", async () => {
  await server("a").client.hset("orders", `${CLIENT}:42`, "1");
  const { holder } = await detail("orders");
  const error = await errorOf(act("orders", "revoke", { fingerprint: holder?.fingerprint, reason: "stuck job" }));
  expect(error).toMatchObject({
    status: 409,
    code: "layout_refused",
    message: expect.stringContaining("Force-expire"),
  });
});
