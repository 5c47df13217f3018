import type { LockDetail, LockView } from "@/lib/contract";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { explain } from "./explain";
import type { History } from "./history";
import type { InventoryOptions } from "./inventory";
import { waitersOf } from "./waiters";

/** A lock with everything its own page shows. Asks the nodes who waits for it. */
export async function detailOf(
  lock: LockView,
  history: History,
  {
    masters,
    layouts = KNOWN_LAYOUTS,
    ownedByConsole,
  }: Pick<InventoryOptions, "masters" | "layouts" | "ownedByConsole">,
): Promise<LockDetail> {
  return {
    ...lock,
    ...explain(lock, masters, layouts),
    timeline: [...history.timelineOf(lock.resource)],
    usual: history.factsOf(lock.resource).usual,
    waiters: await waitersOf(lock, { masters, layouts }),
    ownedByConsole: ownedByConsole(lock.resource),
  };
}
