/** Keys looked at in one step: at first; when steps are quick; and at least, when a step brought no answer in time. */
const KEYS = 500;
const KEYS_MAX = 1000;
const KEYS_MIN = 25;
/** After a step that took less the next one is larger; after one that took more, milliseconds, and longer than usual, it is back at `KEYS`. */
const QUICK_MS = 5;
const SLOW_MS = 20;
/** A step takes up to so many times as long as the quickest one on a node that has nothing else to do. */
const IDLE_SPREAD = 2;
/** Shorter rests are added up: a timer cannot keep them, milliseconds. */
const REST_MS_MIN = 2;

/** How much of a node's time a reading may take. */
export interface Budget {
  /** After each step the node is left alone for so many times as long as the step took. */
  readonly restFactor: number;
  /** Only what a step took longer than on an idle node counts. */
  readonly ignoresIdle: boolean;
}

/** How long the steps of a reading are, and how long the node is left alone between them: by how quickly it answers. */
export class Stride {
  #keys = KEYS;
  /** The quickest step of the present length, milliseconds. */
  #quickestMs = Number.POSITIVE_INFINITY;
  #owedMs = 0;

  /** Keys to look at in the next step. */
  get keys(): number {
    return this.#keys;
  }

  /** A step was answered. @returns how long to leave the node alone now, milliseconds; 0 = go on */
  answered(tookMs: number, { restFactor, ignoresIdle }: Budget): number {
    this.#quickestMs = Math.min(this.#quickestMs, tookMs);
    const idleMs = IDLE_SPREAD * this.#quickestMs;
    if (tookMs < QUICK_MS || this.#keys < KEYS) this.#setKeys(Math.min(KEYS_MAX, this.#keys * 2));
    else if (tookMs > Math.max(SLOW_MS, idleMs)) this.#setKeys(KEYS);
    this.#owedMs += restFactor * (ignoresIdle ? Math.max(0, tookMs - idleMs) : tookMs);
    if (this.#owedMs < REST_MS_MIN) return 0;
    const restMs = this.#owedMs;
    this.#owedMs = 0;
    return restMs;
  }

  /** A step brought no answer. */
  failed(): void {
    this.#setKeys(Math.max(KEYS_MIN, Math.round(this.#keys / 2)));
  }

  #setKeys(keys: number): void {
    if (keys === this.#keys) return;
    this.#keys = keys;
    this.#quickestMs = Number.POSITIVE_INFINITY;
  }
}
