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
 * A quorum of nodes that lose their counters together is beyond the model ("fence degraded"): from then on only clocks keep fences
 * above those of before, and the workers' are wrong on purpose. So of two locks with such a guess between them only what a worker's
 * own memory ensures is demanded, that both were not won by the same worker. Before the guess, and behind it, all holds as ever.
 */
export function fenceViolations(records: readonly FaultRecord[]): readonly FenceViolation[] {
  const guessesUs = records.flatMap((record) => (record.kind === "guess" ? [record.atUs] : []));
  const mustDiffer = (first: FencedGrant, second: FencedGrant): boolean =>
    workerOf(first.id) === workerOf(second.id) ||
    !guessesUs.some((atUs) => first.askedUs <= atUs && atUs <= second.atUs);
  return grantsByResource(records).flatMap((grants) =>
    grants.flatMap((second, index) => {
      const violations = grants.slice(0, index).flatMap((first) => {
        const violation = violationOf(first, second);
        return violation !== null && mustDiffer(first, second) ? [violation] : [];
      });
      // The worst of them says it all.
      return violations.sort((a, b) => b.first.fence - a.first.fence).slice(0, 1);
    }),
  );
}

/** Of each resource, in the order in which they were on record. */
function grantsByResource(records: readonly FaultRecord[]): readonly (readonly FencedGrant[])[] {
  const byResource = new Map<string, FencedGrant[]>();
  for (const record of records) {
    if (record.kind !== "grant" || record.fence === undefined) continue;
    const { id, resource, askedUs, atUs, fence } = record;
    const grants = byResource.get(resource) ?? [];
    grants.push({ id, resource, askedUs, atUs, fence });
    byResource.set(resource, grants);
  }
  return [...byResource.values()].map((grants) => grants.sort((a, b) => a.atUs - b.atUs));
}

/** @param first on record before `second` */
function violationOf(first: FencedGrant, second: FencedGrant): FenceViolation | null {
  if (first.fence === second.fence) return { kind: "fence_duplicate", first, second };
  const isOrdered = first.atUs < second.askedUs;
  return isOrdered && first.fence > second.fence ? { kind: "fence_order", first, second } : null;
}

/** Ids are `worker:client:number`. */
function workerOf(id: string): string {
  return id.slice(0, id.indexOf(":"));
}
