import type { LockEvent } from "@/lib/contract";
import type { VerdictKind } from "@/lib/redlock";

/** Resources whose past is remembered; the least recently seen is forgotten first. */
const RESOURCES_MAX = 5000;
const EVENTS_MAX = 50;
const HOLDS_MAX = 100;
/** Fewer holds than this say nothing about what is usual. */
const HOLDS_MIN = 5;

/** What the past adds to a lock. */
export interface ResourceFacts {
  /** Epoch ms at which the present token was seen first. */
  readonly firstSeenAt: number | null;
  readonly renewals: number;
  /** Largest remaining time seen of the present token, milliseconds. */
  readonly fullMs: number | null;
  readonly usualHoldMs: { readonly p50: number; readonly p99: number } | null;
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
}

interface Past {
  firstSeenAt: number | null;
  fingerprint: string | null;
  verdict: VerdictKind;
  renewals: number;
  fullMs: number | null;
  readonly events: LockEvent[];
  readonly holdsMs: number[];
}

const NO_FACTS: ResourceFacts = { firstSeenAt: null, renewals: 0, fullMs: null, usualHoldMs: null };

/** The past of each resource, in bounded rings: first seen, renewals, hand-overs, ends. */
export class History {
  readonly #pasts = new Map<string, Past>();

  factsOf(resource: string): ResourceFacts {
    const past = this.#pasts.get(resource);
    if (past === undefined) return NO_FACTS;
    const { firstSeenAt, renewals, fullMs } = past;
    return { firstSeenAt, renewals, fullMs, usualHoldMs: usualOf(past.holdsMs) };
  }

  timelineOf(resource: string): readonly LockEvent[] {
    return this.#pasts.get(resource)?.events ?? [];
  }

  observe(resource: string, seen: Observation): void {
    const past = this.#pasts.get(resource);
    if (past === undefined || past.firstSeenAt === null) {
      this.#begin(resource, seen);
      return;
    }
    this.#touch(resource, past);
    const isOther = seen.fingerprint !== null && past.fingerprint !== null && seen.fingerprint !== past.fingerprint;
    if (isOther) {
      note(past, seen, "handed_over", `Handed over to ${seen.fingerprint}${share(seen)}.`);
      endHold(past, seen.at);
      Object.assign(past, { firstSeenAt: seen.at, renewals: 0, fullMs: seen.remainingMs });
    } else if (seen.isRenewed) {
      past.renewals += 1;
      note(
        past,
        seen,
        "renewed",
        `Renewed${seen.remainingMs === null ? "" : `, ${inSeconds(seen.remainingMs)} left`}.`,
      );
    }
    if (!isOther && seen.verdict !== past.verdict) {
      note(past, seen, "verdict", `Reads ${wordOf(seen.verdict)}${share(seen)}, was ${wordOf(past.verdict)}.`);
    }
    past.verdict = seen.verdict;
    past.fingerprint = seen.fingerprint ?? past.fingerprint;
    past.fullMs = longer(past.fullMs, seen.remainingMs);
  }

  /** @param isEnded the time was over; otherwise somebody released or deleted it */
  end(resource: string, { at, isEnded }: { readonly at: number; readonly isEnded: boolean }): void {
    const past = this.#pasts.get(resource);
    if (past === undefined || past.firstSeenAt === null) return;
    note(
      past,
      { at, fingerprint: past.fingerprint },
      "gone",
      isEnded ? "Gone: its time was over." : "Gone before its time: released or deleted.",
    );
    endHold(past, at);
    Object.assign(past, { firstSeenAt: null, fingerprint: null, renewals: 0, fullMs: null, verdict: "free" });
  }

  #begin(resource: string, seen: Observation): void {
    const before = this.#pasts.get(resource);
    const past: Past = {
      firstSeenAt: seen.at,
      fingerprint: seen.fingerprint,
      verdict: seen.verdict,
      renewals: 0,
      fullMs: seen.remainingMs,
      events: before?.events ?? [],
      holdsMs: before?.holdsMs ?? [],
    };
    note(past, seen, "seen", `Seen, ${wordOf(seen.verdict)}${share(seen)}.`);
    this.#touch(resource, past);
    const [oldest] = this.#pasts.keys();
    if (this.#pasts.size > RESOURCES_MAX && oldest !== undefined) this.#pasts.delete(oldest);
  }

  /** Moves a resource to the young end: a Map keeps the order of insertion. */
  #touch(resource: string, past: Past): void {
    this.#pasts.delete(resource);
    this.#pasts.set(resource, past);
  }
}

function note(
  past: Past,
  { at, fingerprint }: { readonly at: number; readonly fingerprint: string | null },
  kind: LockEvent["kind"],
  text: string,
): void {
  past.events.push({ at, kind, text, fingerprint });
  if (past.events.length > EVENTS_MAX) past.events.shift();
}

function endHold(past: Past, at: number): void {
  if (past.firstSeenAt === null) return;
  past.holdsMs.push(Math.max(0, at - past.firstSeenAt));
  if (past.holdsMs.length > HOLDS_MAX) past.holdsMs.shift();
}

function usualOf(holdsMs: readonly number[]): ResourceFacts["usualHoldMs"] {
  if (holdsMs.length < HOLDS_MIN) return null;
  const sorted = [...holdsMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
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
