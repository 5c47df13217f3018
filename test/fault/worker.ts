// One client process of the fault checker: contends for a few locks and writes down what it believes to hold, and when.

import { readFileSync } from "node:fs";
import { nowUs } from "@/lib/lab";
import { SeededRandom } from "@/lib/redlock";
import { createClient, type HeldLock, type LockClient } from "./clients";
import { type FaultRecord, historyWriter } from "./history";
import { FINISH, isFenced, type WorkerNews, type WorkerTask } from "./worker-task";

/** Of the holds so many end by dying: the lock is not released and blocks the others until it expires. */
const FORGETFUL = 0.12;
const KEPT_ALIVE = 0.25;
const SHORT = 0.5;
const SHORT_MS = 40;

/** Wall clocks of workers differ by up to so much, or the clock alone would keep fences in order, milliseconds. */
const SKEW_MS = 30_000;

class Worker {
  readonly #task: WorkerTask;
  readonly #client: LockClient;
  readonly #write: (record: FaultRecord) => void;
  #isFinishing = false;

  constructor(task: WorkerTask) {
    this.#task = task;
    this.#write = historyWriter(task.history);
    this.#client = createClient({
      kind: task.client,
      urls: task.urls,
      guard: task.guardMembers === null ? null : { members: task.guardMembers, maxTtlMs: task.ttlMs },
      fences: {
        skewMs: SKEW_MS * new SeededRandom(task.seed).fraction(),
        onGuess: () => this.#write({ kind: "guess", id: `${task.name}:guess`, atUs: nowUs() }),
      },
      retryCount: 3,
      retryDelayMs: 40,
      nodeTimeoutMs: task.nodeTimeoutMs,
      commandTimeoutMs: 2 * task.nodeTimeoutMs,
      root: task.root,
    });
  }

  finish(): void {
    this.#isFinishing = true;
  }

  async run(): Promise<void> {
    const { contenders, resources } = this.#task;
    await Promise.all(Array.from({ length: contenders }, (_, index) => this.#contend(index)));
    await Promise.all(resources.map((resource) => this.#showLife(resource)));
  }

  async #contend(index: number): Promise<void> {
    const { name, seed, resources } = this.#task;
    const random = new SeededRandom(seed + index);
    for (let number = 0; !this.#isFinishing; number += 1) {
      const id = `${name}:${index}:${number}`;
      const resource = resources[Math.floor(resources.length * random.fraction())] ?? "";
      const askedUs = nowUs();
      try {
        const lock = await this.#acquire(resource, index);
        this.#noteGrant({ id, resource, askedUs }, lock);
        await this.#hold(id, lock, random);
      } catch {
        this.#write({ kind: "fail", id, resource, atUs: nowUs() });
      }
      await pauseMs(1 + 30 * random.fraction());
    }
  }

  #acquire(resource: string, contender = 0): Promise<HeldLock> {
    const isFair = this.#task.isFair && contender % 3 !== 2;
    return this.#client.acquire(resource, this.#task.ttlMs, { isFenced: isFenced(this.#task, resource), isFair });
  }

  #noteGrant(grant: { id: string; resource: string; askedUs: number }, lock: HeldLock): void {
    const atUs = nowUs() + 1;
    const untilUs = atUs + Math.floor(lock.remainingMs() * 1000);
    this.#write({ kind: "grant", ...grant, atUs, untilUs, ...(lock.fence === null ? {} : { fence: lock.fence }) });
  }

  async #hold(id: string, lock: HeldLock, random: SeededRandom): Promise<void> {
    const { ttlMs } = this.#task;
    let isOver = false;
    const noteExtension = (askedUs: number): void => {
      // An extension that was under way when the holder stopped changes nothing about what it claimed.
      if (isOver) return;
      const atUs = nowUs();
      this.#write({ kind: "extend", id, askedUs, atUs, untilUs: atUs + Math.floor(lock.remainingMs() * 1000) });
    };
    const isShort = random.fraction() < SHORT;
    const isKeptAlive = !isShort && lock.keepAlive !== null && random.fraction() < KEPT_ALIVE;
    // When the engine asked is not known here; that it never revives is checked on the extensions asked for by hand.
    const stop = isKeptAlive ? lock.keepAlive?.(ttlMs, () => noteExtension(0)) : undefined;
    const steps = isShort ? 1 : 1 + Math.floor(4 * random.fraction());
    for (let step = 0; step < steps && lock.remainingMs() > 0; step += 1) {
      await pauseMs(isShort ? SHORT_MS * random.fraction() : 0.35 * ttlMs * random.fraction());
      if (isShort || isKeptAlive || random.fraction() > 0.6) continue;
      const askedUs = nowUs();
      await lock.extend(ttlMs).then(
        () => noteExtension(askedUs),
        () => {
          // Not extended: it keeps what it has, which is looked at next.
        },
      );
    }
    isOver = true;
    stop?.();
    await this.#letGo(id, lock, random.fraction() < FORGETFUL);
  }

  async #letGo(id: string, lock: HeldLock, isForgetful: boolean): Promise<void> {
    const atUs = nowUs();
    if (lock.remainingMs() <= 0) this.#write({ kind: "stale", id, atUs });
    else if (!isForgetful) this.#write({ kind: "end", id, atUs });
    if (!isForgetful) await lock.release();
  }

  /** Everything is well again, so a lock that somebody may have left behind must be had once that has expired. */
  async #showLife(resource: string): Promise<void> {
    const { name, liveWithinMs } = this.#task;
    const startedUs = nowUs();
    const elapsedMs = (): number => (nowUs() - startedUs) / 1000;
    for (let number = 0; elapsedMs() < liveWithinMs; number += 1) {
      const id = `${name}:life:${resource}:${number}`;
      const askedUs = nowUs();
      try {
        const lock = await this.#acquire(resource);
        this.#noteGrant({ id, resource, askedUs }, lock);
        this.#write({ kind: "live", id, resource, tookMs: elapsedMs() });
        await this.#letGo(id, lock, false);
        return;
      } catch {
        await pauseMs(20); // Held by somebody who died, or by another worker that shows its life.
      }
    }
    this.#write({ kind: "live", id: `${name}:life`, resource, tookMs: null });
  }
}

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function tell(news: WorkerNews): void {
  process.send?.(news);
}

const worker = new Worker(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as WorkerTask);
process.on("message", (message) => message === FINISH && worker.finish());
// Without its checker a worker has nothing to live for.
process.on("disconnect", () => process.exit(1));
tell("ready");
await worker.run();
tell("finished");
