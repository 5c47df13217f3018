import { ageOf, type HeldLock, type LockSet, useLockSet, useTicking, useWatchedLock } from "@/lib/client";

/** What is known of a lock this tab acquired. */
export type HeldState =
  | { readonly kind: "held"; readonly remainingMs: number | null; readonly takenAt: number | null }
  | { readonly kind: "checking" }
  | { readonly kind: "ended"; readonly why: string };

/** Time the nodes' reading may need to show a lock that was just acquired. */
const SIGHTING_MS = 3000;

/** The countdown of a held lock: its own validity until the nodes have been read since, then what they say. */
export function useHeldState(held: HeldLock): HeldState {
  useWatchedLock(held.id);
  const sets = useLockSet();
  const set = sets.kind === "ready" ? sets.set : undefined;
  const heldForMs = useTicking((now) => Math.floor(ageOf({ takenAt: held.validFrom }, now) / 500) * 500);
  return heldStateOf(held, set, heldForMs);
}

/** @param heldForMs time since its validity began, milliseconds */
export function heldStateOf(held: HeldLock, set: LockSet | undefined, heldForMs: number): HeldState {
  const seen = set?.byId.get(held.id);
  const isNewer = seen !== undefined && (held.validFrom === null || (seen.takenAt ?? 0) > held.validFrom);
  if (isNewer) {
    const isMine = seen.value.holder?.fingerprint === held.fingerprint && !seen.value.revoked;
    if (isMine) return { kind: "held", remainingMs: seen.value.heldForAtLeastMs, takenAt: seen.takenAt };
    return { kind: "ended", why: "the nodes no longer name you as its holder" };
  }
  const isKnown = set?.isWhole === true || set?.page?.watched.includes(held.id) === true;
  if (held.validFrom === null) {
    return !isKnown ? { kind: "checking" } : { kind: "ended", why: "no node holds it any more" };
  }
  const isMissing = isKnown && seen === undefined && heldForMs > SIGHTING_MS;
  if (isMissing) return { kind: "ended", why: "no node holds it any more" };
  if (heldForMs > held.validityMs && !held.keepAlive) return { kind: "ended", why: "its validity is over" };
  return { kind: "held", remainingMs: held.validityMs, takenAt: held.validFrom };
}
