// What the mirror costs, side by side with plain readings in the same run. `npm run bench -- mirror [--json FILE] [quick] [LOCKSxOTHERS …]`

import type { Redis } from "ioredis";
import { Inventory } from "@/lib/inventory";
import { createMasters, systemClock } from "@/lib/redis";
import {
  type BenchRow,
  commandsDone,
  heapBytes,
  median,
  percentile,
  rounded,
  serverCpuSeconds,
  sleep,
  startPinger,
  startWriter,
} from "../support/bench";
import { startRedisServers, type TestServer } from "../support/redis-server";
import { until } from "../support/until";

const NODES = 5;
const LOCK = "0123456789abcdef0123456789abcde";

interface Watched {
  readonly inventory: Inventory;
  /** Resolves when nothing was told for a second. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a mirror over the servers and waits until everything is read. */
async function watch(servers: readonly TestServer[]): Promise<Watched> {
  const masters = createMasters(
    servers.map(({ url }) => url),
    { nodeTimeoutMs: 2000 },
  );
  await until(() => masters.every((master) => master.status().state !== "down"), "the nodes to be up", 20_000);
  const inventory = new Inventory({
    masters,
    clock: systemClock,
    wallClock: Date.now,
    patterns: ["lock:*"],
    listsEverything: true,
    maxTtlMs: null,
    incidents: null,
    // What a slow reading costs is measured by itself.
    verifyEveryMs: 3_600_000,
    ownedByConsole: () => null,
  });
  let toldAt = performance.now();
  inventory.subscribe(() => {
    toldAt = performance.now();
  });
  void inventory.start();
  const isDone = () => inventory.scan().nodes.every(({ mode, state }) => mode === "tracking" && state === "complete");
  await until(isDone, "everything to be read", 300_000);
  return {
    inventory,
    quiet: () => until(() => performance.now() - toldAt > 1000, "all to be told", 300_000),
    async stop() {
      inventory.stop();
      await Promise.all(masters.map((master) => master.close()));
    },
  };
}

/** Locks and other keys on every server, none of which ends within the run. */
async function fill(servers: readonly TestServer[], locks: number, others: number): Promise<void> {
  await Promise.all(
    servers.map(async ({ client }) => {
      if (others > 0) await client.call("DEBUG", "POPULATE", String(others), "other", "32");
      for (let from = 0; from < locks; from += 10_000) {
        const pipeline = client.pipeline();
        for (let index = from; index < Math.min(locks, from + 10_000); index += 1) {
          pipeline.set(`lock:${index}`, `${LOCK}${index}`.slice(-32), "PX", 3_600_000 + index);
        }
        await pipeline.exec();
      }
    }),
  );
}

async function readPlainly(client: Redis): Promise<number> {
  let count = 0;
  for (let cursor = "0"; ; ) {
    const [next, keys] = await client.scan(cursor, "MATCH", "lock:*", "COUNT", 1000);
    if (keys.length > 0) {
      const pipeline = client.pipeline();
      for (const key of keys) pipeline.get(key).pttl(key);
      count += ((await pipeline.exec()) ?? []).length / 2;
    }
    if (next === "0") return count;
    cursor = next;
  }
}

const cpuOf = async (servers: readonly TestServer[]) => {
  const each = await Promise.all(servers.map(({ client }) => serverCpuSeconds(client)));
  return each.reduce((sum, seconds) => sum + seconds, 0);
};

/** A whole reading of all nodes at once: the mirror's, with its pauses, against SCAN with GET and PTTL in pipelines. */
async function readings(servers: readonly TestServer[], locks: number, others: number, rounds: number) {
  const methods = {
    "SCAN + pipelined GET, PTTL": () => Promise.all(servers.map(({ client }) => readPlainly(client))),
    "the mirror": async () => (await watch(servers)).stop(),
  };
  const found = new Map(
    Object.keys(methods).map((name) => [name, { seconds: [], cpu: [], client: [], p99: [] } as Figures]),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, read] of Object.entries(methods)) {
      const stopPinger = startPinger(servers[0]?.port ?? 0);
      const [cpu, own, startedAt] = [await cpuOf(servers), process.cpuUsage(), performance.now()];
      await read();
      const figures = found.get(name);
      figures?.seconds.push((performance.now() - startedAt) / 1000);
      figures?.cpu.push((await cpuOf(servers)) - cpu);
      figures?.client.push((process.cpuUsage(own).user + process.cpuUsage(own).system) / 1e6);
      figures?.p99.push(percentile(await stopPinger(), 0.99));
    }
  }
  const base = median(found.get("SCAN + pipelined GET, PTTL")?.seconds ?? []);
  return [...found].map(([method, { seconds, cpu, client, p99 }]) => ({
    what: `reading ${locks} locks among ${others} other keys on ${NODES} nodes`,
    method,
    seconds: rounded(median(seconds), 2),
    ratio: rounded(median(seconds) / base, 2),
    serverCpuSeconds: rounded(median(cpu), 2),
    clientCpuSeconds: rounded(median(client), 2),
    otherClientP99Ms: rounded(median(p99)),
  }));
}

