import { SeededRandom } from "@/lib/redlock";

/** Everything that can go wrong. */
export const NEMESES = [
  "pause-node",
  "pause-client",
  "kill-aof",
  "hold",
  "hole",
  "delay",
  "reset",
  "kill-empty",
  "flush",
] as const;

export type NemesisKind = (typeof NEMESES)[number];

/** These make a node forget its votes, which Redlock survives only with a guard that keeps such a node out for a TTL. */
const FORGETTING: readonly NemesisKind[] = ["kill-empty", "flush"];

/** What every correct Redlock must survive, guarded or not. */
export const REMEMBERING = NEMESES.filter((kind) => !FORGETTING.includes(kind));

/** Which way of a connection is affected. */
export type Direction = "requests" | "replies" | "both";

/** One fault to be inflicted; it heals itself. Times are milliseconds from the start of the run. */
export interface PlannedFault {
  readonly kind: NemesisKind;
  readonly node: number;
  /** Whose connection to the node, or which process; null = the connections of every worker. */
  readonly worker: number | null;
  readonly atMs: number;
  readonly forMs: number;
  readonly direction: Direction;
  /** How late each piece is, for `delay`. */
  readonly byMs: number;
}

export interface PlanRequest {
  readonly seed: number;
  readonly spanMs: number;
  readonly nemeses: readonly NemesisKind[];
  readonly nodes: number;
  readonly workers: number;
  readonly ttlMs: number;
}

/** One run in so many moments takes more nodes than a quorum can spare. */
const TOO_MANY = 0.15;

/** The faults of one run: the same seed gives the same plan. Every kind has its turn before one comes again. */
export function planFaults(request: PlanRequest): readonly PlannedFault[] {
  const { seed, spanMs, nemeses, nodes, workers, ttlMs } = request;
  if (nemeses.length === 0) return [];
  const random = new SeededRandom(seed);
  const below = (limit: number): number => Math.floor(limit * random.fraction());
  const busyUntil = { node: Array<number>(nodes).fill(0), worker: Array<number>(workers).fill(0) };
  const spare = Math.ceil(nodes / 2) - 1;
  const planned: PlannedFault[] = [];
  let bag: NemesisKind[] = [];
  for (let atMs = 200; atMs < spanMs; atMs += 80 + below(350)) {
    if (bag.length === 0) bag = [...nemeses];
    const [kind] = bag.splice(below(bag.length), 1);
    if (kind === undefined) break;
    const targets = kind === "pause-client" ? busyUntil.worker : busyUntil.node;
    const free = targets.flatMap((until, index) => (until < atMs ? [index] : []));
    const mayTakeMore = kind === "pause-client" || nodes - free.length < spare || random.fraction() < TOO_MANY;
    const target = free[below(free.length)];
    if (target === undefined || !mayTakeMore) {
      bag.push(kind);
      continue;
    }
    // Shorter and longer than a lock lives: both sides of the end of a validity.
    const forMs = kind === "reset" || kind === "flush" ? 0 : 50 + below(1.4 * ttlMs);
    targets[target] = atMs + forMs + 150;
    const worker = kind === "pause-client" ? target : random.fraction() < 0.3 ? null : below(workers);
    const direction = (["requests", "replies", "both"] as const)[below(3)] ?? "both";
    planned.push({
      kind,
      node: kind === "pause-client" ? 0 : target,
      worker,
      atMs,
      forMs,
      direction,
      byMs: 5 + below(120),
    });
  }
  return planned;
}

/** In words, for the log of a run. */
export function describeFault({ kind, node, worker, direction, byMs, forMs }: PlannedFault): string {
  const where = worker === null ? `node ${node} for every worker` : `node ${node} for worker ${worker}`;
  switch (kind) {
    case "pause-client":
      return `${kind}: worker ${worker} for ${forMs} ms`;
    case "pause-node":
    case "kill-aof":
    case "kill-empty":
      return `${kind}: node ${node} for ${forMs} ms`;
    case "flush":
      return `${kind}: node ${node}`;
    case "reset":
      return `${kind}: ${where}`;
    case "delay":
      return `${kind}: ${where}, ${byMs} ms each way, for ${forMs} ms`;
    case "hold":
    case "hole":
      return `${kind}: ${where}, ${direction}, for ${forMs} ms`;
    default:
      return kind satisfies never;
  }
}
