import type { LockDetail, LockView, Reading } from "@/lib/contract";
import { driftMs } from "@/lib/redlock";

/** Above this the expiries of one token differ by more than the spread of one acquire, milliseconds. */
const UNEVEN_MS = 250;

/**
 * Sentences for the operator about what stands out in a lock.
 *
 * @param isOneServer its client locks on one server only, so that the verdict, which asks for a majority, does not apply
 */
export function hintsOf(lock: LockView, quorum: number, isOneServer: boolean): string[] {
  const hints: string[] = [];
  const n = lock.nodes.length;
  const { heldForAtLeastMs: held, freeFromMs: free } = lock;
  if (lock.revoked)
    hints.push("An operator revoked this lock: nobody holds it, and nobody gets in before its time is over.");
  const holding = lock.nodes.flatMap(({ node, reading }) => (reading === "token" ? [node] : []));
  if (isOneServer && holding.length > 0) {
    hints.push(
      `${lock.layout?.label ?? "This client"} locks on one server, without a majority: to its own clients the lock is held on ${holding.join(", ")}.`,
    );
  } else if (lock.verdict === "leftover") {
    hints.push(
      `Fewer than ${quorum} of ${n} nodes have a key, so nobody holds this lock; it makes an acquire need every other node.`,
    );
  }
  if (lock.verdict === "split" && !isOneServer)
    hints.push("Several tokens share the nodes and none has a majority: nobody holds this lock.");
  if (lock.verdict === "possibly_held")
    hints.push("The silent nodes could complete a majority: treat the lock as held.");
  if (free === null) {
    hints.push(
      lock.noExpiry
        ? "It never becomes free by itself: a key without expiry is in the way."
        : "Too few nodes answer to say when it becomes free.",
    );
  } else if (held !== null && lock.verdict !== "free" && free - held > driftMs(free) + UNEVEN_MS && held > 0) {
    hints.push("Between the two clocks nobody holds the lock and nobody can acquire it.");
  }
  if (spreadOf(lock) > UNEVEN_MS)
    hints.push("The expiries differ between nodes: an extension reached only some of them.");
  return hints;
}

/** Per node: could an acquire be granted there now, and if not, why. */
export function obstaclesOf(lock: LockView): LockDetail["obstacles"] {
  return lock.nodes.map((reading) => ({ node: reading.node, ...obstacleOf(reading) }));
}

function obstacleOf(reading: Reading): { canAcquire: boolean | null; reason: string } {
  if (reading.quarantined) {
    return {
      canAcquire: false,
      reason: "Quarantined: it restarted and may have forgotten votes, so it must not vote yet.",
    };
  }
  // How long still is in `remainingMs` of the reading; a number in a sentence would be wrong a second later.
  const end = reading.remainingMs === null ? ", which never expires" : "";
  switch (reading.reading) {
    case "free":
      return { canAcquire: true, reason: "Free." };
    case "unknown":
      return { canAcquire: null, reason: `Nothing is known: ${reading.reason ?? "no answer"}.` };
    case "token":
      return { canAcquire: false, reason: `Holds token ${reading.fingerprint}${end}.` };
    case "foreign":
      return { canAcquire: false, reason: `Holds ${reading.reason ?? "a key that is no lock"}${end}.` };
    default:
      return reading.reading satisfies never;
  }
}

/** How far the expiries of the holder's token lie apart, milliseconds. */
function spreadOf(lock: LockView): number {
  const ends = lock.nodes.flatMap(({ fingerprint, remainingMs }) =>
    fingerprint !== null && fingerprint === lock.holder?.fingerprint && remainingMs !== null ? [remainingMs] : [],
  );
  return ends.length < 2 ? 0 : Math.max(...ends) - Math.min(...ends);
}
