import { useMemo } from "react";
import { ageOf, endedKeys, liveVerdict, type Received, useTicking } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import type { Verdict } from "@/lib/redlock";

/** The verdict as it is now: time passes, keys expire, and nothing needs to be asked. */
export function useLiveVerdict(lock: Received<LockView>): Verdict {
  const { value } = lock;
  const ended = useTicking((now) => endedKeys(value, ageOf(lock, now)));
  return useMemo(() => verdictAfter(value, ended), [value, ended]);
}

/** The verdict when these keys have ended. @param ended as `endedKeys` spells it */
export function verdictAfter(lock: LockView, ended: string): Verdict {
  const over = lock.nodes.map(({ remainingMs }, index) => (ended[index] === "x" ? (remainingMs ?? 0) : 0));
  const { heldForAtLeastMs, freeFromMs } = lock;
  // The two clocks are given as read: what shows them counts down by itself.
  return { ...liveVerdict(lock, Math.max(0, ...over)), heldForAtLeastMs, freeFromMs };
}
