// What a list costs on the server: a synthetic ledger, filtered, sorted and paged as the API does it. Nothing is asserted: figures.

import { locksQuerySchema } from "@/lib/contract";
import { Ledger } from "@/lib/inventory/ledger";
import { pageOf } from "@/lib/inventory/page";
import { PageFeed } from "@/lib/inventory/page-feed";
import type { NodeStand } from "@/lib/inventory/sighting";
import type { ViewContext } from "@/lib/inventory/view";
import { monotonicMs, nodeId } from "@/lib/redlock";

const NODES = ["a", "b", "c", "d", "e"].map((name) => nodeId(name));
const ROUNDS = 50;
const CHANGES = 100;

const QUERIES: readonly (readonly [label: string, query: Record<string, string>])[] = [
  ["worst first, first page", {}],
  ["by name, in the middle", { sort: "resource", offset: "50000" }],
  ["by remaining time, from the end", { sort: "-remaining" }],
  ["part of a name", { q: "orders:42" }],
  ["a verdict", { verdict: "leftover" }],
  ["a holder", { q: "holder:00f", sort: "resource" }],
  ["a bound on time", { q: "ttl<35s" }],
];

/** Prints one line per figure. @param words how many locks there are, 100,000 when not given @returns the lines */
export function run([words]: readonly string[]): readonly string[] {
  const locks = words === undefined ? 100_000 : Number(words);
  const lines: string[] = [];
  const print = (line: string): void => {
    lines.push(line);
    process.stdout.write(`${line}\n`);
  };
  const ledger = new Ledger({ listsEverything: true, maxTtlMs: null, incidents: null });
  let now = 1_000_000;
  let votingNodes = NODES.length;
  const contextNow = (): ViewContext => ({
    now: monotonicMs(now),
    readAt: 1_800_000_000_000 + Math.round(now),
    votingNodes,
    isQuarantined: () => false,
  });
  const before = process.memoryUsage().heapUsed;
  const fillMs = timed(() => {
    for (let index = 0; index < locks; index += 1) judge(ledger, index, 0, contextNow());
  });
  globalThis.gc?.();
  const heapMb = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  print(`${locks} locks judged in ${fillMs.toFixed(0)} ms, ${heapMb.toFixed(0)} MB of heap with stands and history`);
  let version = 1;
  for (const [label, given] of QUERIES) {
    const query = locksQuerySchema.parse(given);
    const ask = () => pageOf(ledger, query, contextNow());
    const firstMs = timed(ask);
    const unchanged = repeated(ask);
    const changed = repeated(ask, () => {
      now += 1;
      version += 1;
      for (let index = 0; index < CHANGES; index += 1)
        judge(ledger, (index * 977 + version) % locks, version, contextNow());
    });
    const { total } = ask();
    print(
      `${label}: ${total} fit; first ${firstMs.toFixed(1)} ms, unchanged ${unchanged}, after ${CHANGES} changes ${changed}`,
    );
  }
  const query = locksQuerySchema.parse({});
  const feeds = Array.from({ length: 50 }, (_, index) => {
    const view = { ...query, offset: index * 100, limit: 200, watch: [] };
    return new PageFeed(ledger, view, { context: contextNow, scan: () => ({ complete: 5, n: 5, nodes: [] }) });
  });
  for (const feed of feeds) feed.first();
  const tellAll = () => {
    for (const feed of feeds) feed.next();
  };
  const judgeSome = () => {
    now += 1;
    version += 1;
    for (let index = 0; index < CHANGES; index += 1) judge(ledger, index * 7, version, contextNow());
  };
  print(`differences for 50 open pages after ${CHANGES} changes: ${repeated(tellAll, judgeSome)}`);
  votingNodes = 2;
  const stretches: number[] = [];
  for (let held = locks; held > 0; now += 50) {
    stretches.push(
      timed(() => {
        held = ledger.rows.counters(contextNow()).counts.held;
      }),
    );
  }
  const allMs = stretches.reduce((sum, ms) => sum + ms, 0);
  const longest = `${stretches.length} stretches, the longest ${Math.max(...stretches).toFixed(0)} ms`;
  print(`every held lock put at risk because a quorum no longer votes: ${allMs.toFixed(0)} ms in ${longest}`);
  return lines;
}

function judge(ledger: Ledger, index: number, version: number, context: ViewContext): void {
  const isLeftover = index % 50 === 0;
  const fingerprint = ((index * 2654435761 + version) >>> 0).toString(16).padStart(8, "0");
  const remainingMs = index % 97 === 0 ? null : 30_000 + ((index * 7919 + version) % 600_000);
  const stands = NODES.map((node, at): NodeStand => {
    const isThere = !isLeftover || at < 2;
    const times = { remainingMs, sentAt: context.now, receivedAt: context.now };
    const sighting = isThere ? { type: "string", fingerprint, recognition: null, ...times } : null;
    return { node, sighting, silent: null, roundTripMs: 0.4 };
  });
  ledger.judge(`orders:${index}:step`, stands, context, true);
}

/** Milliseconds of processor time: on a machine that does other things as well, the clock on the wall tells of those. */
function timed(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function repeated(run: () => unknown, prepare: () => void = () => undefined): string {
  const times = Array.from({ length: ROUNDS }, () => {
    prepare();
    return timed(run);
  }).sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2);
  return `${at(0.5)} ms (p99 ${at(0.99)})`;
}
