// A client in a process of its own that holds a lock and writes to a resource all the while, so that it can be stopped.

import { nowUs } from "@/lib/lab";
import { createClient } from "./clients";
import type { HolderNews, HolderTask } from "./holder-process";
import { RESOURCE } from "./scenario";
import { acquireSoon, pauseMs } from "./scenario-steps";

const WRITE_EVERY_MS = 5;
const GRANTED_WITHIN_MS = 20_000;

const { client: options, ttlMs, way } = JSON.parse(process.argv[2] ?? "") as HolderTask;
const client = createClient(options);

function tell(news: HolderNews): void {
  process.send?.(news);
}

async function writeWhile(mayWrite: () => boolean): Promise<void> {
  while (mayWrite()) {
    tell({ kind: "wrote", atUs: nowUs() });
    await pauseMs(WRITE_EVERY_MS);
  }
}

async function hold(): Promise<void> {
  if (way === "signal") {
    await client.using?.(RESOURCE, ttlMs, (isAborted) => writeWhile(() => !isAborted()));
  } else {
    const lock = await acquireSoon(client, ttlMs, GRANTED_WITHIN_MS);
    await writeWhile(() => lock !== null && lock.remainingMs() > 0);
  }
}

// Without the scenario it has nothing to live for.
process.on("disconnect", () => process.exit(1));
await hold().catch(() => {
  // It could not take the lock, or has lost it in the end, which is what this is about.
});
tell({ kind: "ended" });
client.disconnect();
