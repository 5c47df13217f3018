import { useSyncExternalStore } from "react";

/** Tenths of a second are shown, so ten times a second; a leaf renders again only when its own text changed. */
const TICK_MS = 100;

/** The one clock of the page that countdowns read. It stands still while nobody looks, and while the data is stale. */
class Ticker {
  #now = 0;
  #isFrozen = false;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #listeners = new Set<() => void>();

  /** Monotonic milliseconds of the last tick. */
  readonly now = (): number => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      document.addEventListener("visibilitychange", this.#settle);
      this.#settle();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      document.removeEventListener("visibilitychange", this.#settle);
      this.#settle();
    };
  };

  /** Stops or goes on counting: with stale data a countdown would show a time nobody has read. */
  freeze(isFrozen: boolean): void {
    if (isFrozen === this.#isFrozen) return;
    this.#isFrozen = isFrozen;
    this.#settle();
  }

  readonly #settle = (): void => {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#listeners.size === 0 || this.#isFrozen || document.hidden) return;
    this.#tick();
    this.#timer = setInterval(this.#tick, TICK_MS);
  };

  readonly #tick = (): void => {
    this.#now = performance.now();
    for (const listener of this.#listeners) listener();
  };
}

/** Shared by everything that counts down on this page. */
export const ticker = new Ticker();

/**
 * What `select` makes of the current tick; the component renders again only when that changes.
 *
 * @param select gets monotonic milliseconds; must return a primitive
 */
export function useTicking<Value extends string | number | boolean | null>(select: (nowMs: number) => Value): Value {
  return useSyncExternalStore(
    ticker.subscribe,
    () => select(ticker.now()),
    () => select(0),
  );
}
