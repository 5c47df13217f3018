import type { LockDetail, LockView } from "@/lib/contract";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { quorumOf } from "@/lib/redlock";
import { hintsOf, obstaclesOf } from "./explain";
import type { InventoryOptions } from "./inventory";
import { waitersOf } from "./waiters";

/** A lock with everything its own page shows. Asks the nodes who waits for it. */
export async function detailOf(
  lock: LockView,
  timeline: readonly LockDetail["timeline"][number][],
  {
    masters,
    layouts = KNOWN_LAYOUTS,
    ownedByConsole,
  }: Pick<InventoryOptions, "masters" | "layouts" | "ownedByConsole">,
): Promise<LockDetail> {
  const quorum = quorumOf(masters.length);
  return {
    ...lock,
    timeline: [...timeline],
    hints: hintsOf(lock, quorum, lock.layout !== null && layouts.isOneServer(lock.layout.id)),
    obstacles: obstaclesOf(lock),
    waiters: await waitersOf(lock, { masters, layouts }),
    ownedByConsole: ownedByConsole(lock.resource),
    quorum,
    n: masters.length,
  };
}
