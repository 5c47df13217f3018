/** The latest measurements of one kind, and what is usual among them. */
export class Sample {
  readonly #limit: number;
  readonly #values: number[] = [];
  /** The same in order, kept so: sorting after each of five hundred ends a second would be what costs most. */
  readonly #sorted: number[] = [];

  /** @param limit so many are kept, the oldest goes first */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.length;
  }

  add(value: number): void {
    this.#values.push(value);
    this.#sorted.splice(this.#placeOf(value), 0, value);
    if (this.#values.length <= this.#limit) return;
    const [oldest = value] = this.#values.splice(0, 1);
    this.#sorted.splice(this.#placeOf(oldest), 1);
  }

  /** Takes the latest back, if it is this one. */
  takeBack(value: number): void {
    if (this.#values.at(-1) !== value) return;
    this.#values.pop();
    this.#sorted.splice(this.#placeOf(value), 1);
  }

  /** Half of the values, and 99 of a hundred, are at most so much; zeros when there are none. */
  quantiles(): Quantiles {
    // The nearest rank: with fewer than a hundred values the 99th percentile is the largest.
    const at = (share: number) => this.#sorted[Math.max(0, Math.ceil(this.#sorted.length * share) - 1)] ?? 0;
    return { p50: at(0.5), p99: at(0.99) };
  }

  /** Where the first value that is not smaller stands. */
  #placeOf(value: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}
