// Runs in a child process that can be stopped: takes a lock and writes to a store for as long as it believes to hold it.

import { Redis } from "ioredis";
import { Redlock } from "@/lib/redis";

/** What a holder asks before every write: the handle, or only the signal as code written for other libraries does. */
export type HolderKind = "check" | "signal";

/** What the child is told. */
export interface HolderTask {
  readonly urls: readonly string[];
  readonly ttlMs: number;
  /** Where each holder writes, under its kind; its lock is named the same. */
  readonly storeUrl: string;
  readonly kinds: readonly HolderKind[];
}

/** Sent to the parent when the first write is done, and before it ends with why it wrote no more. */
export type HolderNews = `${HolderKind}: ${string}`;

const STEP_MS = 5;

/** Returns when the locks have ended and everything that was written has been sent. */
export async function holdAndWrite({ urls, ttlMs, storeUrl, kinds }: HolderTask): Promise<void> {
  const store = new Redis(storeUrl);
  const redlock = new Redlock(urls, { nodeTimeoutMs: 1000, retryCount: 0 });
  const hold = async (kind: HolderKind): Promise<void> => {
    const lock = await redlock.acquire([kind], ttlMs);
    const { signal } = lock;
    try {
      for (let writes = 0; ; writes += 1) {
        if (kind === "check") lock.check();
        else if (signal.aborted) throw signal.error;
        const written = store.set(`store:${kind}`, "the child");
        if (writes === 0) tell(`${kind}: ${await written.then(() => "writes")}`);
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      }
    } catch (error) {
      tell(`${kind}: ${error instanceof Error ? error.message : error}`);
    }
  };
  await Promise.all(kinds.map(hold));
  await store.quit();
  await redlock.quit();
  process.disconnect();
}

function tell(news: HolderNews): void {
  process.send?.(news);
}
