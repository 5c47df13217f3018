import type { LockView, Reading } from "@/lib/contract";
import { type NodeReading, type Verdict, verdictOf } from "@/lib/redlock";

/**
 * What a lock's readings add up to now, some time after they were taken.
 *
 * The server's verdict stands until time alone changes it: the server knows more (how many nodes could renew it, two passes that
 * agree), the browser only knows that time has passed.
 *
 * @param ageMs time since the readings were taken, milliseconds
 */
export function liveVerdict(lock: LockView, ageMs: number): Verdict {
  const readings = nodeReadings(lock);
  if (readings.length === 0) return asRead(lock);
  const then = verdictOf(readings);
  const now = ageMs === 0 ? then : verdictOf(readings, { ageMs });
  return now.kind === then.kind ? { ...now, kind: lock.verdict } : now;
}

/** Which of a lock's keys have ended since they were read, a character per node in node order: "x" has, "." has not. */
export function endedKeys({ nodes }: Pick<LockView, "nodes">, ageMs: number): string {
  let ended = "";
  for (const { remainingMs } of nodes) ended += remainingMs !== null && remainingMs <= ageMs ? "x" : ".";
  return ended;
}

/** Ids of the nodes that did not answer in this reading. */
export function silentNodes(lock: LockView): readonly string[] {
  return lock.nodes.filter((reading) => reading.reading === "unknown").map((reading) => reading.node);
}

function nodeReadings(lock: LockView): readonly NodeReading[] {
  const isGrouped = isGroupedByKey(lock);
  return lock.nodes.map((reading) => asNodeReading(reading, isGrouped ? (lock.holder?.fingerprint ?? null) : null));
}

/** Some clients write another value on every node by design; the server then counts keys, not values. */
function isGroupedByKey(lock: LockView): boolean {
  const own = lock.nodes.filter((reading) => reading.fingerprint === lock.holder?.fingerprint).length;
  return lock.holder !== null && lock.votes > own;
}

function asNodeReading(reading: Reading, sharedFingerprint: string | null): NodeReading {
  const { remainingMs } = reading;
  switch (reading.reading) {
    case "token":
      return { kind: "token", fingerprint: sharedFingerprint ?? reading.fingerprint ?? "", remainingMs };
    case "free":
      return { kind: "free" };
    case "unknown":
      return { kind: "unknown", reason: reading.reason ?? "" };
    case "foreign":
      return { kind: "foreign", type: reading.type ?? "", remainingMs };
    default:
      return reading.reading satisfies never;
  }
}

function asRead(lock: LockView): Verdict {
  return {
    kind: lock.verdict,
    fingerprint: lock.holder?.fingerprint ?? null,
    votes: lock.votes,
    quorum: 1,
    margin: lock.margin,
    heldForAtLeastMs: lock.heldForAtLeastMs,
    freeFromMs: lock.freeFromMs,
    noExpiry: lock.noExpiry,
  };
}
