import { afterEach, expect, test } from "vitest";
import { apiConsole } from "../support/api-console";
import { until } from "../support/until";

// "Why can't I acquire this?", for the reasons that can be made real on real servers.

const { acquire, detail, server, setByHand } = apiConsole(5);
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const heal of undo.splice(0)) await heal();
});

const obstacleOn = async (node: string) => (await detail("wanted")).obstacles.find((one) => one.node === node);

/** Waits until the node's obstacle says so; a node is asked how it is once a second. */
async function untilReason(node: string, reason: RegExp): Promise<void> {
  await until(async () => reason.test((await obstacleOn(node))?.reason ?? ""), `${node} to say ${reason}`);
}

test("a free lock could be had now", async () => {
  const { obstacles, nextChance } = await detail("wanted");
  expect(obstacles.map(({ canAcquire, freeInMs }) => ({ canAcquire, freeInMs }))).toEqual(
    Array(5).fill({ canAcquire: true, freeInMs: 0 }),
  );
  expect(nextChance).toMatchObject({ inMs: 0, text: expect.stringContaining("5 of 5 nodes") });
});

test("another's token: when its time is over on a majority", async () => {
  await setByHand("wanted", "ab");
  await server("c").client.set("wanted", "x".repeat(40), "PX", 5000);
  const { nextChance } = await detail("wanted");
  expect(nextChance.inMs).toBeGreaterThan(0);
  expect(nextChance.inMs).toBeLessThanOrEqual(5000);
  await server("c").client.persist("wanted");
  const longer = (await detail("wanted")).nextChance;
  expect(longer.inMs).toBeGreaterThan(30_000);
});

test("keys without expiry, of another type, and a silent node: not by itself", async () => {
  await server("a").client.set("wanted", "x".repeat(40));
  await server("b").client.hset("wanted", "field", "1");
  server("c").pause();
  await untilReason("c", /^Nothing is known/);
  expect(await obstacleOn("a")).toMatchObject({
    canAcquire: false,
    freeInMs: null,
    reason: expect.stringContaining("never expires"),
  });
  expect(await obstacleOn("b")).toMatchObject({ reason: "Holds a key of type hash, which never expires." });
  expect(await obstacleOn("c")).toMatchObject({ canAcquire: null, freeInMs: null });
  expect((await detail("wanted")).nextChance).toMatchObject({
    inMs: null,
    text: expect.stringContaining("a, b, c of 5 nodes"),
  });
});

test("out of memory, a read-only replica, and a user without permission, each with what to do", async () => {
  const [a, b, c] = [server("a").client, server("b").client, server("c").client];
  undo.push(
    () => a.config("SET", "maxmemory", "0"),
    () => b.replicaof("NO", "ONE"),
    () => c.call("ACL", "SETUSER", "default", "+@all"),
  );
  await a.config("SET", "maxmemory", "1");
  await b.replicaof("127.0.0.1", String(server("e").port));
  await c.call("ACL", "SETUSER", "default", "-set");
  expect(await acquire("other")).toMatchObject({ outcome: "not_acquired" });
  await untilReason("a", /^Would refuse: out of memory: raise maxmemory/);
  await untilReason("b", /^A read-only replica\..*name an independent master/);
  await untilReason("c", /^Would refuse: no permission \(.*grant its user/);
  expect((await detail("wanted")).nextChance).toMatchObject({
    inMs: null,
    text: expect.stringContaining("a, b, c of 5 nodes"),
  });
});
