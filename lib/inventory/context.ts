import type { Master, MasterStatus } from "@/lib/redis";
import type { MonotonicMs } from "@/lib/redlock";
import type { ViewContext } from "./view";

/** Whether a node's vote would count now: it answers, and nothing bars it. */
export function isVoting({ state, condition }: MasterStatus): boolean {
  return (state === "up" || state === "slow") && (condition === "admitted" || condition === "degraded");
}

/**
 * What the state of the membership adds to every reading.
 *
 * @param now, readAt monotonic and wall time of the view
 */
export function contextOf(
  masters: readonly Master[],
  { now, readAt }: { readonly now: MonotonicMs; readonly readAt: number },
): ViewContext {
  const statuses = new Map<string, MasterStatus>(masters.map((master) => [master.id, master.status()]));
  return {
    now,
    readAt,
    votingNodes: [...statuses.values()].filter(isVoting).length,
    isQuarantined: (node) => statuses.get(node)?.condition === "quarantined",
  };
}
