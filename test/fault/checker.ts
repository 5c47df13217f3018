import { claimsOf, type Interval, intervalsOf, type Overlap, overlaps } from "@/lib/lab";
import { type FenceViolation, fenceViolations } from "./fence-checker";
import { claimRecords, type FaultRecord } from "./history";

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
  | Overlap
  /** I2: handed out with nothing left of its validity. */
  | { readonly kind: "expired_grant"; readonly interval: Interval; readonly validityMs: number }
  /** I4: an extension asked for after the end of the validity gave it back. */
  | { readonly kind: "revived"; readonly interval: Interval; readonly lateMs: number }
  /** I3: fences that do not tell holders apart, or put them in the wrong order. */
  | FenceViolation
  /** I5: everything was well again, and a free lock was not to be had. */
  | { readonly kind: "not_live"; readonly id: string; readonly resource: string };

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
    ...overlaps(intervalsOf(claimRecords(records))),
    ...fenceViolations(records),
    ...dead(records),
  ];
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
  return claimsOf(claimRecords(records)).flatMap(({ interval, revived }): readonly Violation[] =>
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
