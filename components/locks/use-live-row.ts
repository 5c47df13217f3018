import { ageOf, endedKeys, formatDuration, type Received, useTicking } from "@/lib/client";
import { type LockView, seenForMs } from "@/lib/contract";
import type { VerdictKind } from "@/lib/redlock";
import { verdictAfter } from "./use-live-verdict";
import { barStep } from "./validity-bar";

/** What time has made of a lock, in the words of its row. */
export interface LiveRow {
  readonly verdict: VerdictKind;
  /** As `endedKeys` spells it. */
  readonly ended: string;
  /** How long it is held for at least; empty where it has no end or nobody holds it. */
  readonly left: string;
  readonly barStep: number;
  /** Until others can win; empty where that never comes by itself or somebody holds it. */
  readonly freeIn: string;
  /** For how long the console has known it. */
  readonly seenFor: string;
}

/**
 * Everything in a row that time changes, with one look at the clock for the whole row: it is drawn again only when one of its words is
 * another.
 */
export function useLiveRow(lock: Received<LockView>): LiveRow {
  const text = useTicking((now) => spelled(lock.value, ageOf(lock, now)));
  const [verdict = "", ended = "", left = "", step = "", freeIn = "", seenFor = ""] = text.split("|");
  return { verdict: verdict as VerdictKind, ended, left, barStep: Number(step), freeIn, seenFor };
}

function spelled(lock: LockView, ageMs: number): string {
  const ended = endedKeys(lock, ageMs);
  // As long as no key has ended, what the server said of it stands.
  const verdict = ended.includes("x") ? verdictAfter(lock, ended).kind : lock.verdict;
  const { heldForAtLeastMs: heldMs, freeFromMs: freeMs, fullMs } = lock;
  const isHeld = verdict === "held" || verdict === "at_risk";
  const left = isHeld && heldMs !== null ? formatDuration(heldMs - ageMs) : "";
  const freeIn = isHeld || freeMs === null ? "" : formatDuration(freeMs - ageMs);
  const step = barStep({ remainingMs: heldMs, fullMs }, ageMs);
  return [verdict, ended, left, step, freeIn, formatDuration(seenForMs(lock) + ageMs)].join("|");
}
