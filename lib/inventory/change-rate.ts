/** The rate is that of the last one to two of these, milliseconds: a stall of our own is no burst of theirs. */
const OVER_MS = 100;

/** How many changes a second are told. */
export class ChangeRate {
  #since = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #changesBefore = 0;

  /** @param now monotonic milliseconds */
  note(now: number): void {
    this.#turn(now);
    this.#changes += 1;
  }

  /** @param now monotonic milliseconds */
  perSecond(now: number): number {
    this.#turn(now);
    return ((this.#changesBefore + this.#changes) * 1000) / (OVER_MS + now - this.#since);
  }

  #turn(now: number): void {
    const overMs = now - this.#since;
    if (overMs < OVER_MS) return;
    this.#changesBefore = overMs < 2 * OVER_MS ? this.#changes : 0;
    this.#changes = 0;
    this.#since = overMs < 2 * OVER_MS ? this.#since + OVER_MS : now;
  }
}
