import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MasterNode, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import { acquireOf, kinds, makeCrowded, releaseMany, releaseOf, scriptCalls } from "../support/batch-requests";
import { type NativeDeleteProxy, startNativeDeleteProxy } from "../support/native-delete-proxy";
import type { TestServer } from "../support/redis-server";
import { MasterWorld } from "../support/test-master";
import { until } from "../support/until";

// A server's own compare-and-delete (lib/redis/native-delete.ts): used where it is, and never noticed.

const world = new MasterWorld();
let server: TestServer;
beforeEach(async () => {
  server = await world.server();
});
afterEach(() => world.clear());

/** Keys hold what no request of the tests has, unless they say so. */
async function taken(resource: string, by = 9): Promise<void> {
  await server.client.set(resource, String(by).padStart(40, "0"), "PX", 60_000);
}

describe.each(["DELEX", "DELIFEQ"] as const)("a server that has %s", (command) => {
  let proxy: NativeDeleteProxy;
  let node: MasterNode;
  beforeEach(async () => {
    proxy = await startNativeDeleteProxy(server.port, command);
    node = await world.connected(proxy.url);
  });
  afterEach(() => proxy.close());

  test("is told a lone release by it, and no script", async () => {
    await node.acquire(acquireOf("r", 1));
    expect(await node.release(releaseOf("r", 1))).toEqual({ kind: "released" });
    expect(await server.client.exists("r")).toBe(0);
    expect(proxy.calls).toBe(1);
  });

  test("is asked why by a script when it deleted nothing", async () => {
    await taken("other");
    await server.client.hset("foreign", "field", "value");
    expect(await node.release(releaseOf("r", 1))).toEqual({ kind: "gone" });
    expect(await node.release(releaseOf("other", 1))).toMatchObject({ kind: "refused", foreignType: null });
    expect(await node.release(releaseOf("foreign", 1))).toMatchObject({ kind: "refused", foreignType: "hash" });
    expect(await server.client.exists("other", "foreign")).toBe(2);
    // None of that speaks against the command.
    expect(proxy.calls).toBe(3);
    await taken("r", 2);
    expect(await node.release(releaseOf("r", 2))).toEqual({ kind: "released" });
    expect(proxy.calls).toBe(4);
  });

  test("is told several at once, or one of several keys, by a script", async () => {
    await makeCrowded(node);
    const before = proxy.calls;
    await Promise.all([0, 1, 2].map((each) => taken(`r${each}`, each)));
    expect(kinds(await Promise.all(releaseMany(node, 3)))).toEqual(["released"]);
    await taken("a", 1);
    await taken("b", 1);
    expect(await node.release(releaseOf(["a", "b"], 1))).toEqual({ kind: "released" });
    expect(proxy.calls).toBe(before);
  });

  test("is told by scripts only, once it has refused it", async () => {
    proxy.deny();
    for (const each of [1, 2]) {
      await taken("r", each);
      expect(await node.release(releaseOf("r", each))).toEqual({ kind: "released" });
    }
    expect(proxy.calls).toBe(1);
  });
});

test("in a mixed fleet each node is told in its own way", async () => {
  const servers = await Promise.all([1, 2, 3, 4, 5].map(() => world.server()));
  const proxies = [
    await startNativeDeleteProxy(servers[0]?.port ?? 0, "DELEX"),
    await startNativeDeleteProxy(servers[1]?.port ?? 0, "DELIFEQ"),
  ];
  const masters = world.masters([...proxies.map(({ url }) => url), ...servers.slice(2).map(({ url }) => url)]);
  const settings = { nodeTimeoutMs: 5000 };
  const redlock = new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings });
  await until(() => masters.every((each) => each.status().refusesGrants === null), "every node to be ready");
  const lock = await redlock.acquire(["r"], 30_000);
  // A majority has won it; the release would overtake whatever a slower node has still to be asked.
  const holders = async () => (await Promise.all(servers.map(({ client }) => client.exists("r")))).join("");
  await until(async () => (await holders()) === "11111", "every node to hold it");
  const released = await lock.release();
  expect(kinds((await released.settled()).map(({ vote }) => vote))).toEqual(["released"]);
  expect(await holders()).toBe("00000");
  expect(proxies.map(({ calls }) => calls)).toEqual([1, 1]);
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

test("the server of these tests is told by what it says it has", async () => {
  const has = (await server.client.call("COMMAND", "INFO", "DELEX", "DELIFEQ")) as readonly unknown[];
  const isNative = has.some((entry) => Array.isArray(entry));
  const node = await world.connected(server.url);
  await taken("r", 1);
  await server.client.config("RESETSTAT");
  expect(await node.release(releaseOf("r", 1))).toEqual({ kind: "released" });
  expect(await scriptCalls(server)).toBe(isNative ? 0 : 1);
});
