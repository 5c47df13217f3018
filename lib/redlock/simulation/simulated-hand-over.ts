import type { Clock, HandOver } from "../ports";

interface Way {
  /** The server's clock. */
  readonly now: () => number;
  readonly clientClock: Clock;
  /** From the server to the client now, milliseconds; null when nothing passes. */
  readonly delayMs: () => number | null;
}

/** How one client hears that keys were handed to its waiters. Words are lost while nothing passes, and when told so. */
export class SimulatedHandOver implements HandOver {
  /** True: every word is lost. */
  isMute = false;
  readonly #way: Way;
  readonly #listeners = new Map<string, (round: number | null) => void>();

  constructor(way: Way) {
    this.#way = way;
  }

  now(): number {
    return this.#way.now();
  }

  listen(waiter: string, heard: (round: number | null) => void): () => void {
    this.#listeners.set(waiter, heard);
    return () => this.#listeners.delete(waiter);
  }

  /** The server says that it handed a key over. */
  tell(waiter: string, round: number): void {
    const delayMs = this.#way.delayMs();
    if (this.isMute || delayMs === null || !this.#listeners.has(waiter)) return;
    this.#way.clientClock.schedule(delayMs, () => this.#listeners.get(waiter)?.(round));
  }

  /** The connection was lost and is back: words may have been missed. */
  reconnected(): void {
    for (const heard of [...this.#listeners.values()]) this.#way.clientClock.schedule(0, () => heard(null));
  }
}
