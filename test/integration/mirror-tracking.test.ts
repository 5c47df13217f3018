// Once read, the nodes tell what changes: the mirror is current without reading them again.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commandCounts, MirrorWorld } from "../support/mirror-world";
import { until } from "../support/until";

let world: MirrorWorld;
beforeEach(async () => {
  world = await MirrorWorld.start();
  await world.lock("before:1");
  await world.inventory.start();
  await world.untilTracking();
});
afterEach(() => world.stop());

const scans = async () =>
  (await Promise.all(world.servers.map(async ({ client }) => (await commandCounts(client)).get("scan") ?? 0))).join();

describe("a listener hears within a second, without another reading, of", () => {
  /** Does something and waits for the event about it. @returns milliseconds between */
  async function heardAfter(act: () => Promise<unknown>, isTold: (text: string) => boolean): Promise<number> {
    const heard = world.listen();
    const before = await scans();
    const startedAt = performance.now();
    await act();
    await until(() => heard.some((difference) => isTold(JSON.stringify(difference))), "the event", 1000);
    expect(await scans()).toBe(before);
    return performance.now() - startedAt;
  }

  test("a new lock", async () => {
    const ms = await heardAfter(
      () => world.lock("orders:1"),
      (text) => text.includes('"orders:1"') && text.includes('"held"'),
    );
    console.info(`new lock: heard after ${ms.toFixed(1)} ms`);
  });

  test("a release", async () => {
    await heardAfter(
      () => Promise.all(world.servers.map(({ client }) => client.del("before:1"))),
      (text) => text.includes('"removed":["before%3A1"]'),
    );
    expect(await world.verdict("before:1")).toBeUndefined();
  });

  test("an extension", async () => {
    await heardAfter(
      () => Promise.all(world.servers.map(({ client }) => client.pexpire("before:1", 300_000))),
      (text) => /"remainingMs":29\d{4}/.test(text),
    );
  });

  test("a key of another type, and one that is no text", async () => {
    await heardAfter(
      () => world.server(1).client.hset("map:1", "field", "1"),
      (text) => text.includes('"map:1"') && text.includes('"foreign"'),
    );
    await heardAfter(
      () => Promise.all(world.servers.map(({ client }) => client.set(Buffer.from([0xff, 0x01]), "x", "PX", 5000))),
      (text) => text.includes('"~_wE"'),
    );
  });

  test("a hand-over", async () => {
    await heardAfter(
      () => world.lock("before:1"),
      (text) => text.includes('"before:1"'),
    );
    await world.untilEqual("the new holder on every node");
  });

  test("an end that no node has told of", async () => {
    for (const { client } of world.servers) await client.call("CONFIG", "SET", "hz", "1");
    await heardAfter(
      () => world.lock("short:1", { ttlMs: 300 }),
      (text) => text.includes('"removed":["short%3A1"]'),
    );
  });
});

test("the list is never older than the request for it", async () => {
  for (let round = 0; round < 50; round += 1) {
    await world.lock(`round:${round}`);
    expect(await world.verdict(`round:${round}`)).toBe("held");
  }
});

test("what a node is asked does not grow with the number of locks", { timeout: 60_000 }, async () => {
  const asked = async () => {
    const { client } = world.server(0);
    await client.config("RESETSTAT");
    const startedAt = performance.now();
    await until(() => performance.now() - startedAt > 2000, "two seconds to pass");
    const counts = await commandCounts(client);
    const own = ["ping", "info", "time", "dbsize", "config|get", "evalsha"].map((name) => counts.get(name) ?? 0);
    expect(counts.get("scan")).toBeUndefined();
    // One may be the trial of what the user may do.
    expect(counts.get("get") ?? 0).toBeLessThanOrEqual(1);
    return own.reduce((sum, count) => sum + count, 0);
  };
  world.listen();
  const few = await asked();
  await world.fill(1000);
  await until(() => world.inventory.scan().nodes.every(({ keys }) => keys === 1001), "all to be read", 25_000);
  const many = await asked();
  console.info(`commands in two seconds: ${few} with 1 lock, ${many} with 1001`);
  expect(many).toBeLessThan(few * 1.5);
});
