// Runs in a child process that can be stopped: takes a lock and writes to a store for as long as it believes to hold it.

import { Redis } from "ioredis";
import { Redlock } from "@/lib/redis";

/** What the child is told. */
export interface HolderTask {
  readonly urls: readonly string[];
  readonly ttlMs: number;
  /** Where it writes its name, under `store`. */
  readonly storeUrl: string;
  /** What it asks before every write: the handle, or only the signal as code written for other libraries does. */
  readonly asks: "check" | "signal";
}

/** Sent to the parent when the first write is done, and before it ends with why it wrote no more. */
export type HolderNews = "writing" | `stopped: ${string}`;

const STEP_MS = 5;

/** Returns when the lock has ended and everything that was written has been sent. */
export async function holdAndWrite({ urls, ttlMs, storeUrl, asks }: HolderTask): Promise<void> {
  const store = new Redis(storeUrl);
  const redlock = new Redlock(urls, { nodeTimeoutMs: 1000, retryCount: 0 });
  const lock = await redlock.acquire(["r"], ttlMs);
  const { signal } = lock;
  try {
    for (let writes = 0; ; writes += 1) {
      if (asks === "check") lock.check();
      else if (signal.aborted) throw signal.error;
      const written = store.set("store", "the child");
      if (writes === 0) tell(await written.then(() => "writing" as const));
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  } catch (error) {
    tell(`stopped: ${error instanceof Error ? error.message : error}`);
  }
  await store.quit();
  await redlock.quit();
  process.disconnect();
}

function tell(news: HolderNews): void {
  process.send?.(news);
}
