import type { Clock } from "../ports";
import { type MonotonicMs, monotonicMs } from "../units";

interface Timer {
  readonly at: number;
  readonly sequence: number;
  readonly run: () => void;
  /** Nobody awaits anything of it. */
  readonly isQuiet: boolean;
}

/** Calls `next` later, when every promise reaction that is due has run, and those that they set off. */
export type AfterReactions = (next: () => void) => void;

/** Promise reactions that one event may set off, one behind another, before the next event is due. The engine needs about ten. */
const REACTIONS_PER_EVENT = 24;

/** Awaited again and again: each turn costs a reaction and no new promise. */
const SETTLED = Promise.resolve();

/** More events than this in one stretch of time are a loop that does not move the clock. */
const EVENTS_MAX = 1_000_000;

/** Time that stands still until it is told to go on: the engine's clock in tests and in the lab. */
export class VirtualClock implements Clock {
  #now = 0;
  #sequence = 0;
  /** Sorted by time; of equal times the one scheduled first runs first. */
  readonly #timers: Timer[] = [];
  readonly #afterReactions: AfterReactions;

  /** @param afterReactions one that knows its runtime is quicker than counting turns, which works everywhere */
  constructor(afterReactions: AfterReactions = afterManyTurns) {
    this.#afterReactions = afterReactions;
  }

  now(): MonotonicMs {
    return monotonicMs(this.#now);
  }

  schedule(delayMs: number, callback: () => void): () => void {
    return this.#add(delayMs, callback, false);
  }

  /**
   * As `schedule`, for a callback that settles no promise, such as a packet that arrives at a server: no time is spent on
   * reactions, which are most of the cost of an event.
   */
  scheduleQuietly(delayMs: number, callback: () => void): () => void {
    return this.#add(delayMs, callback, true);
  }

  #add(delayMs: number, run: () => void, isQuiet: boolean): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), sequence: this.#sequence, run, isQuiet };
    this.#sequence += 1;
    this.#timers.splice(this.#positionOf(timer), 0, timer);
    return () => {
      const index = this.#positionOf(timer);
      if (this.#timers[index] === timer) this.#timers.splice(index, 1);
    };
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Lets `ms` pass and runs everything that falls due, promise reactions included, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#play(end, () => false);
    this.#now = end;
  }

  /** Jumps over `ms` without running anything that falls due meanwhile, as for a process that was stopped; it runs later. */
  stall(ms: number): void {
    this.#now += ms;
  }

  /**
   * Lets time pass until `promise` has settled.
   *
   * @throws Error when nothing is left that could settle it, or `limitMs` of virtual time have passed
   */
  async until<Value>(promise: Promise<Value>, limitMs = 3_600_000): Promise<Value> {
    let isSettled = false;
    const mark = (): void => {
      isSettled = true;
    };
    promise.then(mark, mark);
    await this.#play(this.#now + limitMs, () => isSettled);
    if (!isSettled) throw new Error(`still pending at ${this.#now} ms of virtual time`);
    return promise;
  }

  /** Runs what falls due up to `end`, promise reactions in between. One promise for all of it: millions of events are played. */
  #play(end: number, isOver: () => boolean): Promise<void> {
    let events = 0;
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        try {
          while (!isOver()) {
            const next = this.#timers[0];
            if (next === undefined || next.at > end) break;
            this.#run(next, ++events);
            if (next.isQuiet) continue;
            this.#afterReactions(goOn);
            return;
          }
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      this.#afterReactions(goOn);
    });
  }

  #run(timer: Timer, events: number): void {
    if (events > EVENTS_MAX) throw new Error(`the clock does not move on from ${this.#now} ms of virtual time`);
    this.#timers.shift();
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }

  /** Where `timer` stands or belongs. */
  #positionOf(timer: Timer): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#timers[middle];
      if (other === undefined) break;
      const isBefore = other.at < timer.at || (other.at === timer.at && other.sequence < timer.sequence);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

async function afterManyTurns(next: () => void): Promise<void> {
  for (let turn = 0; turn < REACTIONS_PER_EVENT; turn += 1) await SETTLED;
  next();
}

/** The clock of one process that can be stopped and continued: time goes on, its timers and its answers wait. */
export class PausableClock implements Clock {
  readonly #clock: Clock;
  #held: (() => void)[] | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): MonotonicMs {
    return this.#clock.now();
  }

  schedule(delayMs: number, callback: () => void): () => void {
    let isCancelled = false;
    const run = (): void => {
      if (!isCancelled) callback();
    };
    const cancel = this.#clock.schedule(delayMs, () => {
      if (this.#held === null) run();
      else this.#held.push(run);
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  pause(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    // One event each, so that promise reactions run in between as they would in a real process.
    for (const run of held) this.#clock.schedule(0, run);
  }
}