interface Figures {
  readonly seconds: number[];
  readonly cpu: number[];
  readonly client: number[];
  readonly p99: number[];
}

/** How long after a change on the nodes the inventory tells it, at 1,000 changes a second. */
async function delays(servers: readonly TestServer[], { inventory }: Watched, locks: number, forMs: number) {
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const unsubscribe = inventory.subscribe(({ changed, removed }) => {
    for (const name of [...changed.map(({ resource }) => resource), ...removed.map(decodeURIComponent)]) {
      const at = sentAt.get(name);
      if (at !== undefined) waits.push(performance.now() - at);
      sentAt.delete(name);
    }
  });
  const startedAt = performance.now();
  const writes: Promise<unknown>[] = [];
  for (let n = 0; performance.now() - startedAt < forMs; ) {
    for (const due = performance.now() - startedAt; n < due; n += 1) {
      // Each is held for half a second.
      const isTaken = n % 2 === 0;
      const name = `lock:d:${((n >> 1) + (isTaken ? 0 : 250)) % 500}`;
      sentAt.set(name, performance.now());
      const write = ({ client }: TestServer) =>
        isTaken ? client.set(name, `${LOCK}${n}`.slice(-32), "PX", 30_000) : client.del(name);
      writes.push(...servers.map(write));
    }
    await sleep(2);
  }
  await Promise.all(writes);
  await sleep(500);
  unsubscribe();
  return {
    what: `change to event, 1,000 changes/s on ${NODES} nodes, ${locks} locks`,
    p50Ms: rounded(percentile(waits, 0.5)),
    p99Ms: rounded(percentile(waits, 0.99)),
    events: waits.length,
  };
}

/** What one node spends meanwhile: share of a core, and commands a second. */
async function costOf(servers: readonly TestServer[], what: string, forMs: number): Promise<BenchRow> {
  const commands = () => Promise.all(servers.map(({ client }) => commandsDone(client)));
  const [cpu, done, startedAt] = [await cpuOf(servers), await commands(), performance.now()];
  await sleep(forMs);
  const seconds = (performance.now() - startedAt) / 1000;
  const doneNow = await commands();
  const perNode = doneNow.map((count, index) => (count - (done[index] ?? 0)) / seconds);
  return {
    what,
    cpuPercentPerNode: rounded(((await cpuOf(servers)) - cpu) / seconds / servers.length / 0.01, 2),
    commandsPerSecondPerNode: Math.round(median(perNode)),
  };
}

async function costs(servers: readonly TestServer[], locks: number, watched: Watched | null, forMs: number) {
  const how = `${watched === null ? "mirror off" : "mirror on"}, ${locks} locks`;
  const rows = [await costOf(servers, `one node, idle, ${how}`, forMs)];
  if (watched !== null) {
    const unsubscribes = Array.from({ length: 50 }, () => watched.inventory.subscribe(() => undefined));
    rows.push(await costOf(servers, `one node, idle, ${how}, 50 listeners`, forMs));
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
  const writers = servers.map(({ port }) => startWriter(port, 5000));
  await sleep(1000);
  rows.push(await costOf(servers, `one node, 5,000 operations/s, ${how}`, forMs));
  await Promise.all(writers.map((stop) => stop()));
  return rows;
}

/** One size: read, kept in memory, followed, and paid for. */
async function atSize(
  locks: number,
  others: number,
  { rounds, forMs, report }: { rounds: number; forMs: number; report: (...rows: readonly BenchRow[]) => void },
): Promise<void> {
  const started = await startRedisServers(NODES, ["--enable-debug-command", "yes"]);
  try {
    const { servers } = started;
    await fill(servers, locks, others);
    report(...(await readings(servers, locks, others, rounds)));
    report(...(await costs(servers, locks, null, forMs)));
    const before = heapBytes();
    const watched = await watch(servers);
    await watched.quiet();
    const megabytes = rounded(((heapBytes() - before) / locks) * 0.1);
    report({ what: `memory per 100,000 locks on ${NODES} nodes, of ${locks}`, megabytes });
    report(await delays(servers, watched, locks, forMs));
    report(...(await costs(servers, locks, watched, forMs)));
    await watched.stop();
  } finally {
    await started.stop();
  }
}

/** @param words sizes as LOCKSxOTHERS instead of the usual two; `quick`: once and briefly, a small size unless asked */
export async function run(words: readonly string[]): Promise<readonly BenchRow[]> {
  const isQuick = words.includes("quick");
  const asked = words.filter((word) => /^\d+x\d+$/.test(word));
  const sizes = asked.length > 0 ? asked : isQuick ? ["1000x10000"] : ["10000x100000", "100000x1000000"];
  const rows: BenchRow[] = [];
  const report = (...found: readonly BenchRow[]) => {
    rows.push(...found);
    for (const row of found) console.info(JSON.stringify(row));
  };
  const effort = isQuick ? { rounds: 1, forMs: 1000 } : { rounds: 3, forMs: 8000 };
  for (const size of sizes) {
    const [locks = 0, others = 0] = size.split("x").map(Number);
    await atSize(locks, others, { ...effort, report });
  }
  return rows;
}
