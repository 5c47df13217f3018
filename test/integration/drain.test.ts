import { afterEach, expect, test } from "vitest";
import { createMasters, Guard, type MasterNode, membersOf } from "@/lib/redis";
import type { TestServer } from "../support/redis-server";
import { MasterWorld, RELEASE, request } from "../support/test-master";
import { until } from "../support/until";

// A planned restart without the quarantine, and everything that only looks like one.

const LONG_MS = 60_000;
const MARKER = "redlock:{guard}:node";
const RECEIPT = "redlock:{guard}:drain";

const world = new MasterWorld();
afterEach(() => world.clear());

async function consoleOf(server: TestServer): Promise<MasterNode> {
  const guard = new Guard({ mode: "full", maxTtlMs: LONG_MS, members: membersOf([server.url]) });
  const [node] = createMasters([server.url], { nodeTimeoutMs: 5000, probeEveryMs: 50, guard });
  if (node === undefined) throw new Error("no node");
  world.adopt(node);
  await until(() => node.status().persistence !== null, "the node to be known");
  return node;
}

/** A server with one vote given, whose restarts keep what was saved. */
async function voted(...args: string[]): Promise<{ readonly server: TestServer; readonly node: MasterNode }> {
  const server = await world.server(...args);
  const node = await consoleOf(server);
  expect(await node.bootstrap()).toEqual({ kind: "done" });
  expect(await node.acquire(request())).toEqual({ kind: "granted" });
  return { server, node };
}

/** Restarts with what is in its snapshot, and waits until the node knows. */
async function restart({ server, node }: { readonly server: TestServer; readonly node: MasterNode }): Promise<void> {
  const before = node.status().runId;
  await server.restart();
  await until(() => node.status().runId !== before && node.status().condition !== "unreachable", "the new server");
}

const other = { resources: ["other"] };

test("a drained node gives no vote, keeps its keys, lets them be released, and comes back when it is undrained", async () => {
  const { server, node } = await voted();
  expect(await node.drain()).toEqual({ kind: "drained" });
  expect(node.status()).toMatchObject({ condition: "drained", isUndrainable: true, quarantinedForMs: 0 });
  expect(await node.acquire(request(other))).toMatchObject({ kind: "error", reason: expect.stringMatching(/drained/) });
  expect(await node.extend(request())).toMatchObject({ kind: "error" });
  expect(await server.client.exists("r")).toBe(1);
  expect((await node.release(RELEASE)).kind).toBe("released");
  expect(await node.undrain()).toEqual({ kind: "admitted" });
  expect(await node.acquire(request(other))).toEqual({ kind: "granted" });
});

test("a drained node that restarts with its data is back at once, and knows what it granted", async () => {
  const both = await voted();
  await both.node.drain();
  await both.server.client.save();
  await restart(both);
  await until(() => both.node.status().quarantinedForMs > 0, "the quarantine that the receipt ends");
  expect(both.node.status()).toMatchObject({ isUndrainable: true, quarantineReason: expect.stringMatching(/drained/) });
  expect(await both.node.undrain()).toEqual({ kind: "admitted" });
  expect(await both.node.acquire(request())).toMatchObject({ kind: "refused" });
  expect(await both.node.acquire(request(other))).toEqual({ kind: "granted" });
});

test("one that comes back without its data waits, drained or not", async () => {
  const both = await voted();
  await both.node.drain();
  await restart(both);
  await until(() => both.node.status().quarantinedForMs > 0, "the quarantine");
  expect(both.node.status().isUndrainable).toBe(false);
  expect((await both.node.undrain()).kind).toBe("quarantined");
  expect(both.node.status().quarantinedForMs).toBeGreaterThan(30_000);
});

test("a receipt counts once: the copy from the drain, come back a second time, has lost the votes since", async () => {
  const both = await voted();
  await both.node.drain();
  await both.server.client.save();
  await restart(both);
  await until(() => both.node.status().isUndrainable, "the node to be undrainable");
  await both.node.undrain();
  expect(await both.node.acquire(request(other))).toEqual({ kind: "granted" });
  await restart(both);
  await until(() => both.node.status().quarantinedForMs > 0, "the quarantine");
  expect(await both.server.client.exists("other")).toBe(0);
  expect((await both.node.undrain()).kind).toBe("quarantined");
});

test("a console that did not drain the node lets it wait a quarantine, and then the receipt is worth nothing", async () => {
  const { server, node } = await voted();
  const stranger = await consoleOf(server);
  await node.drain();
  await until(() => stranger.status().condition === "drained", "the other console to see it");
  expect(await stranger.undrain()).toMatchObject({ kind: "quarantined", reason: expect.stringMatching(/drained/) });
  await until(() => node.status().quarantinedForMs > 0, "the first one to see it");
  expect((await node.undrain()).kind).toBe("quarantined");
});

test("a receipt that is still held is worth nothing once the node was seen voting", async () => {
  const { server, node } = await voted();
  await node.drain();
  const [marker, receipt] = await Promise.all([server.client.get(MARKER), server.client.get(RECEIPT)]);
  const stranger = await consoleOf(server);
  await stranger.bootstrap();
  await until(() => node.status().condition === "admitted", "the first console to see it vote");
  // Two looks make it sure; then the copy with the drain in it comes back.
  await node.probe();
  await node.probe();
  await server.restart();
  await server.client.set(MARKER, marker ?? "");
  await server.client.set(RECEIPT, receipt ?? "");
  await until(() => node.status().quarantinedForMs > 0, "the quarantine");
  await until(() => node.status().state !== "down", "its connection for votes to be open again");
  expect((await node.undrain()).kind).toBe("quarantined");
});

test("a node that has no vote cannot be drained, and without a guard there is nothing to drain", async () => {
  const server = await world.server();
  const node = await consoleOf(server);
  await until(() => node.status().quarantinedForMs > 0, "the first quarantine");
  expect(await node.drain()).toMatchObject({ kind: "error", reason: expect.stringMatching(/no vote now/) });
  const unguarded = await world.connected(server.url);
  expect(await unguarded.drain()).toMatchObject({ kind: "error", reason: expect.stringMatching(/guard/) });
});
