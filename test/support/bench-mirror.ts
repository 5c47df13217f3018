import type { Redis } from "ioredis";
import { Inventory } from "@/lib/inventory";
import { createMasters, type MasterNode, systemClock } from "@/lib/redis";
import { type BenchRow, median, percentile, rounded, serverCpuSeconds, sleep, startPinger } from "./bench";
import type { TestServer } from "./redis-server";
import { until } from "./until";

const TOKEN_END = "0123456789abcdef0123456789abcde";
const MIRROR = "the mirror";
const PLAINLY = "SCAN + pipelined GET, PTTL";

export interface Watched {
  readonly inventory: Inventory;
  /** Resolves when nothing was told for a second. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** Connects to the servers. */
async function connect(servers: readonly TestServer[]): Promise<readonly MasterNode[]> {
  const urls = servers.map(({ url }) => url);
  const masters = createMasters(urls, { nodeTimeoutMs: 2000 });
  await until(() => masters.every((master) => master.status().state !== "down"), "the nodes to be up", 20_000);
  return masters;
}

/** Starts a mirror over the servers and waits until everything is read. */
export async function watch(servers: readonly TestServer[]): Promise<Watched> {
  return watchOver(await connect(servers));
}

async function watchOver(masters: readonly MasterNode[]): Promise<Watched> {
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

/** A token like those of `node-redlock`, another for each number. */
export function tokenOf(number: number): string {
  return `${TOKEN_END}${number}`.slice(-32);
}

/** Locks and other keys on every server, none of which ends within the run. */
export async function fill(servers: readonly TestServer[], locks: number, others: number): Promise<void> {
  await Promise.all(
    servers.map(async ({ client }) => {
      if (others > 0) await client.call("DEBUG", "POPULATE", String(others), "other", "32");
      for (let from = 0; from < locks; from += 10_000) {
        const pipeline = client.pipeline();
        for (let index = from; index < Math.min(locks, from + 10_000); index += 1) {
          pipeline.set(`lock:${index}`, tokenOf(index), "PX", 3_600_000 + index);
        }
        await pipeline.exec();
      }
    }),
  );
}

/** Seconds of processor time of all servers together. */
export async function cpuOf(servers: readonly TestServer[]): Promise<number> {
  const each = await Promise.all(servers.map(({ client }) => serverCpuSeconds(client)));
  return each.reduce((sum, seconds) => sum + seconds, 0);
}

interface Figures {
  readonly seconds: number[];
  readonly cpu: number[];
  readonly client: number[];
  readonly p99: number[];
}

/** A whole reading of all nodes at once: the mirror's, with its pauses, against SCAN with GET and PTTL in pipelines. */
export async function readings(
  servers: readonly TestServer[],
  { locks, others, rounds }: { readonly locks: number; readonly others: number; readonly rounds: number },
): Promise<readonly BenchRow[]> {
  const idleP99 = await waitsDuring(servers, () => sleep(2000));
  const found = new Map<string, Figures>([PLAINLY, MIRROR].map((name) => [name, noFigures()]));
  for (let round = 0; round < rounds; round += 1) {
    await measure(servers, found.get(PLAINLY), () => Promise.all(servers.map(({ client }) => readPlainly(client))));
    const masters = await connect(servers);
    const mirrors: Watched[] = [];
    await measure(servers, found.get(MIRROR), async () => mirrors.push(await watchOver(masters)));
    for (const mirror of mirrors) await mirror.stop();
  }
  const base = median(found.get(PLAINLY)?.seconds ?? []);
  return [...found].map(([method, { seconds, cpu, client, p99 }]) => ({
    what: `reading ${locks} locks among ${others} other keys`,
    method,
    seconds: rounded(median(seconds), 2),
    ratio: rounded(median(seconds) / base, 2),
    serverCpuSeconds: rounded(median(cpu), 2),
    clientCpuSeconds: rounded(median(client), 2),
    otherClientP99Ms: rounded(median(p99)),
    otherClientIdleP99Ms: rounded(idleP99),
  }));
}

function noFigures(): Figures {
  return { seconds: [], cpu: [], client: [], p99: [] };
}

async function measure(servers: readonly TestServer[], into: Figures | undefined, read: () => Promise<unknown>) {
  const [cpu, own] = [await cpuOf(servers), process.cpuUsage()];
  let tookMs = 0;
  const p99 = await waitsDuring(servers, async () => {
    const startedAt = performance.now();
    await read();
    tookMs = performance.now() - startedAt;
  });
  const { user, system } = process.cpuUsage(own);
  into?.seconds.push(tookMs / 1000);
  into?.cpu.push((await cpuOf(servers)) - cpu);
  into?.client.push((user + system) / 1e6);
  into?.p99.push(p99);
}

/** @returns how long another client of the first server waits for an answer meanwhile, p99, milliseconds */
async function waitsDuring(servers: readonly TestServer[], work: () => Promise<void>): Promise<number> {
  const stopPinger = await startPinger(servers[0]?.port ?? 0);
  await work();
  return percentile(await stopPinger(), 0.99);
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
