import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRuntime } from "@/lib/runtime";
import { callApi } from "./api";
import { type BenchRow, percentile, rounded, sleep } from "./bench";
import { type Change, startChanger, waitsOf } from "./bench-changer";
import type { TestServer } from "./redis-server";
import { until } from "./until";

const CHANGES_PER_SECOND = 1000;

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
  const told: Change[] = [];
  const take = (text: string) => {
    const at = performance.timeOrigin + performance.now();
    for (const name of namesIn(text)) told.push({ name, at });
  };
  const closes = await Promise.all([open(take), ...Array.from({ length: count - 1 }, () => open(null))]);
  const stopChanging = startChanger(
    servers.map(({ port }) => port),
    CHANGES_PER_SECOND,
  );
  await until(() => told.length > CHANGES_PER_SECOND, "the changes to have begun", 60_000);
  const [from, cpu, startedAt] = [performance.timeOrigin + performance.now(), process.cpuUsage(), performance.now()];
  await sleep(forMs);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1000;
  const changes = await stopChanging();
  await sleep(500);
  await Promise.all(closes.map((close) => close()));
  const measured = changes.filter(({ at }) => at >= from);
  const waits = waitsOf(measured, told);
  return {
    what: `change to event of the stream, ${locks} locks`,
    streams: count,
    changesPerSecond: Math.round(measured.length / seconds),
    p50Ms: rounded(percentile(waits, 0.5)),
    p99Ms: rounded(percentile(waits, 0.99)),
    processCpuPercent: rounded((user + system) / 1e4 / seconds),
    toldPercent: rounded((waits.length / measured.length) * 100),
  };
}

/** An open event stream. @param take hears of each event; null: nobody reads what arrives @returns ends it */
async function open(take: ((event: string) => void) | null): Promise<() => Promise<void>> {
  const { body } = await callApi("events");
  if (body === null) throw new Error("the event stream has no body");
  const reader = body.getReader();
  const read = async () => {
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (take === null) continue;
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
