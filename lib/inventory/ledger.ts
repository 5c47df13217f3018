import { type LockView, resourceIdOf } from "@/lib/contract";
import type { Verdict, VerdictKind } from "@/lib/redlock";
import { History } from "./history";
import { earliestEnd, isRenewed, latestEnd, type NodeStand } from "./sighting";
import { lockViewOf, longestRemaining, recognitionOf, type ViewContext, verdictAt } from "./view";

/** Readings of N nodes are not a snapshot: such verdicts are published only when a second look agrees. */
const ALARMING: readonly VerdictKind[] = ["split", "leftover", "at_risk"];
/** Between the two looks, milliseconds: longer than an acquire takes to reach all nodes. */
export const SECOND_LOOK_MS = 60;
/** A resource that changes all the time is shown as it is after so long. */
const DOUBT_MS_MAX = 1000;

interface Entry {
  readonly stands: readonly NodeStand[];
  /** The verdict and how many nodes carry it. */
  readonly finding: string;
  readonly signature: string;
  /** Grows with every change of an expiry, so that the signature does. */
  readonly moves: number;
}

interface Doubt {
  readonly finding: string;
  readonly lookedAt: number;
  readonly since: number;
}

/** What became of a resource in a reading. */
export type Judgement =
  | { readonly kind: "same" }
  | { readonly kind: "doubtful" }
  | { readonly kind: "changed"; readonly view: LockView }
  | { readonly kind: "removed"; readonly id: string };

/** The published state: one entry per lock, what changed since the last publication, and the past. */
export class Ledger {
  readonly history = new History();
  readonly #listsEverything: boolean;
  readonly #entries = new Map<string, Entry>();
  readonly #doubts = new Map<string, Doubt>();

  /** @param listsEverything also keys that no layout recognises */
  constructor(listsEverything: boolean) {
    this.#listsEverything = listsEverything;
  }

  resources(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Published locks as of `context`, each with the end of its last key. */
  rows(context: ViewContext): { view: LockView; endAt: number }[] {
    return [...this.#entries].map(([resource, { stands }]) => ({
      view: lockViewOf(resource, stands, this.history.factsOf(resource), context),
      endAt: Math.max(...stands.map(({ sighting }) => (sighting === null ? 0 : earliestEnd(sighting)))),
    }));
  }

  /**
   * Takes in a reading of a resource.
   * @param isCertain publish without a second look: the console itself just acted
   */
  judge(resource: string, stands: readonly NodeStand[], context: ViewContext, isCertain: boolean): Judgement {
    const before = this.#entries.get(resource);
    const verdict = verdictAt(stands, context);
    const isThere = stands.some(({ sighting }) => sighting !== null && earliestEnd(sighting) > context.now);
    const isListed = this.#listsEverything || recognitionOf(stands, verdict.fingerprint) !== null;
    if (!isThere || !isListed) return this.#remove(resource, before, context);
    const finding = `${verdict.kind} ${verdict.votes}`;
    const isStartling = before?.finding !== finding && needsSecondLook(verdict, stands);
    if (isStartling && !isCertain && this.#isDoubtful(resource, finding, context.now)) return { kind: "doubtful" };
    this.#doubts.delete(resource);

    const moves = (before?.moves ?? 0) + (before !== undefined && hasMoved(before.stands, stands) ? 1 : 0);
    this.history.observe(resource, {
      at: context.readAt,
      verdict: verdict.kind,
      fingerprint: verdict.fingerprint,
      votes: verdict.votes,
      membership: stands.length,
      remainingMs: longestRemaining(stands, context.now),
      isRenewed: before !== undefined && isExtended(before.stands, stands, verdict.fingerprint),
    });
    const view = lockViewOf(resource, stands, this.history.factsOf(resource), context, verdict);
    const signature = `${moves} ${signatureOf(view)}`;
    this.#entries.set(resource, { stands, finding, signature, moves });
    return signature === before?.signature ? { kind: "same" } : { kind: "changed", view };
  }

  #remove(resource: string, before: Entry | undefined, context: ViewContext): Judgement {
    this.#doubts.delete(resource);
    if (before === undefined) return { kind: "same" };
    this.#entries.delete(resource);
    const isEnded = before.stands.every(({ sighting }) => sighting === null || latestEnd(sighting) <= context.now + 1);
    this.history.end(resource, { at: context.readAt, isEnded });
    return { kind: "removed", id: resourceIdOf(resource) };
  }

  #isDoubtful(resource: string, finding: string, now: number): boolean {
    const doubt = this.#doubts.get(resource);
    const isConfirmed = doubt?.finding === finding && now - doubt.lookedAt >= SECOND_LOOK_MS - 10;
    if (isConfirmed || (doubt !== undefined && now - doubt.since >= DOUBT_MS_MAX)) return false;
    const lookedAt = doubt?.finding === finding ? doubt.lookedAt : now;
    this.#doubts.set(resource, { finding, lookedAt, since: doubt?.since ?? now });
    return true;
  }
}

/** A verdict that alarms, or nodes that disagree: perhaps only an acquire or a release that was on its way. */
function needsSecondLook({ kind, votes }: Verdict, stands: readonly NodeStand[]): boolean {
  const speaking = stands.filter(({ silent }) => silent === null).length;
  return ALARMING.includes(kind) || (votes > 0 && votes < speaking);
}

/** Everything a page shows of a lock but the countdown. */
function signatureOf(view: LockView): string {
  const nodes = view.nodes.map(({ reading, fingerprint, type, reason, quarantined }) => [
    reading,
    fingerprint,
    type,
    reason,
    quarantined,
  ]);
  const { verdict, holder, layout, votes, noExpiry, renewals, firstSeenAt, revoked } = view;
  return JSON.stringify([verdict, holder, layout?.id, votes, noExpiry, renewals, firstSeenAt, revoked, nodes]);
}

/** Whether the lock as a whole lives longer than before: the extension of one node after another is one renewal. */
function isExtended(before: readonly NodeStand[], after: readonly NodeStand[], fingerprint: string | null): boolean {
  const longest = (stands: readonly NodeStand[], endOf: typeof earliestEnd) =>
    stands.reduce<NodeStand["sighting"]>((best, { sighting }) => {
      if (sighting === null || sighting.fingerprint !== fingerprint) return best;
      return best === null || endOf(sighting) > endOf(best) ? sighting : best;
    }, null);
  const [old, young] = [longest(before, latestEnd), longest(after, earliestEnd)];
  return fingerprint !== null && old !== null && young !== null && isRenewed(old, young);
}

/** Whether an expiry was moved on any node, to either side. */
function hasMoved(before: readonly NodeStand[], after: readonly NodeStand[]): boolean {
  return after.some(({ sighting }, index) => {
    const old = before[index]?.sighting ?? null;
    if (old === null || sighting === null || old.fingerprint !== sighting.fingerprint) return false;
    return isRenewed(old, sighting) || isRenewed(sighting, old);
  });
}
