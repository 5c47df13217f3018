import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedCluster, type EmbeddedNode, startEmbeddedCluster } from "@/lib/cluster";
import { until } from "../support/until";

let root: string;
let cluster: EmbeddedCluster;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "redlock-cluster-"));
  cluster = await startEmbeddedCluster({ folder: root });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(root, { recursive: true, force: true });
});
afterEach(async () => {
  for (const node of cluster.nodes) await cluster.heal(node.id);
});

function nodeAt(index: number): EmbeddedNode {
  const node = cluster.nodes[index];
  if (node === undefined) throw new Error(`no node ${index}`);
  return node;
}

function isAlive(pid: number | null): boolean {
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs commands on a connection of its own. */
async function withClient<T>(address: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const [host, port] = address.replace("redis://", "").replace(/#.*/, "").split(":");
  const client = new Redis({ host, port: Number(port), lazyConnect: true, retryStrategy: () => null });
  client.on("error", () => {
    // The caller hears of it from its command.
  });
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

test("starts five nodes that answer on their address and through their link", async () => {
  expect(cluster.nodes.map((node) => node.id)).toEqual(["a", "b", "c", "d", "e"]);
  expect(new Set(cluster.nodes.map((node) => node.address)).size).toBe(5);
  for (const node of cluster.nodes) {
    expect(node.process()).toMatchObject({ state: "running", link: "open" });
    await withClient(node.address, (client) => client.set("seen", node.id));
    expect(await withClient(node.url, (client) => client.get("seen"))).toBe(node.id);
  }
});

describe.each(["stop", "kill"] as const)("%s", (fault) => {
  test("ends the process, refuses connections, and stays so until it is healed", async () => {
    const node = nodeAt(0);
    const { pid } = node.process();
    await cluster.apply(node.id, fault);
    expect(node.process()).toMatchObject({ state: fault === "stop" ? "stopped" : "killed", pid: null });
    expect(isAlive(pid)).toBe(false);
    await expect(withClient(node.url, (client) => client.ping())).rejects.toThrow();
    await cluster.heal(node.id);
    expect(node.process().state).toBe("running");
  });

  test("is never taken for a death by itself, not even for a moment", async () => {
    const node = nodeAt(0);
    const states: string[] = [];
    const unsubscribe = cluster.onChange(() => states.push(node.process().state));
    await cluster.apply(node.id, fault);
    unsubscribe();
    expect(states).not.toContain("dead");
    expect(states).toContain(fault === "stop" ? "stopped" : "killed");
  });

  test("keeps port and data", async () => {
    const node = nodeAt(1);
    const { address, url } = node;
    await withClient(node.address, (client) => client.set("kept", "yes"));
    await cluster.apply(node.id, fault);
    await cluster.heal(node.id, { data: "keep" });
    expect([node.address, node.url]).toEqual([address, url]);
    expect(await withClient(url, (client) => client.get("kept"))).toBe("yes");
  });

  test("forgets its data when it is started empty", async () => {
    const node = nodeAt(2);
    await withClient(node.address, (client) => client.set("kept", "yes"));
    await cluster.apply(node.id, fault);
    await cluster.heal(node.id, { data: "empty" });
    expect(await withClient(node.url, (client) => client.dbsize())).toBe(0);
  });
});

test("a paused node accepts connections but does not answer, and goes on where it stood", async () => {
  const node = nodeAt(3);
  await cluster.apply(node.id, "pause");
  expect(node.process().state).toBe("paused");
  await withClient(node.address, async (client) => {
    let hasAnswered = false;
    const answer = client.ping().then((word) => {
      hasAnswered = true;
      return word;
    });
    await until(() => client.status === "connect", "the connection");
    expect(hasAnswered).toBe(false);
    await cluster.heal(node.id);
    expect(await answer).toBe("PONG");
  });
});

test("a paused node can be stopped and killed", async () => {
  for (const fault of ["stop", "kill"] as const) {
    await cluster.apply("a" as EmbeddedNode["id"], "pause");
    await cluster.apply("a" as EmbeddedNode["id"], fault);
    expect(nodeAt(0).process().pid).toBeNull();
    await cluster.heal(nodeAt(0).id);
  }
});

test("a slow link delays replies and loses none", async () => {
  const node = nodeAt(0);
  await withClient(node.url, async (client) => {
    await client.ping();
    await cluster.apply(node.id, "slow");
    const sentAt = performance.now();
    expect(await Promise.all([client.echo("1"), client.echo("2"), client.echo("3")])).toEqual(["1", "2", "3"]);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(29);
    expect(node.process().link).toBe("slow");
  });
});

test("a partition holds what is sent and delivers it in order when it ends", async () => {
  const node = nodeAt(0);
  await withClient(node.url, async (client) => {
    await client.ping();
    await cluster.apply(node.id, "partition");
    const answers = Promise.all([client.rpush("order", "1"), client.rpush("order", "2"), client.echo("last")]);
    // The node itself is well, and nothing has reached it.
    expect(await withClient(node.address, (direct) => direct.exists("order"))).toBe(0);
    await cluster.heal(node.id);
    expect(await answers).toEqual([1, 2, "last"]);
  });
});

test("a connection opened during a partition is silent until it ends", async () => {
  const node = nodeAt(0);
  await cluster.apply(node.id, "partition");
  await withClient(node.url, async (client) => {
    const answer = client.ping();
    await until(() => client.status === "connect", "the connection to be accepted");
    await cluster.heal(node.id);
    expect(await answer).toBe("PONG");
  });
});

test("a node that ends by itself is dead, is reported, and is not started again", async () => {
  const node = nodeAt(4);
  const states: string[] = [];
  const unsubscribe = cluster.onChange(() => states.push(node.process().state));
  process.kill(node.process().pid ?? 0, "SIGKILL");
  await until(() => states.includes("dead"), "the change to be reported");
  unsubscribe();
  expect(node.process()).toMatchObject({ state: "dead", pid: null });
  await cluster.heal(node.id);
  expect(node.process().state).toBe("running");
});

test("names the nodes there are when asked for another", async () => {
  await expect(cluster.apply("z" as EmbeddedNode["id"], "stop")).rejects.toThrow(/no embedded node z.*a, b, c, d, e/);
});

test("refuses a size that is none", async () => {
  await expect(startEmbeddedCluster({ folder: root, size: 0 })).rejects.toThrow(RangeError);
  await expect(startEmbeddedCluster({ folder: root, size: 1.5 })).rejects.toThrow(RangeError);
});

test("two clusters live side by side, and the end of one does not touch the other", async () => {
  const other = await startEmbeddedCluster({ folder: root, size: 2 });
  const pids = other.nodes.map((node) => node.process().pid);
  expect(other.nodes.map((node) => node.address)).not.toContain(nodeAt(0).address);
  await other.stop();
  for (const pid of pids) expect(isAlive(pid)).toBe(false);
  expect(await withClient(nodeAt(0).url, (client) => client.ping())).toBe("PONG");
});

test("a stopped cluster leaves no process and no folder, also with nodes paused and cut off", async () => {
  const folder = mkdtempSync(join(tmpdir(), "redlock-cluster-"));
  const other = await startEmbeddedCluster({ folder, size: 3 });
  const pids = other.nodes.map((node) => node.process().pid);
  const [first, second, third] = other.nodes;
  if (first && second && third) {
    await other.apply(first.id, "pause");
    await other.apply(second.id, "partition");
    await other.apply(third.id, "kill");
  }
  await Promise.all([other.stop(), other.stop()]);
  for (const pid of pids) expect(isAlive(pid)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
