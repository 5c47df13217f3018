import type { ReadAnswer } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import { ChangeRate } from "./change-rate";

/**
 * What changes within this is read together, milliseconds: soon while little changes, seldom while much does, so that a key that changes
 * often, a lock taken and given back, costs the node one reading and each reading is of many keys.
 */
const GATHER_MS_MIN = 4;
const GATHER_MS_MAX = 50;
/** Up to so many changes a second the shortest time, from so many on the longest. */
const FEW_PER_SECOND = 1200;
const MANY_PER_SECOND = 2400;
/** Keys read in one round trip. */
const BATCH_MAX = 250;
const BATCH_MIN = 10;
/** Between two full batches, milliseconds. */
const BETWEEN_FULL_MS = 3;
/** After a reading that brought no answer, milliseconds. */
const RETRY_MS = 50;
/** Keys that wait to be read; when there are more, reading everything is cheaper. */
const WAITING_MAX = 20_000;

const NOTHING: ReadonlySet<string> = new Set();

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
  #underWay = NOTHING;
  readonly #rate = new ChangeRate();
  #batchMax = BATCH_MAX;
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
    this.#rate.note(this.#setup.clock.now());
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
    return this.#waiting.has(resource) || this.#underWay.has(resource);
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
    this.#done = this.#added - this.#underWay.size;
    for (const { settle } of this.#watchers.splice(0)) settle(false);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.clear();
  }

  #readSoon(delayMs = this.#untilTickMs()): void {
    if (this.#isStopped || this.#cancel !== null || this.#underWay.size > 0 || this.#waiting.size === 0) return;
    this.#cancel = this.#setup.clock.schedule(delayMs, () => {
      this.#cancel = null;
      void this.#readBatch();
    });
  }

  /**
   * Readings begin when the clock shows a multiple of the time to gather: those of all nodes together, so that a lock that was taken
   * everywhere at once is not judged while it is known of some of them only.
   */
  #untilTickMs(): number {
    const now = this.#setup.clock.now();
    const share = (this.#rate.perSecond(now) - FEW_PER_SECOND) / (MANY_PER_SECOND - FEW_PER_SECOND);
    const gatherMs = Math.round(GATHER_MS_MIN + (GATHER_MS_MAX - GATHER_MS_MIN) * Math.min(1, Math.max(0, share)));
    return gatherMs - (now % gatherMs);
  }

  async #readBatch(): Promise<void> {
    const batch: string[] = [];
    for (const resource of this.#waiting) {
      if (batch.length >= this.#batchMax) break;
      batch.push(resource);
    }
    for (const resource of batch) this.#waiting.delete(resource);
    this.#underWay = new Set(batch);
    const answer = await this.#setup.read(batch);
    this.#underWay = NOTHING;
    if (answer.kind === "readings") {
      this.#batchMax = Math.min(BATCH_MAX, this.#batchMax * 2);
      this.#done += batch.length;
      this.#tell();
      // A full batch leaves others behind that have waited already.
      this.#readSoon(batch.length < BATCH_MAX ? this.#untilTickMs() : BETWEEN_FULL_MS);
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
