/**
 * What clients claimed, in the order of each client. Times are microseconds of CLOCK_MONOTONIC, which is one clock for all
 * processes of a machine. A grant is stamped after its acquire has resolved and an end before its release is called, so that a
 * recorded interval lies inside the true one: two that overlap were never a matter of bookkeeping.
 */
export type ClaimRecord =
  | {
      readonly kind: "grant";
      readonly id: string;
      readonly resource: string;
      /** Just before the acquire. */
      readonly askedUs: number;
      readonly atUs: number;
      /** End of the validity the client claims. */
      readonly untilUs: number;
      /** Left out where none was asked for. */
      readonly fence?: number;
    }
  | {
      readonly kind: "extend";
      readonly id: string;
      readonly askedUs: number;
      readonly atUs: number;
      readonly untilUs: number;
    }
  /** About to be released. */
  | { readonly kind: "end"; readonly id: string; readonly atUs: number }
  /** The holder looked and found its lock gone. */
  | { readonly kind: "stale"; readonly id: string; readonly atUs: number };

/** One stretch of time in which a client claimed a lock, microseconds; what lies beyond its end was never claimed. */
export interface Interval {
  readonly id: string;
  readonly resource: string;
  readonly fromUs: number;
  readonly untilUs: number;
}

/** Two clients claim one resource at the same time. */
export interface Overlap {
  readonly kind: "overlap";
  readonly first: Interval;
  readonly second: Interval;
  readonly overlapMs: number;
}

/** A grant with its last claimed end. */
export interface Claim {
  readonly interval: Interval;
  /** How late the extension was asked for that gave an ended claim back, milliseconds; null = none was. */
  readonly revived: number | null;
}

/** Microseconds on the clock that all processes of this machine share; exact, because a number holds 285 years of them. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Each grant with its last claimed end, also those that had ended before they were noted. */
export function claimsOf(records: readonly ClaimRecord[]): readonly Claim[] {
  const claims = new Map<string, { interval: Interval & { untilUs: number }; revived: number | null }>();
  for (const record of records) {
    if (record.kind === "grant") {
      const { id, resource, atUs, untilUs } = record;
      claims.set(id, { interval: { id, resource, fromUs: atUs, untilUs }, revived: null });
      continue;
    }
    const claim = claims.get(record.id);
    if (claim === undefined) continue;
    const { interval } = claim;
    if (record.kind === "extend") {
      const lateUs = record.askedUs - interval.untilUs;
      // Asked for in time, and perhaps noted late because the process was stopped: then it was claimed all along.
      if (lateUs >= 0) claim.revived ??= lateUs / 1000;
      interval.untilUs = Math.max(interval.untilUs, record.untilUs);
    } else {
      interval.untilUs = Math.min(interval.untilUs, record.atUs);
    }
  }
  return [...claims.values()];
}

/** What was claimed, in the order of its beginning; grants that had ended before they were noted are left out. */
export function intervalsOf(records: readonly ClaimRecord[]): readonly Interval[] {
  return claimsOf(records)
    .map(({ interval }) => interval)
    .filter(({ fromUs, untilUs }) => fromUs < untilUs)
    .sort((a, b) => a.fromUs - b.fromUs);
}

/** Pairs of claims of one resource that overlap; intervals that touch do not. */
export function overlaps(intervals: readonly Interval[]): readonly Overlap[] {
  const found: Overlap[] = [];
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
