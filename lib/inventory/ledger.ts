import { type AuditEntry, type LockView, resourceIdOf } from "@/lib/contract";
import type { IncidentWatch } from "@/lib/incidents";
import { KNOWN_LAYOUTS, type Layouts, REVOKED_LAYOUT_ID } from "@/lib/layouts";
import type { Verdict, VerdictKind } from "@/lib/redlock";
import { evidenceOf, isOutdated, isUneven } from "./evidence";
import { History, type ResourceFacts } from "./history";
import { lookOf } from "./look";
import { hasLost, hasMoved, hasSameKeys, isExtended } from "./moves";
import { PublishedRows, type RowNow } from "./published-rows";
import { Round } from "./round";
import type { LockRow } from "./row";
import { isShownAlike, isUntouched, type Shown, shownOf } from "./shown";
import { agreed, earliestEnd, latestEnd, type NodeStand } from "./sighting";
import { lockViewOf, longestRemaining, recognitionOf, type ViewContext, verdictAt } from "./view";

/** Readings of N nodes are not a snapshot: such verdicts are published only when a second look agrees. */
const ALARMING: readonly VerdictKind[] = ["split", "leftover", "at_risk"];
/** Between the two looks, milliseconds: longer than an acquire takes to reach all nodes. */
export const SECOND_LOOK_MS = 60;
/** A resource that changes all the time is shown as it is after so long. */
const DOUBT_MS_MAX = 1000;

/** Whether time has added to the evidence is looked at so often: every lock is gone through for it, milliseconds. */
const EVIDENCE_EVERY_MS = 500;
/** What is usual changes with every lock that is released; at each such look it is held against a part of all locks. */
const USUAL_PARTS = 10;

interface Entry {
  readonly stands: readonly NodeStand[];
  readonly shown: Shown;
  /** Since when the expiries of its token have lain apart; null when they do not. */
  readonly unevenSince: number | null;
  /** When time alone will add to the evidence. */
  readonly moreAt: number;
}

export interface LedgerOptions {
  /** Whose locks there may be; those the console knows by itself when left out. */
  readonly layouts?: Layouts;
  /** Also keys that no layout recognises. */
  readonly listsEverything: boolean;
  /** The operator's limit, milliseconds; null without one. */
  readonly maxTtlMs: number | null;
  /** Hears of every reading; null when nobody watches for incidents. */
  readonly incidents: IncidentWatch | null;
}

interface Doubt {
  /** The verdict and how many nodes carry it. */
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
  readonly #options: LedgerOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #round = new Round(this.#entries);
  readonly #doubts = new Map<string, Doubt>();
  /** The published locks as lists have them. */
  readonly rows = new PublishedRows((row, context, isBrief) => this.#rowNow(row, context, isBrief));
  #evidenceAt = Number.NEGATIVE_INFINITY;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  resources(): Iterable<string> {
    return this.#entries.keys();
  }

  /** How many those are. */
  get size(): number {
    return this.#entries.size;
  }

