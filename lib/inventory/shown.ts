import type { Evidence } from "@/lib/contract";
import type { Recognition } from "@/lib/layouts";
import { quorumOf, type Verdict } from "@/lib/redlock";
import type { ResourceFacts } from "./history";
import { earliestEnd, type NodeStand } from "./sighting";
import { isOwnLabel, readingAt, type ViewContext } from "./view";

/** What a page shows of a lock, but for the countdown: kept per lock, so without a copy of anything. */
export interface Shown {
  readonly stands: readonly NodeStand[];
  /** Of the reading, monotonic milliseconds. */
  readonly at: number;
  /** What the nodes' states add to the stands. */
  readonly membership: number;
  readonly verdict: Verdict["kind"];
  readonly fingerprint: string | null;
  readonly votes: number;
  readonly noExpiry: boolean;
  readonly recognition: Recognition | null;
  readonly renewals: number;
  readonly firstSeenAt: number | null;
  /** Kinds of evidence, one after another. */
  readonly kinds: string;
}

/** @param stands as `agreed` has them, with the verdict on them and all that follows from both */
export function shownOf(
  stands: readonly NodeStand[],
  verdict: Verdict,
  {
    recognition,
    facts,
    evidence,
  }: { recognition: Recognition | null; facts: ResourceFacts; evidence: readonly Evidence[] },
  context: ViewContext,
): Shown {
  const { kind, fingerprint, votes, noExpiry } = verdict;
  return {
    stands,
    at: context.now,
    membership: membershipOf(stands, context),
    verdict: kind,
    fingerprint,
    votes,
    noExpiry,
    recognition,
    renewals: facts.renewals,
    firstSeenAt: facts.firstSeenAt,
    kinds: evidence.length === 0 ? "" : evidence.map(({ kind: one }) => one).join(),
  };
}

/** Whether a page would look the same. */
export function isShownAlike(before: Shown, after: Shown): boolean {
  return (
    before.verdict === after.verdict &&
    before.fingerprint === after.fingerprint &&
    before.votes === after.votes &&
    before.noExpiry === after.noExpiry &&
    before.recognition?.id === after.recognition?.id &&
    before.recognition?.label === after.recognition?.label &&
    before.recognition?.holderLabel === after.recognition?.holderLabel &&
    before.renewals === after.renewals &&
    before.firstSeenAt === after.firstSeenAt &&
    before.kinds === after.kinds &&
    quarantinedIn(before) === quarantinedIn(after) &&
    before.stands.length === after.stands.length &&
    after.stands.every((stand, index) => isReadAlike(before.stands[index], before.at, stand, after.at))
  );
}

/**
 * Whether a lock cannot have become another than it was shown: the nodes say the very same, no key's time has come to its end since, and
 * the nodes' states add the same. Costs a few comparisons: this is what most locks cost when everything is looked at again.
 */
export function isUntouched(before: Shown, stands: readonly NodeStand[], context: ViewContext): boolean {
  if (before.stands.length !== stands.length || before.membership !== membershipOf(stands, context)) return false;
  const { fingerprint, recognition } = before;
  if (fingerprint !== null && isOwnLabel(recognition) !== (context.isOwn?.(fingerprint) ?? false)) return false;
  return stands.every(({ sighting, silent }, index) => {
    const known = before.stands[index];
    if (known === undefined || known.sighting !== sighting || known.silent !== silent) return false;
    if (sighting === null) return true;
    const end = earliestEnd(sighting);
    return end > context.now || end <= before.at;
  });
}

/** Nodes in quarantine, a bit for each, and whether an extension could win: all that a view takes from the nodes' states. */
export function membershipOf(
  nodes: readonly { readonly node: string }[],
  { votingNodes, isQuarantined }: ViewContext,
): number {
  let bits = votingNodes >= quorumOf(nodes.length) ? 1 : 0;
  for (const [index, { node }] of nodes.entries()) if (isQuarantined(node)) bits += 2 ** (index + 1);
  return bits;
}

function quarantinedIn({ membership }: Shown): number {
  return Math.floor(membership / 2);
}

function isReadAlike(before: NodeStand | undefined, beforeAt: number, after: NodeStand, afterAt: number): boolean {
  if (before === undefined) return false;
  const [old, young] = [readingAt(before, beforeAt), readingAt(after, afterAt)];
  if (old.kind === "unknown" || young.kind === "unknown") return before.silent === after.silent;
  if (old.kind === "free" || young.kind === "free") return old.kind === young.kind;
  return before.sighting?.type === after.sighting?.type && before.sighting?.fingerprint === after.sighting?.fingerprint;
}
