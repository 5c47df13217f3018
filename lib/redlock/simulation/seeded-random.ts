import type { Random } from "../ports";
import { asToken } from "../units";

/** Chance that can be repeated from its seed (mulberry32), with tokens of its own for each seed. For simulations only. */
export class SeededRandom implements Random {
  #state: number;
  #tokens = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  token() {
    this.#tokens += 1;
    const words = [this.#seed, this.#tokens].map((word) => word.toString(16).padStart(8, "0"));
    return asToken(words.join("").padEnd(40, "0"));
  }
}
