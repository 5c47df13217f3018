import type { LockDetail, LockView } from "@/lib/contract";
import type { Layouts } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import { driftMs, quorumOf } from "@/lib/redlock";
import { nextChanceOf, obstaclesOf } from "./obstacles";

/** Less than this between the two clocks is the spread of one acquire, milliseconds. */
const SPREAD_MS = 250;

/** What a lock means for whoever wants it: sentences, what is in the way node by node, and when that ends. */
export function explain(
  lock: LockView,
  masters: readonly Master[],
  layouts: Layouts,
): Pick<LockDetail, "hints" | "obstacles" | "nextChance" | "quorum" | "n"> {
  const states = new Map<string, ReturnType<Master["status"]>>(masters.map((master) => [master.id, master.status()]));
  const obstacles = obstaclesOf(lock, (node) => states.get(node));
  const n = masters.length;
  const hints = hintsOf(lock, lock.layout !== null && layouts.isOneServer(lock.layout.id));
  return { hints, obstacles, nextChance: nextChanceOf(obstacles), quorum: quorumOf(n), n };
}

/**
 * Sentences for the operator about what a lock's state means; what speaks for its being stuck is its evidence.
 *
 * @param isOneServer its client locks on one server only, so that the verdict, which asks for a majority, does not apply
 */
export function hintsOf(lock: LockView, isOneServer: boolean): string[] {
  const hints: string[] = [];
  const { heldForAtLeastMs: held, freeFromMs: free } = lock;
  if (lock.revoked)
    hints.push("An operator revoked this lock: nobody holds it, and nobody gets in before its time is over.");
  const holding = lock.nodes.flatMap(({ node, reading }) => (reading === "token" ? [node] : []));
  if (isOneServer && holding.length > 0) {
    hints.push(
      `${lock.layout?.label ?? "This client"} locks on one server, without a majority: to its own clients the lock is held on ${holding.join(", ")}.`,
    );
  }
  if (lock.verdict === "possibly_held")
    hints.push("The silent nodes could complete a majority: treat the lock as held.");
  if (free === null) {
    if (!lock.noExpiry) hints.push("Too few nodes answer to say when it becomes free.");
  } else if (held !== null && lock.verdict !== "free" && free - held > driftMs(free) + SPREAD_MS && held > 0) {
    hints.push("Between the two clocks nobody holds the lock and nobody can acquire it.");
  }
  return hints;
}