  /** A published lock as the API answers it. */
  published({ resource }: LockRow, context: ViewContext): LockView {
    return this.viewOf(resource, this.#entries.get(resource)?.stands ?? [], context);
  }

  /** One lock with its past. @param stands a reading of it, also one that is not published */
  viewOf(resource: string, stands: readonly NodeStand[], context: ViewContext): LockView {
    const { unevenSince = null } = this.#entries.get(resource) ?? {};
    const alike = agreed(stands);
    return this.#looked(resource, alike, context, unevenSince, verdictAt(alike, context)).view;
  }

  /** Takes in what an operator did through this console. */
  noteAction(entry: AuditEntry): void {
    this.history.noteAction(entry);
    this.#options.incidents?.noteAction(entry);
  }

  /** Resources to be judged again although no key changed: time has added to the evidence, or an incident wants a second look. */
  *due(now: number, readAt: number): Iterable<string> {
    const { incidents } = this.#options;
    incidents?.tick(now, readAt);
    yield* incidents?.wanted() ?? [];
    if (now - this.#evidenceAt < EVIDENCE_EVERY_MS) return;
    this.#evidenceAt = now;
    this.history.settle(readAt);
    for (const [resource, entry] of this.#round.next(USUAL_PARTS)) {
      if (this.#isOutdated(resource, entry, readAt)) this.#entries.set(resource, { ...entry, moreAt: now });
    }
    for (const [resource, { moreAt }] of this.#entries) if (moreAt <= now) yield resource;
  }

  #isOutdated(resource: string, { shown }: Entry, readAt: number): boolean {
    const { verdict, recognition, kinds } = shown;
    const isRevoked = recognition?.id === REVOKED_LAYOUT_ID;
    return isOutdated({ verdict, isRevoked, kinds }, this.history.factsOf(resource), readAt);
  }

  /**
   * Takes in a reading of a resource.
   * @param isCertain publish without a second look: the console itself just acted
   */
  judge(resource: string, asRead: readonly NodeStand[], context: ViewContext, isCertain: boolean): Judgement {
    const stands = agreed(asRead);
    const before = this.#entries.get(resource);
    if (before !== undefined && before.moreAt > context.now && this.#isUntouched(resource, before, stands, context)) {
      this.#doubts.delete(resource);
      return { kind: "same" };
    }
    this.#watch(resource, before, stands, context);
    const verdict = verdictAt(stands, context);
    const isThere = stands.some(({ sighting }) => sighting !== null && earliestEnd(sighting) > context.now);
    const recognition = recognitionOf(stands, verdict.fingerprint, context.isOwn);
    const isListed = this.#options.listsEverything || recognition !== null;
    if (!isThere || !isListed) return this.#remove(resource, before, context);
    const isOther = before?.shown.verdict !== verdict.kind || before.shown.votes !== verdict.votes;
    const isStartling = isOther && needsSecondLook(verdict, stands);
    if (isStartling && !isCertain && this.#isDoubtful(resource, verdict, context.now)) return { kind: "doubtful" };
    this.#doubts.delete(resource);

    const isMoved = before !== undefined && hasMoved(before.stands, stands);
    this.history.observe(resource, {
      at: context.readAt,
      verdict: verdict.kind,
      fingerprint: verdict.fingerprint,
      votes: verdict.votes,
      membership: stands.length,
      remainingMs: longestRemaining(stands, context.now),
      isRenewed: isMoved && isExtended(before.stands, stands, verdict.fingerprint),
      isOnlySilence: before !== undefined && hasSameKeys(before.shown, { stands, at: context.now }),
    });
    const unevenBefore = before?.unevenSince ?? null;
    const { view, facts, unevenSince, moreInMs } = this.#looked(resource, stands, context, unevenBefore, verdict);
    const { evidence } = view;
    const shown = shownOf(stands, verdict, { recognition, facts, evidence }, context);
    const moreAt = context.now + moreInMs;
    this.#entries.set(resource, { stands, shown, unevenSince, moreAt });
    const isSame = before !== undefined && !isMoved && isShownAlike(before.shown, shown);
    this.rows.put({ resource, stands, verdict, firstSeenAt: view.firstSeenAt, evidence, moreAt }, context, !isSame);
    return isSame ? { kind: "same" } : { kind: "changed", view };
  }

  /** A row as it has become by time alone. */
  #rowNow(row: LockRow, context: ViewContext, isBrief: boolean): RowNow | null {
    const { resource, firstSeenAt, evidence, moreAt } = row;
    const entry = this.#entries.get(resource);
    if (entry === undefined) return null;
    const { stands, unevenSince } = entry;
    const verdict = verdictAt(stands, context);
    if (isBrief) return { resource, stands, verdict, firstSeenAt, evidence, moreAt };
    const { view, moreInMs } = this.#looked(resource, stands, context, unevenSince, verdict);
    return { resource, stands, verdict, firstSeenAt, evidence: view.evidence, moreAt: context.now + moreInMs };
  }

  #remove(resource: string, before: Entry | undefined, context: ViewContext): Judgement {
    this.#doubts.delete(resource);
    if (before === undefined) return { kind: "same" };
    this.#entries.delete(resource);
    this.rows.remove(resource);
    const isEnded = before.stands.every(({ sighting }) => sighting === null || latestEnd(sighting) <= context.now + 1);
    this.history.end(resource, { at: context.readAt, isEnded });
    return { kind: "removed", id: resourceIdOf(resource) };
  }

  /** The view of a reading, and what it says of the next. */
  #looked(
    resource: string,
    stands: readonly NodeStand[],
    context: ViewContext,
    unevenBefore: number | null,
    verdict: Verdict,
  ): {
    readonly view: LockView;
    readonly facts: ResourceFacts;
    readonly unevenSince: number | null;
    readonly moreInMs: number;
  } {
    const facts = this.history.factsOf(resource);
    const plain = lockViewOf(resource, stands, facts, context, verdict);
    const unevenSince = isUneven(plain) ? (unevenBefore ?? context.now) : null;
    const unevenForMs = unevenSince === null ? 0 : context.now - unevenSince;
    const { layouts = KNOWN_LAYOUTS, maxTtlMs } = this.#options;
    const isOneServer = plain.layout !== null && layouts.isOneServer(plain.layout.id);
    const { usual, renewing } = facts;
    const grounds = { usual, renewing, maxTtlMs, unevenForMs, isOneServer };
    const { evidence, moreInMs } = evidenceOf(plain, grounds);
    return { view: Object.assign(plain, { evidence }), facts, unevenSince, moreInMs };
  }

  /** An incident is followed by readings in which nothing changes, too. */
  #isUntouched(resource: string, { shown }: Entry, stands: readonly NodeStand[], context: ViewContext): boolean {
    return isUntouched(shown, stands, context) && !this.#options.incidents?.isFollowing(resource);
  }

  #watch(resource: string, before: Entry | undefined, stands: readonly NodeStand[], context: ViewContext): void {
    const { incidents } = this.#options;
    if (incidents === null) return;
    const hasLostAny = before !== undefined && hasLost(before.stands, stands);
    if (!hasLostAny && !incidents.isFollowing(resource)) return;
    const known = before === undefined ? null : lookOf(before.stands, context);
    const { firstSeenAt } = this.history.factsOf(resource);
    incidents.observe(resource, known, lookOf(stands, context), firstSeenAt);
  }

  #isDoubtful(resource: string, { kind, votes }: Verdict, now: number): boolean {
    const finding = `${kind} ${votes}`;
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
