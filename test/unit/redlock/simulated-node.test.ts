import { describe, expect, test } from "vitest";
import { asToken, nodeId, SimulatedServer, VirtualClock } from "@/lib/redlock";
import { lockNodeContract } from "../../support/lock-node-contract";
import { fingerprint, LONG_MS, MINE, OTHERS, releaseOf, request } from "../../support/lock-node-harness";

function makeServer() {
  const clock = new VirtualClock();
  const server = new SimulatedServer({ id: nodeId("a"), clock, fingerprint, quarantineMs: LONG_MS });
  return { clock, server, node: server.connect() };
}

lockNodeContract("the simulated node", async () => {
  const { clock, server, node } = makeServer();
  return {
    // The suite knows nothing of virtual time, so each request runs the clock until it is answered.
    node: {
      id: node.id,
      handOver: node.handOver,
      acquire: (asked) => clock.until(node.acquire(asked)),
      extend: (asked) => clock.until(node.extend(asked)),
      heal: (asked) => clock.until(node.heal(asked)),
      release: (asked) => clock.until(node.release(asked)),
      raiseFence: (asked) => clock.until(node.raiseFence(asked)),
      readFence: () => clock.until(node.readFence()),
      restoreFence: (asked) => clock.until(node.restoreFence(asked)),
    },
    set: async (resource, value, ttlMs) => server.store.set(resource, value, ttlMs),
    setForeign: async (resource) => server.store.setForeign(resource, "hash"),
    get: async (resource) => {
      const key = server.store.get(resource);
      if (key === null) return null;
      return { value: key.value, remainingMs: key.expiresAt === null ? null : key.expiresAt - clock.now() };
    },
    untilGone: async (resource) => {
      const { expiresAt } = server.store.get(resource) ?? { expiresAt: clock.now() };
      await clock.advance((expiresAt ?? Number.NaN) - clock.now());
    },
    forgetScripts: async () => server.forgetScripts(),
    forgetVotes: async () => server.forgetVotes(),
    dispose: async () => {},
  };
});

describe("a simulated server", () => {
  test("executes what piled up while it hung, in order, when it wakes", async () => {
    const { clock, server, node } = makeServer();
    server.hang();
    const granted = node.acquire(request(["r"]));
    const released = node.release(releaseOf(["r"]));
    await clock.advance(5000);
    expect(server.store.get("r")).toBeNull();
    server.wake();
    expect(await clock.until(granted)).toEqual({ kind: "granted" });
    expect(await clock.until(released)).toEqual({ kind: "released" });
  });

  test("answers unreachable at once when it is down, and executes nothing of it later", async () => {
    const { clock, server, node } = makeServer();
    server.stop();
    expect(await node.acquire(request(["r"]))).toMatchObject({ kind: "unreachable" });
    server.start();
    await clock.advance(1000);
    expect(server.store.get("r")).toBeNull();
  });

  test("keeps the effect of a request whose reply is lost", async () => {
    const { clock, server, node } = makeServer();
    const vote = node.acquire(request(["r"]));
    await clock.advance(0.7);
    node.reset();
    expect(await clock.until(vote)).toMatchObject({ kind: "unreachable" });
    expect(server.store.get("r")?.value).toBe(MINE);
  });

  test("repeats a release that could not be delivered when it comes back within the time asked for", async () => {
    const { clock, server, node } = makeServer();
    await clock.until(node.acquire(request(["r"])));
    server.stop();
    expect(await node.release(releaseOf(["r"]))).toMatchObject({ kind: "unreachable" });
    server.start();
    await clock.advance(10);
    expect(server.store.get("r")).toBeNull();
  });

  test("comes back with its keys or, started empty, without them", async () => {
    const { clock, server, node } = makeServer();
    await clock.until(node.acquire(request(["r"])));
    server.stop();
    server.start();
    expect(server.store.get("r")?.value).toBe(MINE);
    server.stop();
    server.start({ isEmpty: true });
    expect(server.store.get("r")).toBeNull();
  });

  test("delivers late what a black hole held back", async () => {
    const { clock, server, node } = makeServer();
    node.hold();
    const vote = node.acquire(request(["r"], { token: OTHERS }));
    await clock.advance(1000);
    expect(server.store.get("r")).toBeNull();
    node.deliver();
    expect(await clock.until(vote)).toEqual({ kind: "granted" });
  });

  test("expires keys by its own clock, which may be faster", async () => {
    const clock = new VirtualClock();
    const server = new SimulatedServer({ id: nodeId("a"), clock, fingerprint, clockRate: 1.01 });
    server.store.set("r", asToken("x"), 1000);
    await clock.advance(989);
    expect(server.store.get("r")).not.toBeNull();
    await clock.advance(2);
    expect(server.store.get("r")).toBeNull();
  });
});
