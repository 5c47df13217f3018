import { type Evidence, formatDuration, type LockView, type Usual } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import type { ResourceFacts } from "./history";
import type { Renewing, UsualFor } from "./usual-times";

/**
 * Above both, milliseconds and share of the whole time, the expiries of one token differ by more than a slow acquire spreads them.
 * An extension that reached only some nodes is apart by the time between two extensions, a third of the whole or so.
 */
const UNEVEN_MS = 250;
const UNEVEN_SHARE = 0.05;
/** An extension on its way to node after node is uneven too, for so long, milliseconds. */
const UNEVEN_LASTS_MS = 1000;
/** So many times as long as 99 % of the holds before is far longer, and by at least so much, milliseconds. */
const FAR_LONGER = 2;
const FAR_LONGER_BY_MS = 1000;
/** A first renewal that is late by half of what is usual, and by at least so much, is missed; milliseconds. */
const FAR_LATER = 1.5;
const FAR_LATER_BY_MS = 1000;

type Plain = Omit<LockView, "evidence">;

/** What the evidence rests on, besides the lock as it was read. */
export interface Grounds extends UsualFor {
  /** The operator's limit; null without one. */
  readonly maxTtlMs: number | null;
  /** For how long the expiries have lain apart, milliseconds; 0 = they do not, or did not before this reading. */
  readonly unevenForMs: number;
  /** Its client locks on one server only: there a minority is all there ever is. */
  readonly isOneServer: boolean;
}

/** The evidence as of a reading. */
export interface Findings {
  readonly evidence: Evidence[];
  /** Time alone adds to it after so long, milliseconds; infinite when it never does. */
  readonly moreInMs: number;
}

/** What comes true by waiting. */
interface Ripening {
  readonly inMs: number;
  /** Made only when it is due: a hundred thousand sentences that nobody reads would be what costs most. */
  readonly evidence: () => Evidence;
}

/** What speaks for a lock's being stuck: each reason with its numbers, none of them a proof. */
export function evidenceOf(lock: Plain, grounds: Grounds): Findings {
  if (lock.verdict === "free") return { evidence: [], moreInMs: Number.POSITIVE_INFINITY };
  const ripening = [heldLong(lock, grounds), neverRenewed(lock, grounds), unevenExpiry(lock, grounds)].filter(isThere);
  const atOnce = [noExpiry(lock), grounds.isOneServer ? null : minority(lock), aboveMaxTtl(lock, grounds)].filter(
    isThere,
  );
  return {
    evidence: [...ripening.flatMap(({ inMs, evidence }) => (inMs <= 0 ? [evidence()] : [])), ...atOnce],
    moreInMs: Math.min(...ripening.map(({ inMs }) => (inMs > 0 ? inMs : Number.POSITIVE_INFINITY))),
  };
}

/** What a lock was last judged to be, as far as what is usual has a say in its evidence. */
interface Judged {
  readonly verdict: LockView["verdict"];
  readonly isRevoked: boolean;
  readonly kinds: string;
}

/** Whether the holds of others that have ended since a lock was judged make another word due, in either direction. */
export function isOutdated({ verdict, isRevoked, kinds }: Judged, facts: ResourceFacts, readAt: number): boolean {
  const { firstSeenAt, renewals, fullMs, usual, renewing } = facts;
  const heldMs = heldFor({ verdict, revoked: isRevoked, firstSeenAt, readAt }) ?? Number.NEGATIVE_INFINITY;
  const known = usual.resource ?? usual.pattern;
  const isLong = known !== null && heldMs >= heldLongMs(known);
  const isLate = renewing !== null && fullMs !== null && renewals === 0 && heldMs >= renewedByMs(renewing, fullMs);
  return isLong !== kinds.includes("held_long") || isLate !== kinds.includes("never_renewed");
}

/** How far the expiries of the holder's token lie apart, milliseconds. */
function spreadOf({ nodes, holder }: Plain): number {
  let [longest, shortest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { fingerprint, remainingMs } of nodes) {
    if (fingerprint === null || fingerprint !== holder?.fingerprint || remainingMs === null) continue;
    longest = Math.max(longest, remainingMs);
    shortest = Math.min(shortest, remainingMs);
  }
  return Math.max(0, longest - shortest);
}

/** Whether the expiries of the holder's token differ by more than one acquire explains. */
export function isUneven(lock: Plain): boolean {
  return spreadOf(lock) > Math.max(UNEVEN_MS, UNEVEN_SHARE * (lock.fullMs ?? 0));
}

function heldLong(lock: Plain, { usual }: Grounds): Ripening | null {
  const known = usual.resource ?? usual.pattern;
  const heldMs = heldFor(lock);
  if (known === null || heldMs === null) return null;
  const { p50, p99 } = known.holdMs;
  const limitMs = heldLongMs(known);
  const evidence = (): Evidence => {
    const ends = `99 % of the ${known.holds} holds of ${known.name} seen so far ended within ${formatDuration(p99)}`;
    const text = `Held more than ${formatDuration(limitMs)}: ${ends}.`;
    return {
      kind: "held_long",
      text,
      numbers: { heldMs, usualP99Ms: p99, usualP50Ms: p50, holds: known.holds },
    };
  };
  return { inMs: limitMs - heldMs, evidence };
}

