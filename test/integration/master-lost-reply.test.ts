import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asToken } from "@/lib/redlock";
import { freePort, type TestServer } from "../support/redis-server";
import { MasterWorld, OTHER, RELEASE, request } from "../support/test-master";
import { until } from "../support/until";

const world = new MasterWorld();
let server: TestServer;
beforeEach(async () => {
  server = await world.server();
});
afterEach(() => world.clear());

describe("a lost reply", () => {
  test("of an acquire that landed leaves no key: the release is repeated when the connection is back", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    proxy.hold("replies");
    const acquired = node.acquire(request());
    await until(async () => (await server.client.exists("r")) === 1, "the acquire to land");
    proxy.cutClients();
    expect((await acquired).kind).toBe("unreachable");
    expect((await node.release(RELEASE)).kind).toBe("unreachable");
    expect(node.outstandingReleases).toBe(1);
    await until(async () => (await server.client.exists("r")) === 0, "the key to be gone");
  });

  test("of a release makes it be repeated, before any new acquire", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    await node.acquire(request());
    proxy.hold("requests");
    const released = node.release(RELEASE);
    await until(() => proxy.heldBytes() > 0, "the release to be on its way");
    proxy.cutClients();
    expect((await released).kind).toBe("unreachable");
    await until(() => node.status().state !== "down", "the connection to be back");
    expect(await node.acquire(request({ token: OTHER }))).toEqual({ kind: "granted" });
    await until(() => node.outstandingReleases === 0, "the clean-up to be done");
    expect(await server.client.get("r")).toBe(OTHER);
  });

  test("is not repeated once the key has died by itself", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    proxy.hold("replies");
    proxy.cutClients();
    await until(() => node.status().state === "down", "the connection to be lost");
    await node.release({ ...RELEASE, keepTryingForMs: 1 });
    await until(() => node.status().state === "up", "the connection to be back");
    expect(node.outstandingReleases).toBe(0);
  });

  test("costs nothing when the acquire was never sent, however often that happens", async () => {
    const node = world.master(`redis://127.0.0.1:${await freePort()}#away`);
    for (let attempt = 0; attempt < 2000; attempt += 1) {
      const token = asToken(String(attempt).padStart(40, "0"));
      expect((await node.acquire(request({ token }))).kind).toBe("unreachable");
      expect((await node.release({ ...RELEASE, token })).kind).toBe("unreachable");
    }
    expect(node.outstandingReleases).toBe(0);
  });

  test("is remembered for a thousand releases and no more, those that die first being dropped", async () => {
    const node = world.master(`redis://127.0.0.1:${await freePort()}#away`);
    for (let each = 0; each < 1100; each += 1) {
      await node.release({ resources: ["r"], token: asToken(`token ${each}`), keepTryingForMs: 60_000 + each });
    }
    expect(node.outstandingReleases).toBe(1000);
  });
});
