import type { ReadAnswer } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";

/**
 * Between the beginnings of two readings of changed keys, milliseconds: what changes meanwhile is read together. The more there is
 * to read the longer, so that a key that changes often costs the node less.
 */
const GATHER_MS_MIN = 6;
const GATHER_MS_MAX = 50;
/**
 * So many keys in one reading make the next wait one millisecond more. Up to so many thousand changes a second the wait falls back to the
 * shortest one after a stall; above, it grows to the longest. With one key per millisecond 1,000 a second would stay where a stall had
 * put them.
 */
const GATHER_KEYS_PER_MS = 4;
/** The first change after a quiet time waits only for the others of its own burst, milliseconds. */
const FIRST_MS = 1;
/** Keys read in one round trip. */
const BATCH_MAX = 250;
const BATCH_MIN = 10;
/** After a reading that brought no answer, milliseconds. */
const RETRY_MS = 50;
/** Keys that wait to be read; when there are more, reading everything is cheaper. */
const WAITING_MAX = 20_000;

export interface ChangeQueueSetup {
  readonly clock: Clock;
  /** Reads keys and keeps what the node says. Never rejects. */
  read(resources: readonly string[]): Promise<ReadAnswer>;
  /** There are too many: the queue forgot them. */
  onOverflow(): void;
}

/** Keys of one node that changed and wait to be read: each once, in batches, one batch at a time. */
export class ChangeQueue {
  readonly #setup: ChangeQueueSetup;
  readonly #waiting = new Set<string>();
  #underWay: readonly string[] = [];
  #batchMax = BATCH_MAX;
  #nextReadAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #isStopped = false;
  /** Counts keys, to know when those that wait now have been read. */
  #added = 0;
  #done = 0;
  #watchers: { readonly target: number; readonly settle: (isRead: boolean) => void }[] = [];

  constructor(setup: ChangeQueueSetup) {
    this.#setup = setup;
  }

  add(resource: string): void {
    if (this.#waiting.has(resource)) return;
    if (this.#waiting.size >= WAITING_MAX) {
      this.clear();
      this.#setup.onOverflow();
      return;
    }
    this.#waiting.add(resource);
    this.#added += 1;
    this.#readSoon();
  }

  /** Whether a key changed and what the node says of it now has not arrived yet. */
  has(resource: string): boolean {
    return this.#waiting.has(resource) || this.#underWay.includes(resource);
  }

  /** Resolves to true when every key that waits now was read; to false when they were forgotten. */
  caughtUp(): Promise<boolean> {
    if (this.#done >= this.#added) return Promise.resolve(true);
    return new Promise((settle) => {
      this.#watchers.push({ target: this.#added, settle });
    });
  }

  /** Forgets the keys that wait. */
  clear(): void {
    this.#waiting.clear();
    this.#done = this.#added - this.#underWay.length;
    for (const { settle } of this.#watchers.splice(0)) settle(false);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.clear();
  }

  #readSoon(delayMs = FIRST_MS): void {
    if (this.#isStopped || this.#cancel !== null || this.#underWay.length > 0 || this.#waiting.size === 0) return;
    const gatherMs = this.#nextReadAt - this.#setup.clock.now();
    this.#cancel = this.#setup.clock.schedule(Math.max(delayMs, gatherMs), () => {
      this.#cancel = null;
      void this.#readBatch();
    });
  }

  async #readBatch(): Promise<void> {
    const batch: string[] = [];
    for (const resource of this.#waiting) {
      if (batch.length >= this.#batchMax) break;
      batch.push(resource);
    }
    for (const resource of batch) this.#waiting.delete(resource);
    this.#underWay = batch;
    const gatherMs = Math.min(GATHER_MS_MAX, Math.max(GATHER_MS_MIN, batch.length / GATHER_KEYS_PER_MS));
    // A full batch leaves others behind that have waited already.
    this.#nextReadAt = this.#setup.clock.now() + (this.#waiting.size > 0 ? GATHER_MS_MIN : gatherMs);
    const answer = await this.#setup.read(batch);
    this.#underWay = [];
    if (answer.kind === "readings") {
      this.#batchMax = Math.min(BATCH_MAX, this.#batchMax * 2);
      this.#done += batch.length;
      this.#tell();
      this.#readSoon();
    } else {
      this.#batchMax = Math.max(BATCH_MIN, Math.round(this.#batchMax / 2));
      for (const resource of batch) {
        // Told of again meanwhile: it waits once, but was counted twice.
        if (this.#waiting.has(resource)) this.#done += 1;
        else this.#waiting.add(resource);
      }
      this.#readSoon(RETRY_MS);
    }
  }

  #tell(): void {
    const due = this.#watchers.filter(({ target }) => this.#done >= target);
    this.#watchers = this.#watchers.filter(({ target }) => this.#done < target);
    for (const { settle } of due) settle(true);
  }
}
