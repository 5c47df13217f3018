import { quorumOf } from "./quorum";
import { driftMs } from "./validity";

/** What one node says about one resource. `fingerprint` stands for the token (or, grouped by key, for the key). */
export type NodeReading =
  /** Holds a lock token; remaining null = never expires by itself. */
  | { readonly kind: "token"; readonly fingerprint: string; readonly remainingMs: number | null }
  | { readonly kind: "free" }
  /** Down, hung, or too slow: nothing is known. */
  | { readonly kind: "unknown"; readonly reason: string }
  /** A key no lock client would write; it blocks `SET NX` all the same. */
  | { readonly kind: "foreign"; readonly type: string; readonly remainingMs: number | null };

export type VerdictKind = "held" | "at_risk" | "possibly_held" | "split" | "leftover" | "free";

export interface Verdict {
  readonly kind: VerdictKind;
  /** Token that holds or may hold; for a leftover the one that was left; null when free or split. */
  readonly fingerprint: string | null;
  /** Nodes that hold that token. */
  readonly votes: number;
  readonly quorum: number;
  /** m(T) - (N - q): so many holding nodes can lose the key before others could reach a quorum. Null without a holder. */
  readonly margin: number | null;
  /** H(T): the holder may rely on it for at least this long, milliseconds; null = no end, 0 = not held. */
  readonly heldForAtLeastMs: number | null;
  /** F: from then on others can win, milliseconds; null = never by itself. */
  readonly freeFromMs: number | null;
  /** A reading has a key without expiry. */
  readonly noExpiry: boolean;
}

/**
 * What N readings of one resource add up to.
 *
 * Source: `algorithm.md`, "Reading a lock on N nodes": the quorum of Redlock read backwards. N readings are not a snapshot; raise
 * an alarm only when two passes agree.
 *
 * @param readings one per *configured* node, in node order
 * @param ageMs time since the readings were taken, milliseconds; what has passed is no longer remaining
 * @param votingNodes nodes that could confirm an extension now; fewer than a quorum puts a held lock at risk
 */
export function verdictOf(
  readings: readonly NodeReading[],
  { ageMs = 0, votingNodes = readings.length }: { readonly ageMs?: number; readonly votingNodes?: number } = {},
): Verdict {
  const membership = readings.length;
  const quorum = quorumOf(membership);
  const now = ageMs === 0 ? readings : readings.map((reading) => aged(reading, ageMs));
  const holders = holdersOf(now);
  const best = holders[0];
  const freeFromMs = freeFrom(now, quorum);
  const noExpiry = now.some((reading) => "remainingMs" in reading && reading.remainingMs === null);
  // Written out, not spread from a common part: a hundred thousand of these are made when a node falls silent.
  const withHolder = (kind: VerdictKind, { fingerprint, remaining }: Holder): Verdict => ({
    kind,
    fingerprint,
    votes: remaining.length,
    quorum,
    margin: remaining.length - (membership - quorum),
    heldForAtLeastMs: heldForAtLeast(remaining, quorum),
    freeFromMs,
    noExpiry,
  });
  const withoutHolder = (kind: VerdictKind): Verdict => ({
    kind,
    fingerprint: null,
    votes: best?.remaining.length ?? 0,
    quorum,
    margin: null,
    heldForAtLeastMs: 0,
    freeFromMs,
    noExpiry,
  });

  if (best !== undefined && best.remaining.length >= quorum) {
    const margin = best.remaining.length - (membership - quorum);
    return withHolder(margin <= 1 || votingNodes < quorum ? "at_risk" : "held", best);
  }
  const unknown = now.filter((reading) => reading.kind === "unknown").length;
  if (best === undefined) {
    // Free needs a quorum of nodes that say so; the silent ones could hold a token nobody here has seen.
    if (membership - unknown < quorum) return withoutHolder("possibly_held");
    return withoutHolder(now.some((reading) => reading.kind === "foreign") ? "leftover" : "free");
  }
  const possible = holders.filter((holder) => holder.remaining.length + unknown >= quorum);
  if (possible.length > 0) {
    // Two tokens may both be possible; none can be named then, but somebody may hold it.
    return possible.length === 1 ? withHolder("possibly_held", best) : withoutHolder("possibly_held");
  }
  return holders.length > 1 ? withoutHolder("split") : withHolder("leftover", best);
}

interface Holder {
  readonly fingerprint: string;
  readonly remaining: number[];
}

/** A key whose time is over by now has gone; the others have that much less left. */
function aged(reading: NodeReading, ageMs: number): NodeReading {
  if (ageMs === 0 || !("remainingMs" in reading) || reading.remainingMs === null) return reading;
  const remainingMs = reading.remainingMs - ageMs;
  return remainingMs > 0 ? { ...reading, remainingMs } : { kind: "free" };
}

/** Tokens with the remaining time on each holding node, most votes first; no expiry counts as infinite. */
function holdersOf(readings: readonly NodeReading[]): readonly Holder[] {
  const holders: Holder[] = [];
  for (const reading of readings) {
    if (reading.kind !== "token") continue;
    const { fingerprint, remainingMs } = reading;
    const known = holders.find((holder) => holder.fingerprint === fingerprint);
    const ms = remainingMs ?? Number.POSITIVE_INFINITY;
    if (known === undefined) holders.push({ fingerprint, remaining: [ms] });
    else known.remaining.push(ms);
  }
  return holders.sort((a, b) => b.remaining.length - a.remaining.length);
}

/** The q-th largest remaining time, less what the clocks may disagree by. */
function heldForAtLeast(remaining: readonly number[], quorum: number): number | null {
  const qth = [...remaining].sort((a, b) => b - a)[quorum - 1];
  if (qth === undefined) return 0;
  return Number.isFinite(qth) ? Math.max(0, qth - driftMs(qth)) : null;
}

/** The q-th smallest blocking time over all nodes. */
function freeFrom(readings: readonly NodeReading[], quorum: number): number | null {
  const blocking = readings.map((reading) => {
    switch (reading.kind) {
      case "free":
        return 0;
      case "unknown":
        return Number.POSITIVE_INFINITY;
      case "token":
      case "foreign":
        return reading.remainingMs ?? Number.POSITIVE_INFINITY;
      default:
        return reading satisfies never;
    }
  });
  const qth = blocking.sort((a, b) => a - b)[quorum - 1] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(qth) ? qth : null;
}
