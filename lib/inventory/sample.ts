/** The latest measurements of one kind, and what is usual among them. */
export class Sample {
  readonly #limit: number;
  readonly #values: number[] = [];
  /** Sorting at every view of a hundred thousand locks would be what costs most. */
  #quantiles: Quantiles | null = null;

  /** @param limit so many are kept, the oldest goes first */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.length;
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#limit) this.#values.shift();
    this.#quantiles = null;
  }

  /** Takes the latest back, if it is this one. */
  takeBack(value: number): void {
    if (this.#values.at(-1) !== value) return;
    this.#values.pop();
    this.#quantiles = null;
  }

  /** Half of the values, and 99 of a hundred, are at most so much; zeros when there are none. */
  quantiles(): Quantiles {
    this.#quantiles ??= quantilesOf(this.#values);
    return this.#quantiles;
  }
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  // The nearest rank: with fewer than a hundred values the 99th percentile is the largest.
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
