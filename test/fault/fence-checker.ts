import type { FaultRecord } from "./history";

/** A lock that was won with a fence, times in microseconds. */
export interface FencedGrant {
  readonly id: string;
  readonly resource: string;
  /** Just before the acquire. */
  readonly askedUs: number;
  /** When the grant was on record, which is after it was won. */
  readonly atUs: number;
  readonly fence: number;
}

/** Of I3. `first` was won before `second`, or at the same time. */
export type FenceViolation =
  /** Two locks of one resource have the same fence: the resource cannot tell their holders apart. */
  | { readonly kind: "fence_duplicate"; readonly first: FencedGrant; readonly second: FencedGrant }
  /** `second` was asked for after `first` was on record and has the lower fence: the resource would refuse the newer holder. */
  | { readonly kind: "fence_order"; readonly first: FencedGrant; readonly second: FencedGrant };

/**
 * The invariant I3: the fences of one resource are all different, and higher than those of every lock that was on record before
 * theirs was asked for. Of what was asked for at the same time any order is right.
 *
 * It is demanded without exception, also when a quorum of nodes has lost its counters together ("fence degraded") and only clocks
 * keep order. A node that forgot is kept out for longer than a TTL before it votes again, and a vote is cast within the node time
 * limit of being proposed; so the proposal of a later lock is younger than the fence it must exceed by far more than the millisecond
 * of the wall clock, which all workers read from one machine. With a guard that is off, or a worker whose wall clock is set back, that
 * case has no promise, and what is found there must be read with the faults around it.
 */
export function fenceViolations(records: readonly FaultRecord[]): readonly FenceViolation[] {
  const byResource = new Map<string, FencedGrant[]>();
  for (const record of records) {
    if (record.kind !== "grant" || record.fence === undefined) continue;
    const { id, resource, askedUs, atUs, fence } = record;
    const grants = byResource.get(resource) ?? [];
    grants.push({ id, resource, askedUs, atUs, fence });
    byResource.set(resource, grants);
  }
  return [...byResource.values()].flatMap((grants) => [...duplicates(grants), ...disorders(grants)]);
}

function duplicates(grants: readonly FencedGrant[]): readonly FenceViolation[] {
  const found: FenceViolation[] = [];
  const byFence = new Map<number, FencedGrant>();
  for (const second of inOrderOf(grants, "atUs")) {
    const first = byFence.get(second.fence);
    if (first === undefined) byFence.set(second.fence, second);
    else found.push({ kind: "fence_duplicate", first, second });
  }
  return found;
}

function disorders(grants: readonly FencedGrant[]): readonly FenceViolation[] {
  const found: FenceViolation[] = [];
  const recorded = inOrderOf(grants, "atUs");
  let next = 0;
  let highest: FencedGrant | undefined;
  for (const second of inOrderOf(grants, "askedUs")) {
    for (let first = recorded[next]; first !== undefined && first.atUs < second.askedUs; first = recorded[next]) {
      if (highest === undefined || first.fence > highest.fence) highest = first;
      next += 1;
    }
    if (highest !== undefined && second.fence < highest.fence) {
      found.push({ kind: "fence_order", first: highest, second });
    }
  }
  return found;
}

function inOrderOf(grants: readonly FencedGrant[], time: "askedUs" | "atUs"): readonly FencedGrant[] {
  return [...grants].sort((a, b) => a[time] - b[time]);
}
