import type { Clock } from "@/lib/redlock";
import type { NodeColumn } from "./column";

/** Between two readings of a node while somebody watches, and while nobody does, milliseconds. */
const WATCHED_MS = 500;
const IDLE_MS = 5000;
/** A list is not answered from older readings where fresher ones can be had in time, milliseconds. */
const FRESH_MS = 300;
/** A request counts as somebody watching for so long. */
const REQUEST_COUNTS_MS = 10_000;
/** A reading that takes long is followed by a longer pause: so many times its own length. */
const PAUSE_FACTOR = 4;
/** Between two looks for keys whose time is over, milliseconds. */
const SWEEP_MS = 100;

/** Decides when each node is read: one loop per node, so that one that hangs delays only itself. */
export class Pace {
  readonly #clock: Clock;
  readonly #columns: readonly NodeColumn[];
  readonly #sweep: () => void;
  readonly #wakes = new Map<NodeColumn, () => void>();
  /** Resolved at the end of the next reading of each node. */
  readonly #waiting = new Map<NodeColumn, (() => void)[]>();
  #isWatched = false;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #cancelSweep: () => void = () => undefined;

  constructor(clock: Clock, columns: readonly NodeColumn[], sweep: () => void) {
    this.#clock = clock;
    this.#columns = columns;
    this.#sweep = sweep;
  }

  /** Starts every loop. @param withinMs how long to wait for the first readings */
  async start(withinMs: number): Promise<void> {
    const firstPasses = this.#columns.map((column) => this.#nextPass(column));
    for (const column of this.#columns) void this.#follow(column);
    await this.#soon(Promise.all(firstPasses), withinMs);
    this.#sweepAgain();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelSweep();
    for (const wake of this.#wakes.values()) wake();
  }

  setWatched(isWatched: boolean): void {
    const wasIdle = !this.#isActive();
    this.#isWatched = isWatched;
    if (wasIdle && isWatched) this.#wakeAll();
  }

  /** Somebody asked for something: read often for a while. */
  noteRequest(): void {
    const wasIdle = !this.#isActive();
    this.#requestedAt = this.#clock.now();
    if (wasIdle) this.#wakeAll();
  }

  /** Reads a node now instead of after its pause. */
  wake(column: NodeColumn): void {
    this.#wakes.get(column)?.();
  }

  /** Waits until no reading is older than `FRESH_MS`, or until `withinMs` have passed. */
  async freshen(withinMs: number): Promise<void> {
    const now = this.#clock.now();
    const stale = this.#columns.filter(({ passEndedAt }) => passEndedAt === null || now - passEndedAt > FRESH_MS);
    if (stale.length === 0) return;
    const nextPasses = stale.map((column) => this.#nextPass(column));
    for (const column of stale) this.wake(column);
    await this.#soon(Promise.all(nextPasses), withinMs);
  }

  async #follow(column: NodeColumn): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = this.#clock.now();
      await column.pass();
      for (const resolve of this.#waiting.get(column)?.splice(0) ?? []) resolve();
      const tookMs = this.#clock.now() - startedAt;
      await this.#pause(column, Math.max(this.#isActive() ? WATCHED_MS : IDLE_MS, PAUSE_FACTOR * tookMs));
    }
  }

  #pause(column: NodeColumn, delayMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(delayMs, () => this.wake(column));
      this.#wakes.set(column, () => {
        cancel();
        this.#wakes.delete(column);
        resolve();
      });
    });
  }

  #nextPass(column: NodeColumn): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(column) ?? [];
      waiting.push(resolve);
      this.#waiting.set(column, waiting);
    });
  }

  #isActive(): boolean {
    return this.#isWatched || this.#clock.now() - this.#requestedAt < REQUEST_COUNTS_MS;
  }

  #wakeAll(): void {
    for (const column of this.#columns) this.wake(column);
  }

  #sweepAgain(): void {
    if (this.#isStopped) return;
    this.#cancelSweep = this.#clock.schedule(SWEEP_MS, () => {
      this.#sweep();
      this.#sweepAgain();
    });
  }

  #soon(done: Promise<unknown>, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(withinMs, resolve);
      void done.finally(() => {
        cancel();
        resolve();
      });
    });
  }
}
