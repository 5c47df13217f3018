import { type LockSet, lockSetOfList } from "@/lib/client/lock-set";
import { FIRST_PLACE } from "@/lib/client/stream-target";
import type { Cluster, ClusterNode, Incident, LockDetail, LockList, LockView, Reading, Scan } from "@/lib/contract";
import { isProblem, resourceIdOf } from "@/lib/contract";

// Answers of the API as the pages get them, small and whole, for tests of the browser side.

export const NODE_IDS = ["a", "b", "c", "d", "e"] as const;

/** A reading per node: a fingerprint with its remaining time, `-` free, `?` unknown, `!` foreign. */
export type ReadingSpec = readonly [fingerprint: string, remainingMs: number | null] | "-" | "?" | "!";

const READ_AT = 1_800_000_000_000;

export function readingOf(node: string, spec: ReadingSpec): Reading {
  const common = { node, quarantined: false, roundTripMs: 0.5, fingerprint: null, remainingMs: null, type: null };
  if (spec === "-") return { ...common, reading: "free", reason: null };
  if (spec === "?") return { ...common, reading: "unknown", reason: "no answer in 50 ms", roundTripMs: null };
  if (spec === "!")
    return { ...common, reading: "foreign", reason: "a key of type hash", type: "hash", remainingMs: 9000 };
  return { ...common, reading: "token", fingerprint: spec[0], remainingMs: spec[1], type: "string", reason: null };
}

/** One lock; what the verdict says must fit the readings. */
export function lockView(
  verdict: LockView["verdict"],
  specs: readonly ReadingSpec[],
  over: Partial<LockView> = {},
): LockView {
  const resource = over.resource ?? "orders:42";
  const nodes = specs.map((spec, index) => readingOf(NODE_IDS[index] ?? `n${index}`, spec));
  const held = nodes.filter(({ reading }) => reading === "token");
  const fingerprint = held[0]?.fingerprint ?? null;
  const votes = held.filter((reading) => reading.fingerprint === fingerprint).length;
  return {
    id: resourceIdOf(resource),
    resource,
    readAt: READ_AT,
    layout: { id: "redlock-hex", label: "node-redlock or compatible", confidence: "probable" },
    verdict,
    holder: fingerprint === null || verdict === "split" ? null : { fingerprint, label: null },
    votes,
    margin: votes - 2,
    heldForAtLeastMs: 20_000,
    freeFromMs: 20_200,
    noExpiry: held.some(({ remainingMs }) => remainingMs === null),
    firstSeenAt: READ_AT - 5000,
    renewals: 0,
    fullMs: 30_000,
    usualHoldMs: null,
    revoked: false,
    evidence: [],
    nodes,
    ...over,
  };
}

export const HELD_SPECS: readonly ReadingSpec[] = NODE_IDS.map(() => ["8f3a91c2", 20_400] as const);

export function lockDetail(lock: LockView = lockView("held", HELD_SPECS), over: Partial<LockDetail> = {}): LockDetail {
  return {
    ...lock,
    timeline: [],
    hints: [],
    obstacles: lock.nodes.map(({ node }) => ({
      node,
      canAcquire: false,
      reason: "Holds token 8f3a91c2.",
      freeInMs: 20_400,
    })),
    nextChance: { inMs: 20_400, text: "Now 0 of 5 nodes would grant it, a majority is 3." },
    usual: { resource: null, pattern: null },
    waiters: { visible: false, count: null, order: null, note: "Not visible with this client." },
    ownedByConsole: null,
    quorum: 3,
    n: 5,
    ...over,
  };
}

export function scanOf(complete: number, reason = "connection refused"): Scan {
  return {
    complete,
    n: 5,
    nodes: NODE_IDS.map((node, index) => {
      const isRead = index < complete;
      return {
        node,
        state: isRead ? "complete" : "unread",
        reason: isRead ? null : reason,
        mode: isRead ? "tracking" : "polling",
        modeReason: isRead ? null : "connecting",
        keys: isRead ? 1 : 0,
        progress: null,
        keysPerSecond: null,
        ageMs: isRead ? 200 : null,
      };
    }),
  };
}

export function lockList(locks: readonly LockView[], over: Partial<LockList> = {}): LockList {
  const counts = { held: 0, at_risk: 0, possibly_held: 0, split: 0, leftover: 0, free: 0 };
  for (const { verdict } of locks) counts[verdict] += 1;
  return {
    readAt: READ_AT,
    locks: [...locks],
    total: locks.length,
    counts,
    noExpiry: locks.filter((lock) => lock.noExpiry).length,
    problems: locks.filter(isProblem).length,
    nextCursor: null,
    scan: scanOf(5),
    ...over,
  };
}

export function clusterNode(id: string, over: Partial<ClusterNode> = {}): ClusterNode {
  return {
    id,
    address: `127.0.0.1:${7001 + NODE_IDS.indexOf(id as (typeof NODE_IDS)[number])}`,
    state: "up",
    process: { state: "running", pid: 4711, link: "open" },
    quarantinedForMs: 0,
    quarantineReason: null,
    undrainable: false,
    condition: "admitted",
    role: "master",
    version: "7.0.15",
    runId: "r",
    uptimeMs: 61_000,
    roundTripMs: 0.4,
    clockOffsetMs: 0.1,
    persistence: "aof everysec",
    evictionPolicy: "noeviction",
    keys: 12,
    lastAnswerMsAgo: 20,
    faults: [],
    mirror: {
      state: "complete",
      reason: null,
      mode: "tracking",
      modeReason: null,
      keys: 12,
      progress: null,
      keysPerSecond: 40_000,
      ageMs: 200,
    },
    ...over,
  };
}

export function clusterOf(over: Partial<Cluster> = {}): Cluster {
  return {
    readAt: READ_AT,
    n: 5,
    quorum: 3,
    up: 5,
    voting: 5,
    canLose: 2,
    embedded: true,
    readOnly: false,
    environment: null,
    nodeTimeoutMs: 50,
    guard: { mode: "full", quarantineMs: 60_602 },
    demonstration: { available: true, running: false, clients: 0 },
    nodes: NODE_IDS.map((id) => clusterNode(id)),
    ...over,
  };
}

export function incidentOf(over: Partial<Incident> = {}): Incident {
  const at = READ_AT - 60_000;
  return {
    id: "1",
    at,
    lock: { id: "orders%3A42", resource: "orders:42" },
    first: { fingerprint: "8f3a91c2", label: null, heldFrom: at - 4000, promisedUntil: at + 26_000 },
    second: { fingerprint: "1c77d0ab", label: "web-3", heldFrom: at },
    overlapMs: 26_000,
    cause: { kind: "restarted", text: "Node c restarted (another run_id).", nextStep: "Use a restart guard." },
    nodes: [
      { node: "a", fate: "kept", at: null },
      { node: "c", fate: "restarted", at: at - 500 },
    ],
    timeline: [{ at, text: "1c77d0ab holds it on 3 of 5 nodes.", fingerprint: "1c77d0ab" }],
    ...over,
  };
}

/** What the browser makes of an answer to the list without a filter. @param nowMs monotonic milliseconds at receipt */
export function lockSetOf(list: LockList, nowMs = 0): LockSet {
  return lockSetOfList(list, FIRST_PLACE, nowMs);
}
