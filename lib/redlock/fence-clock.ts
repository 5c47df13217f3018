import type { FenceProposal } from "./ports";

/** Fences count from 2020, so that they stay below 2^53, where numbers cease to be exact, until the year 2089. */
const EPOCH_MS = 1_577_836_800_000;

/** Fences per millisecond. */
const PER_MS = 4096;

/** Nobody's clock is wrong by so much; beyond it somebody's is, and would use up the fences of the future. */
const AHEAD_MS = 10 * 60 * 1000;

/**
 * Proposes fences: the time, so that all nodes can agree at once on a number that none of them has issued before.
 *
 * Order and uniqueness do not rest on it (the nodes' counters see to those), so the clocks of two clients may differ; they only
 * must not differ by `AHEAD_MS`. Only when so many nodes lose their counters together that none remembers is it all there is.
 */
export class FenceClock {
  readonly #wallClock: () => number;
  #lastSeen = 0;
  /** The recovery that is under way. */
  recovery: Promise<boolean> | null = null;

  /** @param wallClock milliseconds since 1970 */
  constructor(wallClock: () => number) {
    this.#wallClock = wallClock;
  }

  /** Highest fence this client was granted. */
  get lastSeen(): number {
    return this.#lastSeen;
  }

  propose(): FenceProposal {
    const now = Math.max(0, Math.floor((this.#wallClock() - EPOCH_MS) * PER_MS));
    return { fence: Math.max(now, this.#lastSeen + 1), limit: now + AHEAD_MS * PER_MS };
  }

  observe(fence: number): void {
    this.#lastSeen = Math.max(this.#lastSeen, fence);
  }
}
