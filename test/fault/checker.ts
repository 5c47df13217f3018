import { type FenceViolation, fenceViolations } from "./fence-checker";
import type { FaultRecord } from "./history";

/** One stretch of time in which a client claimed a lock, microseconds; what lies beyond its end was never claimed. */
export interface Interval {
  readonly id: string;
  readonly resource: string;
  readonly fromUs: number;
  readonly untilUs: number;
}

/** One fault that was inflicted, as long as it lasted. */
export interface InflictedFault {
  /** In words: what, where. */
  readonly what: string;
  /** Worker whose process stood still; null for every other fault. */
  readonly stoppedWorker: string | null;
  readonly fromUs: number;
  readonly untilUs: number;
}

export type Violation =
  /** I1: two clients claim one resource at the same time. */
  | { readonly kind: "overlap"; readonly first: Interval; readonly second: Interval; readonly overlapMs: number }
  /** I2: handed out with nothing left of its validity. */
  | { readonly kind: "expired_grant"; readonly interval: Interval; readonly validityMs: number }
  /** I4: an extension asked for after the end of the validity gave it back. */
  | { readonly kind: "revived"; readonly interval: Interval; readonly lateMs: number }
  /** I3: fences that do not tell holders apart, or put them in the wrong order. */
  | FenceViolation
  /** I5: everything was well again, and a free lock was not to be had. */
  | { readonly kind: "not_live"; readonly id: string; readonly resource: string };

interface Claim {
  readonly interval: { id: string; resource: string; fromUs: number; untilUs: number };
  readonly revived: number | null;
}

/**
 * The invariants I1 to I5 of a history; I3 is in `fence-checker.ts`.
 *
 * @param faults needed only to know when a worker stood still between winning a lock and writing that down
 */
export function checkHistory(
  records: readonly FaultRecord[],
  faults: readonly InflictedFault[] = [],
): readonly Violation[] {
  return [
    ...expiredGrants(records, faults),
    ...revivals(records),
    ...overlaps(intervalsOf(records)),
    ...fenceViolations(records),
    ...dead(records),
  ];
}

/** What was claimed, in the order of its beginning; grants that had ended before they were noted are left out. */
export function intervalsOf(records: readonly FaultRecord[]): readonly Interval[] {
  return claimsOf(records)
    .map(({ interval }) => interval)
    .filter(({ fromUs, untilUs }) => fromUs < untilUs)
    .sort((a, b) => a.fromUs - b.fromUs);
}

/** Pairs of claims of one resource that overlap; intervals that touch do not. */
export function overlaps(intervals: readonly Interval[]): readonly Violation[] {
  const found: Violation[] = [];
  const longest = new Map<string, Interval>();
  for (const second of [...intervals].sort((a, b) => a.fromUs - b.fromUs)) {
    const first = longest.get(second.resource);
    if (first !== undefined && second.fromUs < first.untilUs) {
      const overlapMs = (Math.min(first.untilUs, second.untilUs) - second.fromUs) / 1000;
      found.push({ kind: "overlap", first, second, overlapMs });
    }
    if (first === undefined || second.untilUs > first.untilUs) longest.set(second.resource, second);
  }
  return found;
}

/** Each grant with its last claimed end. */
function claimsOf(records: readonly FaultRecord[]): readonly Claim[] {
  const claims = new Map<string, Claim>();
  for (const record of records) {
    switch (record.kind) {
      case "grant": {
        const { id, resource, atUs, untilUs } = record;
        claims.set(id, { interval: { id, resource, fromUs: atUs, untilUs }, revived: null });
        break;
      }
      case "extend": {
        const claim = claims.get(record.id);
        if (claim === undefined) break;
        const { interval } = claim;
        const lateUs = record.askedUs - interval.untilUs;
        // Asked for in time, and perhaps noted late because the process was stopped: then it was claimed all along.
        if (lateUs >= 0) claims.set(record.id, { interval, revived: claim.revived ?? lateUs / 1000 });
        interval.untilUs = Math.max(interval.untilUs, record.untilUs);
        break;
      }
      case "end":
      case "stale": {
        const interval = claims.get(record.id)?.interval;
        if (interval !== undefined) interval.untilUs = Math.min(interval.untilUs, record.atUs);
        break;
      }
      case "fail":
      case "guess":
      case "live":
        break;
      default:
        record satisfies never;
    }
  }
  return [...claims.values()];
}

function expiredGrants(records: readonly FaultRecord[], faults: readonly InflictedFault[]): readonly Violation[] {
  return records.flatMap((record): readonly Violation[] => {
    if (record.kind !== "grant" || record.untilUs > record.atUs) return [];
    const { id, resource, askedUs, atUs, untilUs } = record;
    // Stopped after it had won in time: nobody can hand out a lock that outlives that.
    const wasStopped = faults.some(
      ({ stoppedWorker, ...fault }) =>
        stoppedWorker === workerOf(id) && fault.fromUs <= atUs && fault.untilUs >= askedUs,
    );
    if (wasStopped) return [];
    const interval = { id, resource, fromUs: atUs, untilUs };
    return [{ kind: "expired_grant", interval, validityMs: (untilUs - atUs) / 1000 }];
  });
}

function revivals(records: readonly FaultRecord[]): readonly Violation[] {
  return claimsOf(records).flatMap(({ interval, revived }): readonly Violation[] =>
    revived === null ? [] : [{ kind: "revived", interval, lateMs: revived }],
  );
}

function dead(records: readonly FaultRecord[]): readonly Violation[] {
  return records.flatMap((record): readonly Violation[] =>
    record.kind === "live" && record.tookMs === null
      ? [{ kind: "not_live", id: record.id, resource: record.resource }]
      : [],
  );
}

/** Ids are `worker:client:number`. */
function workerOf(id: string): string {
  return id.slice(0, id.indexOf(":"));
}
