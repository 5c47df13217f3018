import type { Clock } from "@/lib/redlock";
import type { NodeWatch } from "./watch";

/** Where changes are not told, a list is not answered from older readings if fresher ones can be had in time, milliseconds. */
const FRESH_MS = 300;
/** A request counts as somebody watching for so long. */
const REQUEST_COUNTS_MS = 10_000;
/** Between two looks for keys whose time is over, milliseconds. */
const SWEEP_MS = 50;
/** When the first node was read the others have so long, milliseconds and share of what it took, before locks are judged without them. */
const OTHERS_MS_MIN = 500;
const OTHERS_SHARE = 0.5;
/** Between two signs of life asked of a node that tells its changes, milliseconds. */
const BEAT_MS = 500;

/** Runs the watches of all nodes side by side, and knows whether anybody looks. */
export class Pace {
  readonly #clock: Clock;
  readonly #watches: readonly NodeWatch[];
  readonly #sweep: () => void;
  #isWatched = false;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock, watches: readonly NodeWatch[], sweep: () => void) {
    this.#clock = clock;
    this.#watches = watches;
    this.#sweep = sweep;
  }

  /** Starts every watch. @returns resolves when each node was read, or the others have had their time after the first one */
  async start(): Promise<void> {
    const startedAt = this.#clock.now();
    const firstReadings = this.#watches.map((watch) => watch.nextReading());
    for (const watch of this.#watches) {
      void watch.run();
      this.#every(BEAT_MS, () => watch.beat());
    }
    this.#every(SWEEP_MS, () => this.#sweep());
    await Promise.race(firstReadings);
    const tookMs = this.#clock.now() - startedAt;
    await this.soon(Promise.all(firstReadings), Math.max(OTHERS_MS_MIN, tookMs * OTHERS_SHARE));
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    for (const watch of this.#watches) watch.stop();
  }

  setWatched(isWatched: boolean): void {
    const wasIdle = !this.isActive();
    this.#isWatched = isWatched;
    if (wasIdle && isWatched) this.#wakeAll();
  }

  /** Somebody asked for something: read often for a while. */
  noteRequest(): void {
    const wasIdle = !this.isActive();
    this.#requestedAt = this.#clock.now();
    if (wasIdle) this.#wakeAll();
  }

  /** Waits until what is known of every node is as it is now, or nearly where it is polled, or until `withinMs` have passed. */
  async freshen(withinMs: number): Promise<void> {
    await this.soon(Promise.all(this.#watches.map((watch) => watch.freshen(FRESH_MS))), withinMs);
  }

  /** Whether somebody watches, or asked for something lately. */
  isActive(): boolean {
    return this.#isWatched || this.#clock.now() - this.#requestedAt < REQUEST_COUNTS_MS;
  }

  #wakeAll(): void {
    for (const watch of this.#watches) if (!watch.isFollowing) watch.wake();
  }

  /** Does something again and again, each time so long after it was done. */
  #every(delayMs: number, work: () => Promise<void> | void): void {
    if (this.#isStopped) return;
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#cancels.delete(cancel);
      void Promise.resolve(work()).finally(() => this.#every(delayMs, work));
    });
    this.#cancels.add(cancel);
  }

  /** Waits until something is done, but no longer than so long. */
  soon(done: Promise<unknown>, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(withinMs, resolve);
      void done.finally(() => {
        cancel();
        resolve();
      });
    });
  }
}
