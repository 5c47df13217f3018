import type { AuditEntry, LockEvent } from "@/lib/contract";
import type { VerdictKind } from "@/lib/redlock";
import { Silences } from "./silences";
import { type Hold, type UsualFor, UsualTimes } from "./usual-times";

/** Resources whose timeline is remembered; the least recently seen is forgotten first. */
const TIMELINES_MAX = 5000;
const EVENTS_MAX = 50;
/** The record speaks of an action only after its effect was read; so much later it is about something else, milliseconds. */
const RECORD_LATE_MS = 5000;
/** Silence that is over sooner is none for a timeline: a busy machine hears late for about as long, milliseconds. */
const SILENCE_MS = 2000;

/** What the past adds to a lock. */
export interface ResourceFacts extends UsualFor {
  /** Epoch ms at which the present token was seen first. */
  readonly firstSeenAt: number | null;
  readonly renewals: number;
  /** Largest remaining time seen of the present token, milliseconds. */
  readonly fullMs: number | null;
}

/** What one reading of a resource showed. */
export interface Observation {
  readonly at: number;
  readonly verdict: VerdictKind;
  readonly fingerprint: string | null;
  readonly votes: number;
  readonly membership: number;
  readonly remainingMs: number | null;
  readonly isRenewed: boolean;
  /** No node has another key than in the reading before; some may be silent, or speak again. */
  readonly isOnlySilence: boolean;
}

/** A token that is there now. */
interface Present {
  firstSeenAt: number;
  fingerprint: string | null;
  verdict: VerdictKind;
  renewals: number;
  renewedAtPercent: number | null;
  fullMs: number | null;
  /** Its length says something about what is usual: what a revoke left behind holds nothing. */
  isHold: boolean;
}

interface Timeline {
  readonly events: LockEvent[];
  /** What the last end added to the figures, should the record say that it was no ordinary one. */
  lastHold: Hold | null;
}

/** The past of each resource, bounded: first seen, renewals, hand-overs, ends, and what is usual. */
export class History {
  /** As many as there are locks: what is known of a lock that is there must not be forgotten for others' sake. */
  readonly #present = new Map<string, Present>();
  readonly #timelines = new Map<string, Timeline>();
  readonly #usual = new UsualTimes();
  readonly #silences = new Silences<Observation>(SILENCE_MS);

  factsOf(resource: string): ResourceFacts {
    const { firstSeenAt = null, renewals = 0, fullMs = null } = this.#present.get(resource) ?? {};
    const { usual, renewing } = this.#usual.of(resource);
    return { firstSeenAt, renewals, fullMs, usual, renewing };
  }

  timelineOf(resource: string): readonly LockEvent[] {
    return this.#timelines.get(resource)?.events ?? [];
  }

  observe(resource: string, seen: Observation): void {
    const present = this.#present.get(resource);
    if (present === undefined) {
      this.#begin(resource, seen);
      this.#note(resource, seen, "seen", `Seen, ${wordOf(seen.verdict)}${share(seen)}.`);
      return;
    }
    if (!seen.isOnlySilence) this.#settle(resource, present, seen.at);
    const isOther =
      seen.fingerprint !== null && present.fingerprint !== null && seen.fingerprint !== present.fingerprint;
    if (isOther) {
      this.#note(resource, seen, "handed_over", `Handed over to ${seen.fingerprint}${share(seen)}.`);
      this.#endHold(resource, present, seen.at);
      this.#begin(resource, seen);
      return;
    }
    if (seen.isRenewed) {
      if (present.renewals === 0) present.renewedAtPercent = overAt(present, seen.at);
      present.renewals += 1;
      const left = seen.remainingMs === null ? "" : `, ${inSeconds(seen.remainingMs)} left`;
      this.#note(resource, seen, "renewed", `Renewed${left}.`);
    }
    if (seen.verdict !== present.verdict) {
      if (seen.isOnlySilence) this.#silences.note(resource, present.verdict, seen);
      else this.#noteVerdict(resource, present.verdict, seen);
    }
    present.verdict = seen.verdict;
    present.fingerprint = seen.fingerprint ?? present.fingerprint;
    present.fullMs = longer(present.fullMs, seen.remainingMs);
  }

  /** @param isEnded the time was over; otherwise somebody released or deleted it */
  end(resource: string, { at, isEnded }: { readonly at: number; readonly isEnded: boolean }): void {
    const present = this.#present.get(resource);
    if (present === undefined) return;
    this.#settle(resource, present, at);
    const { fingerprint } = present;
    if (isEnded) this.#note(resource, { at, fingerprint }, "expired", "Gone: its time was over.");
    else this.#note(resource, { at, fingerprint }, "released", "Gone before its time: released or deleted.");
    this.#endHold(resource, present, at);
    this.#present.delete(resource);
  }

