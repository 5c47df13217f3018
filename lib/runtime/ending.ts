import type { AuditLog } from "@/lib/audit";
import type { EmbeddedCluster } from "@/lib/cluster";
import type { Inventory } from "@/lib/inventory";
import type { Demonstration, Lab } from "@/lib/lab";
import type { Holdings } from "@/lib/operations";
import type { Master } from "@/lib/redis";
import { log } from "./log";

/** Holders get so long to give their locks back when the console ends, milliseconds; what remains dies by itself. */
const RELEASE_MS_MAX = 1500;
const CLOSE_MS_MAX = 2000;

/**
 * Ends the console in bounded time: streams first, for the server waits for them; then what holds locks; then what they are
 * held on.
 */
export async function endInOrder(parts: {
  readonly ending: AbortController;
  readonly inventory: Inventory;
  readonly demonstration: Demonstration | null;
  readonly lab: Lab;
  readonly holdings: Holdings;
  readonly masters: readonly Master[];
  readonly audit: AuditLog;
  readonly embedded: EmbeddedCluster | null;
}): Promise<void> {
  parts.ending.abort();
  parts.inventory.stop();
  await within(RELEASE_MS_MAX, [parts.lab.close(), parts.demonstration?.stop(), parts.holdings.releaseKeptAlive()]);
  await within(CLOSE_MS_MAX, [...parts.masters.map((master) => master.close()), parts.audit.close()]);
  await parts.embedded?.stop();
}

/** Waits for all, but not longer than `limitMs`; a failure is logged and holds nothing up. */
function within(limitMs: number, steps: readonly (Promise<void> | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    void Promise.allSettled(steps).then((results) => {
      clearTimeout(timer);
      for (const result of results) {
        if (result.status === "rejected") log("warn", "A part did not end in order.", {}, result.reason);
      }
      resolve();
    });
  });
}

/** Makes `act` run at its first call only; later calls wait for the same end. */
export function once(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= act();
    return running;
  };
}
