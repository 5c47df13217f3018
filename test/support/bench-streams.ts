import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRuntime } from "@/lib/runtime";
import { callApi } from "./api";
import { type BenchRow, percentile, rounded, sleep } from "./bench";
import { tokenOf } from "./bench-mirror";
import type { TestServer } from "./redis-server";
import { until } from "./until";

/** Each lock of these is held for half a second, so that 500 of them change a thousand times a second. */
const NAMES = 500;
const CHANGES_PER_MS = 1;

/** The whole console over the servers, its event stream open as often as asked: change to event, and what the streams cost. */
export async function streams(
  servers: readonly TestServer[],
  { locks, forMs, counts }: { readonly locks: number; readonly forMs: number; readonly counts: readonly number[] },
): Promise<readonly BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "redlock-bench-data-"));
  process.env.REDLOCK_NODES = servers.map(({ url }) => url).join(",");
  process.env.REDLOCK_NODE_TIMEOUT_MS = "2000";
  process.env.REDLOCK_KEY_PATTERNS = "lock:*";
  process.env.REDLOCK_READ_ONLY = "true";
  process.env.REDLOCK_DATA_DIR = dataDir;
  process.env.REDLOCK_LOG_LEVEL = "error";
  const runtime = await getRuntime();
  const rows: BenchRow[] = [];
  try {
    const isReady = () => {
      const { complete, n, unjudged } = runtime.inventory.scan();
      return complete === n && unjudged === undefined;
    };
    await until(isReady, "everything to be read and judged", 120_000);
    for (const count of counts) rows.push(await withStreams(servers, { locks, forMs, count }));
  } finally {
    await runtime.shutdown();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return rows;
}

async function withStreams(
  servers: readonly TestServer[],
  { locks, forMs, count }: { readonly locks: number; readonly forMs: number; readonly count: number },
): Promise<BenchRow> {
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const take = (text: string) => {
    for (const name of namesIn(text)) {
      const at = sentAt.get(name);
      if (at !== undefined) waits.push(performance.now() - at);
      sentAt.delete(name);
    }
  };
  const closes = await Promise.all(
    Array.from({ length: count }, (_, index) => open(index === 0 ? take : () => undefined)),
  );
  await sleep(1000);
  waits.length = 0;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const sent = await change(servers, sentAt, forMs);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await sleep(500);
  await Promise.all(closes.map((close) => close()));
  return {
    what: `change to event of the stream, ${locks} locks`,
    streams: count,
    changesPerSecond: Math.round(sent / seconds),
    p50Ms: rounded(percentile(waits, 0.5)),
    p99Ms: rounded(percentile(waits, 0.99)),
    // The client that makes the changes lives in this process too.
    processCpuPercent: rounded((user + system) / 1e4 / seconds),
    eventsSeen: waits.length,
  };
}

/** Takes and gives back locks on all servers, past the console. @returns how many changes it made */
async function change(servers: readonly TestServer[], sentAt: Map<string, number>, forMs: number): Promise<number> {
  const startedAt = performance.now();
  const writes: Promise<unknown>[] = [];
  let n = 0;
  while (performance.now() - startedAt < forMs) {
    for (const due = (performance.now() - startedAt) * CHANGES_PER_MS; n < due; n += 1) {
      const isTaken = n % 2 === 0;
      const name = `lock:d:${((n >> 1) + (isTaken ? 0 : NAMES / 2)) % NAMES}`;
      sentAt.set(name, performance.now());
      for (const { client } of servers) {
        writes.push(isTaken ? client.set(name, tokenOf(n), "PX", 30_000) : client.del(name));
      }
    }
    await sleep(2);
  }
  await Promise.all(writes);
  return n;
}

/** An open event stream. @param take hears of each event @returns ends it */
async function open(take: (event: string) => void): Promise<() => Promise<void>> {
  const { body } = await callApi("events");
  if (body === null) throw new Error("the event stream has no body");
  const reader = body.getReader();
  const read = async () => {
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) take(event);
    }
  };
  const reading = read();
  return async () => {
    await reader.cancel();
    await reading;
  };
}

/** The locks that an event tells of as changed or gone. */
function namesIn(event: string): readonly string[] {
  if (!event.includes("\nevent: locks\n")) return [];
  const line = event.split("\n").find((one) => one.startsWith("data: ")) ?? "";
  const told = JSON.parse(line.slice("data: ".length)) as { changed: { resource: string }[]; removed: string[] };
  return [...told.changed.map(({ resource }) => resource), ...told.removed.map(decodeURIComponent)];
}