  /** Takes down the silences that have lasted until `at`. */
  settle(at: number): void {
    for (const resource of this.#silences.lasting(at)) this.#settle(resource, this.#present.get(resource), at);
  }

  /** Takes in what an operator did through this console, so that it does not read like a release by the holder. */
  noteAction({ action, outcome, phase, at, actor, reason, target, details }: AuditEntry): void {
    const isForced = action === "lock.force_expired";
    if (phase !== "outcome" || !(isForced || action === "lock.revoked")) return;
    if (outcome === null || outcome === "none" || outcome === "failed" || outcome.startsWith("refused")) return;
    const timeline = this.#timelineOf(target);
    const fingerprint = fingerprintIn(details);
    const last = timeline.events.at(-1);
    const isItsEnd = last !== undefined && last.kind === (isForced ? "released" : "handed_over");
    if (isItsEnd && at - last.at < RECORD_LATE_MS) {
      if (isForced && last.fingerprint === fingerprint) timeline.events.pop();
      if (timeline.lastHold !== null) this.#usual.takeBack(target, timeline.lastHold);
      timeline.lastHold = null;
    }
    const present = this.#present.get(target);
    if (!isForced && present !== undefined) present.isHold = false;
    const why = reason === null ? "" : `: “${reason}”`;
    const text = `${isForced ? "Force-expired" : "Revoked"} by ${actor}${why}.`;
    this.#note(target, { at, fingerprint }, isForced ? "forced" : "revoked", text);
  }

  /** Decides whether what silence alone has made of a lock was ever so. */
  #settle(resource: string, present: Present | undefined, at: number): void {
    const silence = this.#silences.take(resource, at);
    if (silence === null) return;
    if (silence.hasLasted) this.#noteVerdict(resource, silence.was, silence.seen);
    else if (present !== undefined) present.verdict = silence.was;
  }

  #noteVerdict(resource: string, was: VerdictKind, seen: Observation): void {
    this.#note(resource, seen, "verdict", `Reads ${wordOf(seen.verdict)}${share(seen)}, was ${wordOf(was)}.`);
  }

  #begin(resource: string, { at, fingerprint, verdict, remainingMs }: Observation): void {
    this.#present.set(resource, {
      firstSeenAt: at,
      fingerprint,
      verdict,
      renewals: 0,
      renewedAtPercent: null,
      fullMs: remainingMs,
      isHold: true,
    });
  }

  #endHold(resource: string, { firstSeenAt, isHold, ...past }: Present, at: number): void {
    if (!isHold) return;
    const { renewals, renewedAtPercent } = past;
    const hold = { heldMs: Math.max(0, at - firstSeenAt), renewals, renewedAtPercent };
    this.#usual.note(resource, hold);
    this.#timelineOf(resource).lastHold = hold;
  }

  #note(
    resource: string,
    { at, fingerprint }: { readonly at: number; readonly fingerprint: string | null },
    kind: LockEvent["kind"],
    text: string,
  ): void {
    const { events } = this.#timelineOf(resource);
    events.push({ at, kind, text, fingerprint });
    if (events.length > EVENTS_MAX) events.shift();
  }

  /** The timeline of a resource, now the youngest: a Map keeps the order of insertion. */
  #timelineOf(resource: string): Timeline {
    const timeline = this.#timelines.get(resource) ?? { events: [], lastHold: null };
    this.#timelines.delete(resource);
    this.#timelines.set(resource, timeline);
    if (this.#timelines.size <= TIMELINES_MAX) return timeline;
    const [oldest] = this.#timelines.keys();
    if (oldest !== undefined) this.#timelines.delete(oldest);
    return timeline;
  }
}

/** How much of a token's time is over, per cent; null for one without an end. */
function overAt({ firstSeenAt, fullMs }: Present, at: number): number | null {
  return fullMs === null || fullMs === 0 ? null : Math.round((100 * Math.max(0, at - firstSeenAt)) / fullMs);
}

function fingerprintIn(details: unknown): string | null {
  if (typeof details !== "object" || details === null || !("fingerprint" in details)) return null;
  return typeof details.fingerprint === "string" ? details.fingerprint : null;
}

/** The longer of two remaining times; null stands for no end, which is the longest. */
function longer(before: number | null, now: number | null): number | null {
  return before === null || now === null ? null : Math.max(before, now);
}

function share({ votes, membership, fingerprint }: Observation): string {
  return fingerprint === null ? "" : ` on ${votes} of ${membership} nodes`;
}

function wordOf(verdict: VerdictKind): string {
  return verdict.replace("_", " ");
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
