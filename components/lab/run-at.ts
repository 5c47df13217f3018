import { isRunOn } from "@/lib/client";
import { isLabelled, type LabEvent, type LabQuestion, type LabRun } from "@/lib/contract";

/** Just before an event. */
const BEFORE_MS = 0.001;

/** A run as it stood at a moment of its record: whatever is drawn or told is taken from this. */
export function runAt(run: LabRun, atMs: number): LabRun {
  const isEnd = !isRunOn(run) && atMs >= run.tookMs;
  if (isEnd) return run;
  const isBefore = run.state === "starting" || (run.events[0]?.atMs ?? Number.POSITIVE_INFINITY) > atMs;
  const claims = run.claims.filter(({ fromMs }) => fromMs <= atMs);
  const begun = new Set(claims.map(({ id }) => id));
  return {
    ...run,
    state: isBefore ? "starting" : "playing",
    problem: null,
    tookMs: Math.min(atMs, run.tookMs),
    events: run.events.filter((event) => event.atMs <= atMs),
    claims,
    overlaps: run.overlaps.filter(({ first, second }) => begun.has(first) && begun.has(second)),
    checks: [],
    answers: [],
  };
}

/** Moments at which something is done, said or found: what a step goes to. A node that is seen changed is not one. */
export function stopsOf({ events }: Pick<LabRun, "events">): readonly number[] {
  return events.filter(({ kind }) => kind !== "node" && kind !== "client").map(({ atMs }) => atMs);
}

/** Where the drawing waits for an answer, and for which. */
export interface Gate {
  readonly question: LabQuestion;
  readonly atMs: number;
}

/** The first question that is open and whose event has happened; null = there is none. @param isAnswered by id */
export function gateOf(
  events: readonly LabEvent[],
  questions: readonly LabQuestion[],
  isAnswered: (id: string) => boolean,
): Gate | null {
  for (const question of questions) {
    if (isAnswered(question.id)) continue;
    const event = events.find((each) => isLabelled(each, question.before));
    if (event !== undefined) return { question, atMs: event.atMs - BEFORE_MS };
  }
  return null;
}
