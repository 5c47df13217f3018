import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type EmbeddedCluster, type EmbeddedNode, startEmbeddedCluster } from "@/lib/cluster";
import { createMasters, type MasterNode, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import { until } from "../support/until";

// The engine on the embedded cluster: nodes that come back with their data, and connections that are slowed and cut.

let root: string;
let cluster: EmbeddedCluster;
let masters: readonly MasterNode[];
let redlock: RedlockEngine;
const clients = new Map<string, Redis>();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "redlock-embedded-"));
  cluster = await startEmbeddedCluster({ folder: root });
  masters = createMasters(
    cluster.nodes.map((node) => node.url),
    { nodeTimeoutMs: 300, probeEveryMs: 100 },
  );
  const settings = { nodeTimeoutMs: 300, retryCount: 0 };
  redlock = new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings });
  for (const node of cluster.nodes) {
    const [host, port] = node.address.split(":");
    const client = new Redis({ host, port: Number(port), retryStrategy: () => 20 });
    client.on("error", () => {
      // Killed nodes are part of the tests.
    });
    clients.set(node.id, client);
  }
  await untilAllUp();
});
afterAll(async () => {
  for (const client of clients.values()) client.disconnect();
  await Promise.all(masters.map((master) => master.close()));
  await cluster.stop();
  rmSync(root, { recursive: true, force: true });
});
afterEach(async () => {
  await Promise.all(cluster.nodes.map((node) => cluster.heal(node.id)));
  await untilAllUp();
});

function untilAllUp(): Promise<void> {
  return until(() => masters.every((master) => master.status().condition === "admitted"), "all nodes to be admitted");
}

function nodeAt(index: number): EmbeddedNode {
  const node = cluster.nodes[index];
  if (node === undefined) throw new Error(`no node ${index}`);
  return node;
}

async function untilGoneFrom(resource: string, nodes: readonly EmbeddedNode[] = cluster.nodes): Promise<void> {
  for (const { id } of nodes) {
    await until(async () => (await clients.get(id)?.exists(resource)) === 0, `${resource} to be gone from ${id}`);
  }
}

test("a node that was killed before the release and comes back with the key is released then", async () => {
  const node = nodeAt(2);
  const lock = await redlock.acquire(["back"], 60_000);
  await until(async () => (await clients.get(node.id)?.get("back")) === lock.token, "the key on the node");
  // The file is written before the answer is given, so a kill loses nothing of it.
  await cluster.apply(node.id, "kill");
  expect((await lock.release()).kind).toBe("released");
  await cluster.heal(node.id, { data: "keep" });
  await untilGoneFrom("back");
  await until(() => masters.every((master) => master.outstandingReleases === 0), "the clean-up to be done");
});

test("a lock outlives two nodes that are cut off, and leaves no key on them", async () => {
  const cut = [nodeAt(3), nodeAt(4)];
  for (const node of cut) await cluster.apply(node.id, "partition");
  const lock = await redlock.acquire(["cut"], 60_000);
  await lock.extend(60_000);
  expect((await lock.release()).kind).toBe("released");
  await until(() => masters.slice(3).every((master) => master.status().state === "down"), "the silence to be noticed");
  for (const node of cut) await cluster.heal(node.id);
  await untilAllUp();
  await untilGoneFrom("cut");
});

test("a lock whose holders are cut off from a majority is lost to them, and free again afterwards", async () => {
  for (const index of [0, 1, 2]) await cluster.apply(nodeAt(index).id, "partition");
  expect(await redlock.tryAcquire(["majority"], 60_000)).toMatchObject({
    kind: "not_acquired",
    refusal: "quorum_unreachable",
  });
  for (const index of [0, 1, 2]) await cluster.heal(nodeAt(index).id);
  await untilAllUp();
  await untilGoneFrom("majority");
});

test("a cut long enough for the connections to be given up leaves no key either", async () => {
  const node = nodeAt(0);
  const probing = redlock.tryAcquire(["long"], 60_000);
  await cluster.apply(node.id, "partition");
  const outcome = await probing;
  if (outcome.kind === "acquired") await outcome.lock.release();
  const second = await redlock.tryAcquire(["long"], 60_000);
  if (second.kind === "acquired") await second.lock.release();
  await until(() => /connect|answered/i.test(masters[0]?.status().faults[0] ?? ""), "the give-up", 15_000);
  await cluster.heal(node.id);
  await untilAllUp();
  await untilGoneFrom("long");
});

test("slow links are found slow, and their votes still count", async () => {
  for (const node of cluster.nodes) await cluster.apply(node.id, "slow");
  const outcome = await redlock.tryAcquire(["slow"], 60_000);
  expect(outcome.kind).toBe("acquired");
  expect(Math.max(...outcome.ballots.map(({ roundTripMs }) => roundTripMs ?? 0))).toBeGreaterThanOrEqual(29);
  if (outcome.kind === "acquired") await outcome.lock.release();
  await untilGoneFrom("slow");
});

test("nodes that are stopped, killed and paused say what they are", async () => {
  await cluster.apply(nodeAt(0).id, "stop");
  await cluster.apply(nodeAt(1).id, "kill");
  await cluster.apply(nodeAt(2).id, "pause");
  await until(() => masters.slice(0, 3).every((master) => master.status().state === "down"), "three nodes to be down");
  const faults = masters.slice(0, 3).map((master) => master.status().faults[0]);
  expect(faults[0]).toMatch(/start the server|look whether/);
  expect(faults[1]).toMatch(/start the server|look whether/);
  expect(faults[2]).toMatch(/paused, overloaded or cut off/);
});
