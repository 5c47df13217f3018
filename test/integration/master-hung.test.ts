import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TestServer } from "../support/redis-server";
import { MasterWorld, OTHER, RELEASE, request } from "../support/test-master";
import { until } from "../support/until";

const world = new MasterWorld();
let server: TestServer;
beforeEach(async () => {
  server = await world.server();
});
afterEach(() => world.clear());

describe("a hung node", () => {
  test("refuses the late acquire when it wakes, and executes the release behind it", async () => {
    const node = await world.connected(server.url, 50);
    server.pause();
    const askedAt = performance.now();
    const acquired = node.acquire(request());
    // Far longer than the limit: on a busy machine the reading of the server's clock may be wrong by some of it.
    await until(() => performance.now() - askedAt > 1000, "the acquire to be late");
    const released = node.release(RELEASE);
    server.resume();
    expect(await acquired).toMatchObject({ kind: "error", reason: expect.stringContaining("stale") });
    expect(await released).toEqual({ kind: "gone" });
    expect(await server.client.exists("r")).toBe(0);
  });

  test("is asked nothing more once it has been silent for the time limit, and says so at once", async () => {
    const node = await world.connected(server.url, 50);
    server.pause();
    void node.acquire(request());
    await until(() => node.status().state !== "up", "the node to be found silent");
    await until(async () => (await node.read(["r"])).kind === "unreachable", "the other connection to be found silent");
    for (const vote of [
      await node.acquire(request({ token: OTHER })),
      await node.extend(request({ token: OTHER })),
      await node.heal(request({ token: OTHER })),
      await node.read(["r"]),
      await node.carryOut({ key: "r", expects: [], steps: [] }),
    ]) {
      expect(vote).toMatchObject({ kind: "unreachable", reason: expect.stringMatching(/^silent for \d+ ms$/) });
    }
    await until(() => node.status().state === "down", "the node to be down");
    expect(node.status()).toMatchObject({ condition: "unreachable" });
    expect(node.status().faults[0]).toMatch(/^Silent for .* s: paused, overloaded or cut off; look at/);
    server.resume();
    await until(() => node.status().state === "up", "the node to be up again");
    // What it was asked before it hung comes too late when it wakes.
    expect(await server.client.get("r")).toBeNull();
  });

  test("is noticed although nobody asks anything of it", async () => {
    const node = await world.connected(server.url, 50);
    let changes = 0;
    node.onChange(() => {
      changes += 1;
    });
    server.pause();
    await until(() => changes === 2, "slow and then down to be told");
    expect(node.status().state).toBe("down");
    server.resume();
    await until(() => node.status().condition === "admitted", "the node to be up again");
  });

  test("answers a reading within its time limit", async () => {
    const node = await world.connected(server.url, 200);
    server.pause();
    expect((await node.read(["r"])).kind).toBe("timeout");
    expect((await node.scan({ cursor: "0", match: "*", count: 10 })).kind).toMatch(/timeout|unreachable/);
  });

  test("leaves no key when its connection was lost while it was hung", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url, 50);
    server.pause();
    const acquired = node.acquire(request());
    await until(() => node.status().state !== "up", "the node to be found silent");
    proxy.cutClients();
    expect(await acquired).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("connection lost") });
    expect(await node.release(RELEASE)).toMatchObject({ kind: "unreachable" });
    const before = proxy.connections;
    await until(() => proxy.connections > before, "a new connection to the hung node");
    server.resume();
    await until(() => node.status().state === "up", "the node to be up again");
    await until(async () => (await server.client.exists("r")) === 0, "the key to be gone");
  });

  test("leaves no key when the acquire of the lost connection is executed after the release", async () => {
    const proxy = await world.proxy(server);
    const node = await world.connected(proxy.url);
    proxy.hold("requests");
    const acquired = node.acquire(request());
    await until(() => proxy.heldBytes() > 0, "the acquire to be on its way");
    proxy.cutClients();
    expect((await acquired).kind).toBe("unreachable");
    await until(() => node.status().state === "up", "the node to be connected again");
    expect(await node.release(RELEASE)).toEqual({ kind: "gone" });
    expect(node.outstandingReleases).toBe(1);

    await server.client.config("RESETSTAT");
    proxy.deliver();
    // The late acquire is executed now, behind a release that was confirmed.
    await until(async () => (await server.client.info("commandstats")).includes("cmdstat_set"), "the late acquire");
    await until(async () => (await server.client.exists("r")) === 0, "the key to be gone");
  });
});

test("a connection whose other side vanished is given up and made again", async () => {
  const proxy = await world.proxy(server);
  const node = await world.connected(proxy.url, 50);
  const before = proxy.connections;
  proxy.hold("requests");
  await until(() => node.status().state === "down", "the silence to be noticed");
  await until(() => node.status().state === "up", "new connections", 15_000);
  expect(proxy.connections).toBeGreaterThanOrEqual(before + 2);
});