/** A hold longer than this is far longer than usual, milliseconds. */
function heldLongMs({ holdMs: { p99 } }: Usual): number {
  return Math.max(FAR_LONGER * p99, p99 + FAR_LONGER_BY_MS);
}

/**
 * By itself a lock that is not renewed says nothing: it was taken for as long as its holder needs. It does where most of its like are
 * renewed, and this one is far past the part of its time at which they are.
 */
function neverRenewed(lock: Plain, { renewing }: Grounds): Ripening | null {
  const { fullMs, renewals } = lock;
  const heldMs = heldFor(lock);
  if (heldMs === null || renewals > 0 || renewing === null || fullMs === null) return null;
  const limitMs = renewedByMs(renewing, fullMs);
  const { holds, name, atPercent } = renewing;
  const evidence = (): Evidence => {
    const percent = Math.round((100 * limitMs) / fullMs);
    const usually = `99 % of the ${holds} holds of ${name} that were renewed had been when ${atPercent.p99} % of theirs was over`;
    const text = `Not renewed in more than ${formatDuration(limitMs)}, ${percent} % of its time: ${usually}.`;
    const numbers = { heldMs, fullMs, renewals, renewedHolds: holds, usualAtPercentP99: atPercent.p99 };
    return { kind: "never_renewed", text, numbers };
  };
  return { inMs: limitMs - heldMs, evidence };
}

/** A first renewal later than this is missed, milliseconds; no sooner than the lock's end where its like are renewed shortly before theirs. */
function renewedByMs({ atPercent: { p99 } }: Renewing, fullMs: number): number {
  const latestMs = (p99 / 100) * fullMs;
  return Math.max(FAR_LATER * latestMs, latestMs + FAR_LATER_BY_MS);
}

function unevenExpiry(lock: Plain, { unevenForMs }: Grounds): Ripening | null {
  if (!isUneven(lock)) return null;
  const evidence = (): Evidence => {
    const ends = endsOf(lock);
    const longestMs = Math.max(...ends.map(({ remainingMs }) => remainingMs));
    const spreadMs = spreadOf(lock);
    const reached = ends.filter(({ remainingMs }) => longestMs - remainingMs <= UNEVEN_MS).map(({ node }) => node);
    const text = `Its keys end up to ${formatDuration(spreadMs)} apart: the latest expiry is only on ${reached.join(", ")}, of ${ends.length} nodes that have the key.`;
    const numbers = { spreadMs, longestMs, shortestMs: longestMs - spreadMs, reached: reached.length, of: ends.length };
    return { kind: "uneven_expiry", text, numbers };
  };
  return { inMs: UNEVEN_LASTS_MS - unevenForMs, evidence };
}

function noExpiry(lock: Plain): Evidence | null {
  if (!lock.noExpiry) return null;
  const nodes = lock.nodes.filter(isForEver).map(({ node }) => node);
  const text = `No expiry on ${nodes.join(", ")}: it never ends by itself there.`;
  return { kind: "no_expiry", text, numbers: { nodes: nodes.length, of: lock.nodes.length } };
}

function minority(lock: Plain): Evidence | null {
  const { verdict, votes, nodes } = lock;
  const quorum = quorumOf(nodes.length);
  if (votes === 0 || !(verdict === "leftover" || verdict === "split")) return null;
  const what = verdict === "split" ? "The most any of several tokens has is" : "Its token is on";
  const text = `${what} ${votes} of ${nodes.length} nodes, a majority is ${quorum}: nobody holds it, and it is in the way of whoever wants to.`;
  return { kind: "minority", text, numbers: { votes, quorum, of: nodes.length } };
}

function aboveMaxTtl({ fullMs }: Plain, { maxTtlMs }: Grounds): Evidence | null {
  if (maxTtlMs === null || fullMs === null || fullMs <= maxTtlMs) return null;
  const text = `It had ${formatDuration(fullMs)} left, more than the ${formatDuration(maxTtlMs)} of REDLOCK_MAX_TTL_MS: the quarantine of a restarted node does not cover it.`;
  return { kind: "above_max_ttl", text, numbers: { fullMs, maxTtlMs } };
}

/** How long the holder has been seen, milliseconds; null when nobody holds it. */
function heldFor({
  firstSeenAt,
  readAt,
  verdict,
  revoked,
}: Pick<Plain, "firstSeenAt" | "readAt" | "verdict" | "revoked">): number | null {
  const isHeld = verdict === "held" || verdict === "at_risk" || verdict === "possibly_held";
  return isHeld && !revoked && firstSeenAt !== null ? Math.max(0, readAt - firstSeenAt) : null;
}

/** Remaining time on each node that has the holder's token with an expiry. */
function endsOf({ nodes, holder }: Plain): { readonly node: string; readonly remainingMs: number }[] {
  return nodes.flatMap(({ node, fingerprint, remainingMs }) =>
    fingerprint !== null && fingerprint === holder?.fingerprint && remainingMs !== null ? [{ node, remainingMs }] : [],
  );
}

function isForEver({ reading, remainingMs }: LockView["nodes"][number]): boolean {
  return (reading === "token" || reading === "foreign") && remainingMs === null;
}

function isThere<Value>(value: Value | null): value is Value {
  return value !== null;
}
