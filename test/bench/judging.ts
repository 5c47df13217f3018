// What judging one lock costs, without any node: `npm run bench -- judging [--json FILE] [LOCKS …]`

import { randomBytes } from "node:crypto";
import { IncidentWatch } from "@/lib/incidents";
import { Ledger } from "@/lib/inventory/ledger";
import { type NodeStand, sightingOf } from "@/lib/inventory/sighting";
import type { ViewContext } from "@/lib/inventory/view";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { monotonicMs, nodeId } from "@/lib/redlock";
import { type BenchRow, rounded } from "../support/bench";

const NODES = ["a", "b", "c", "d", "e"].map(nodeId);
const TTL_MS = 600_000;

/** What five nodes say of each lock, read at `at`. */
function readingsAt(names: readonly string[], tokens: readonly Buffer[], at: number): NodeStand[][] {
  const times = { sentAt: monotonicMs(at), receivedAt: monotonicMs(at + 1) };
  return names.map((resource, index) => {
    const value = tokens[index] ?? Buffer.alloc(0);
    const reading = { resource, type: "string", value, elements: null, remainingMs: TTL_MS } as const;
    const first = sightingOf(reading, times, KNOWN_LAYOUTS);
    return NODES.map((node) => {
      const sighting = sightingOf(reading, times, KNOWN_LAYOUTS, [first]);
      return { node, sighting, silent: null, roundTripMs: 1 };
    });
  });
}

/** Judges all locks a few times over: new, the same again, without one node's word, with it, and renewed. */
function judgeAll(locks: number): readonly BenchRow[] {
  const names = Array.from({ length: locks }, (_, index) => `orders:${index}`);
  const tokens = names.map(() => Buffer.from(randomBytes(16).toString("hex")));
  const incidents = new IncidentWatch({ nodes: () => [], since: 0 });
  const ledger = new Ledger({ listsEverything: false, maxTtlMs: null, incidents });
  const known = readingsAt(names, tokens, 1000);
  const silent = known.map((stands) =>
    stands.map((stand, index) => (index === 0 ? { ...stand, silent: "no answer within the time limit" } : stand)),
  );
  const steps: readonly (readonly [string, number, readonly (readonly NodeStand[])[]])[] = [
    ["new", 1100, known],
    ["the same again", 1600, known],
    ["one node silent", 2100, silent],
    ["the node heard again", 2600, known],
    ["renewed", 4100, readingsAt(names, tokens, 4000)],
  ];
  return steps.map(([what, now, readings]) => {
    const context: ViewContext = { now: monotonicMs(now), readAt: now, votingNodes: 5, isQuarantined: () => false };
    const cpu = process.cpuUsage();
    let changed = 0;
    for (const [index, stands] of readings.entries()) {
      if (ledger.judge(names[index] ?? "", stands, context, true).kind === "changed") changed += 1;
    }
    const { user, system } = process.cpuUsage(cpu);
    return { what: `judging ${locks} locks: ${what}`, usPerLock: rounded((user + system) / locks), changed };
  });
}

/** @param words how many locks, instead of the usual */
export async function run(words: readonly string[]): Promise<readonly BenchRow[]> {
  const sizes = words.filter((word) => /^\d+$/.test(word)).map(Number);
  judgeAll(5000);
  const rows = (sizes.length > 0 ? sizes : [20_000, 100_000]).flatMap(judgeAll);
  for (const row of rows) console.info(JSON.stringify(row));
  return rows;
}
