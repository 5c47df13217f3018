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
  "slow-fsync",
  "kill-empty",
  "flush",
  "clock-step",
] as const;

export type NemesisKind = (typeof NEMESES)[number];

/**
 * These make a node forget its votes, all of them or before their time, which Redlock survives only with a guard that keeps such a
 * node out for a TTL.
 */
const FORGETTING: readonly NemesisKind[] = ["kill-empty", "flush", "clock-step"];

/** Inflicted from within the server, by the shim that has to be compiled (`lib/cluster/server-shim.c`). */
export const SHIMMED: readonly NemesisKind[] = ["slow-fsync", "clock-step"];

/** With fewer nodes nobody could say whose clock is wrong. */
export const CLOCK_NODES_MIN = 3;

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
  /** How late each piece is, for `delay`; how long each sync takes, for `slow-fsync`; how far ahead the clock is, for `clock-step`. */
  readonly byMs: number;
}

export interface PlanRequest {
  readonly seed: number;
  readonly spanMs: number;
  readonly nemeses: readonly NemesisKind[];
  readonly nodes: number;
  readonly workers: number;
  readonly ttlMs: number;
  readonly nodeTimeoutMs: number;
}

/** One run in so many moments takes more nodes than a quorum can spare. */
const TOO_MANY = 0.15;

/** Between two faults of one node, so that each is met in earnest. */
const REST_MS = 150;

/** The faults of one run: the same seed gives the same plan. Every kind has its turn before one comes again. */
export function planFaults(request: PlanRequest): readonly PlannedFault[] {
  const { seed, spanMs, nodes, workers } = request;
  const nemeses = request.nemeses.filter((kind) => kind !== "clock-step" || nodes >= CLOCK_NODES_MIN);
  const random = new SeededRandom(seed);
  const below = (limit: number): number => Math.floor(limit * random.fraction());
  const spare = Math.ceil(nodes / 2) - 1;
  const planned: PlannedFault[] = [];
  let bag: NemesisKind[] = [];
  for (let atMs = 200; atMs < spanMs; atMs += 80 + below(350)) {
    const running = planned.filter((fault) => fault.atMs + fault.forMs + REST_MS > atMs);
    const busyNodes = new Set(running.flatMap(({ kind, node }) => (kind === "pause-client" ? [] : [node])));
    const mayTakeMore = busyNodes.size < spare || random.fraction() < TOO_MANY;
    const freeFor = (kind: NemesisKind): readonly number[] => {
      if (kind !== "pause-client" && !mayTakeMore) return [];
      const targets = Array.from({ length: kind === "pause-client" ? workers : nodes }, (_, index) => index);
      return targets.filter((target) => !running.some((fault) => mustTakeTurns(fault, aimed(kind, target))));
    };
    if (bag.length === 0) bag = [...nemeses];
    // Nothing new is taken from the next bag while one of this still waits: the easiest to inflict would crowd out the others.
    const kinds = bag.filter((kind) => freeFor(kind).length > 0);
    const kind = kinds[below(kinds.length)];
    const target = kind === undefined ? undefined : freeFor(kind)[below(freeFor(kind).length)];
    if (kind === undefined || target === undefined) continue;
    bag.splice(bag.indexOf(kind), 1);
    const aim = aimed(kind, target);
    const worker = aim.worker ?? (random.fraction() < 0.3 ? null : below(workers));
    const direction = (["requests", "replies", "both"] as const)[below(3)] ?? "both";
    planned.push({
      ...aim,
      worker,
      atMs,
      forMs: lengthMs(kind, below, request),
      direction,
      byMs: by(kind, below, request),
    });
  }
  return planned;
}

type Below = (limit: number) => number;

function aimed(kind: NemesisKind, target: number): Pick<PlannedFault, "kind" | "node" | "worker"> {
  return kind === "pause-client" ? { kind, node: 0, worker: target } : { kind, node: target, worker: null };
}

/**
 * Whether one of two faults has to wait for the end of the other.
 *
 * While a clock is wrong no client stands still and no other clock is wrong: a client that slept through a step forth and back never
 * heard of it, and against a wrong majority nobody could hold. Both are outside of the model (`safety.md`, section 4.2).
 */
export function mustTakeTurns(
  a: Pick<PlannedFault, "kind" | "node" | "worker">,
  b: Pick<PlannedFault, "kind" | "node" | "worker">,
): boolean {
  const kinds = [a.kind, b.kind];
  if (kinds.includes("pause-client")) return a.kind === b.kind ? a.worker === b.worker : kinds.includes("clock-step");
  return a.node === b.node || (a.kind === b.kind && a.kind === "clock-step");
}

/** How often a client asks each node for its time when it has no other reason to, and what that may take on a busy machine. */
const NOTICED_WITHIN_MS = 1000 + 500;

function lengthMs(kind: NemesisKind, below: Below, { ttlMs }: PlanRequest): number {
  switch (kind) {
    case "reset":
    case "flush":
      return 0;
    case "clock-step":
      // Long enough for every client to notice it, and then for every lock to end that was taken until then: the step back that
      // heals it is a step forward for keys that a slow clock has granted.
      return NOTICED_WITHIN_MS + Math.ceil(1.01 * ttlMs) + below(ttlMs);
    default:
      // Shorter and longer than a lock lives: both sides of the end of a validity.
      return 50 + below(1.4 * ttlMs);
  }
}

function by(kind: NemesisKind, below: Below, request: PlanRequest): number {
  if (kind === "clock-step") return clockStepMs(below, request);
  // Beyond the time limit of a request, too: the vote is given, and its answer comes too late.
  return kind === "slow-fsync" ? 10 + below(400) : 5 + below(120);
}

/** Clocks that are further than this from the others' lose their vote. */
const TOLERANCE_MS = 500;

/**
 * Far off or hardly at all, forward or back.
 *
 * Far: beyond the tolerance by more than a request may take, since the latest time of execution in each vote is what tells a client of a
 * step before it counts the vote. Hardly: even twice that, back from one and forth by the next, within the drift that a validity
 * allows for (1 % of the TTL). In between a key may end early by up to the tolerance without anybody being told, which the
 * algorithm does not cover unless twice the tolerance is taken off the validity (`safety.md`, R11).
 */
function clockStepMs(below: Below, { ttlMs, nodeTimeoutMs }: PlanRequest): number {
  const direction = below(2) === 0 ? -1 : 1;
  const hardlyMs = Math.max(1, Math.floor(ttlMs / 200));
  if (below(4) === 0) return direction * (1 + below(hardlyMs));
  return direction * (TOLERANCE_MS + 200 + nodeTimeoutMs + below(5000));
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
    case "clock-step":
      return `${kind}: node ${node} ${Math.abs(byMs)} ms ${byMs > 0 ? "ahead" : "behind"} for ${forMs} ms`;
    case "slow-fsync":
      return `${kind}: node ${node}, ${byMs} ms each, for ${forMs} ms`;
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
