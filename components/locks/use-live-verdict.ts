import { ageOf, liveVerdict, type Received, useTicking } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import type { Verdict } from "@/lib/redlock";

/** The verdict as it is now: time passes, keys expire, and nothing needs to be asked. */
export function useLiveVerdict(lock: Received<LockView>): Verdict {
  const spelled = useTicking((now) => JSON.stringify(lean(liveVerdict(lock.value, ageOf(lock, now)))));
  const verdict = JSON.parse(spelled) as Omit<Verdict, "heldForAtLeastMs" | "freeFromMs">;
  // The two clocks are given as read: what shows them counts down by itself.
  const { heldForAtLeastMs, freeFromMs } = lock.value;
  return { ...verdict, heldForAtLeastMs, freeFromMs };
}

function lean({ heldForAtLeastMs: _held, freeFromMs: _free, ...rest }: Verdict) {
  return rest;
}
