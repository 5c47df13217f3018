// What the mirror costs, side by side with plain readings in the same run:
// `npm run bench -- mirror [--json FILE] [quick] [reading] [following] [streams] [judging] [LOCKSxOTHERS …]`

import { type BenchRow, commandsDone, heapBytes, median, rounded, sleep, startWriter } from "../support/bench";
import { cpuOf, fill, readings, type Watched, watch } from "../support/bench-mirror";
import { streams } from "../support/bench-streams";
import { startRedisServers, type TestServer } from "../support/redis-server";
import { until } from "../support/until";
import { run as judging } from "./judging";

const NODES = 5;
const OPERATIONS_PER_SECOND = 5000;
const PARTS = ["reading", "following", "streams", "judging"] as const;

interface Effort {
  readonly rounds: number;
  readonly forMs: number;
  readonly parts: readonly string[];
  report(...rows: readonly BenchRow[]): void;
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
  const writers = servers.map(({ port }) => startWriter(port, OPERATIONS_PER_SECOND));
  await untilWriting(servers);
  rows.push(await costOf(servers, `one node, ${OPERATIONS_PER_SECOND} operations/s, ${how}`, forMs));
  await Promise.all(writers.map((stop) => stop()));
  return rows;
}

/** On a busy machine a process takes seconds to start. */
async function untilWriting(servers: readonly TestServer[]): Promise<void> {
  for (const { client } of servers) {
    const before = await commandsDone(client);
    await until(async () => (await commandsDone(client)) > before + OPERATIONS_PER_SECOND / 2, "a writer", 60_000);
  }
}

/** One size: read, kept in memory, followed, and paid for. */
async function atSize(locks: number, others: number, { rounds, forMs, parts, report }: Effort, isLast: boolean) {
  const started = await startRedisServers(NODES, ["--enable-debug-command", "yes"]);
  try {
    const { servers } = started;
    await fill(servers, locks, others);
    if (parts.includes("reading")) report(...(await readings(servers, { locks, others, rounds })));
    if (parts.includes("following")) {
      report(...(await costs(servers, locks, null, forMs)));
      const before = heapBytes();
      const watched = await watch(servers);
      await watched.quiet();
      const megabytes = rounded(((heapBytes() - before) / locks) * 0.1);
      report({ what: `memory per 100,000 locks on ${NODES} nodes, of ${locks}`, megabytes });
      report(...(await costs(servers, locks, watched, forMs)));
      await watched.stop();
    }
    // A process has one console.
    if (isLast && parts.includes("streams")) report(...(await streams(servers, { locks, forMs, counts: [1, 50] })));
  } finally {
    await started.stop();
  }
}

/**
 * @param words parts, all of them when none is named; sizes as LOCKSxOTHERS instead of the usual two; `quick`: once and briefly, a
 *   small size unless asked
 */
export async function run(words: readonly string[]): Promise<readonly BenchRow[]> {
  const isQuick = words.includes("quick");
  const named = PARTS.filter((part) => words.includes(part));
  const parts = named.length > 0 ? named : PARTS;
  const asked = words.filter((word) => /^\d+x\d+$/.test(word));
  const sizes = asked.length > 0 ? asked : isQuick ? ["1000x10000"] : ["10000x100000", "100000x1000000"];
  const rows: BenchRow[] = [];
  const report = (...found: readonly BenchRow[]) => {
    rows.push(...found);
    for (const row of found) console.info(JSON.stringify(row));
  };
  const effort = { ...(isQuick ? { rounds: 1, forMs: 1000 } : { rounds: 3, forMs: 8000 }), parts, report };
  if (parts.includes("judging")) rows.push(...(await judging(sizes.map((size) => size.split("x")[0] ?? ""))));
  for (const [index, size] of sizes.entries()) {
    const [locks = 0, others = 0] = size.split("x").map(Number);
    await atSize(locks, others, effort, index === sizes.length - 1);
  }
  return rows;
}
