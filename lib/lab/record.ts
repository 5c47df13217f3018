import type { LabEvent } from "@/lib/contract";
import { nowUs } from "./intervals";

/** A run that tells more has gone wrong, and must not fill the memory. */
const EVENTS_MAX = 5000;

type WithoutTime<Event> = Event extends unknown ? Omit<Event, "atMs"> : never;

/** An event before it is given its time. */
export type Happening = WithoutTime<LabEvent>;

/** What happened in one run, on one monotonic clock. */
export class LabRecord {
  readonly #startedUs = nowUs();
  readonly #events: LabEvent[] = [];
  readonly #listeners = new Set<() => void>();

  /** In the order in which things happened, not in which the lab heard of them. */
  get events(): readonly LabEvent[] {
    return this.#events.toSorted((a, b) => a.atMs - b.atMs);
  }

  /**
   * Without effect once the record is full, see `isFull`.
   *
   * @param atUs when it happened, on the clock that all processes share; now when left out
   */
  note(happening: Happening, atUs: number = nowUs()): void {
    if (this.isFull) return;
    this.#events.push({ ...happening, atMs: this.msOf(atUs) });
    for (const listener of this.#listeners) listener();
  }

  /** In the order in which the lab heard of them. @param from how many are known already */
  since(from: number): readonly LabEvent[] {
    return this.#events.slice(from);
  }

  /** Calls back after each event. */
  onNote(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** More happened than is on record, so that it proves nothing. */
  get isFull(): boolean {
    return this.#events.length >= EVENTS_MAX;
  }

  /** Milliseconds since the run began. */
  msOf(us: number): number {
    return (us - this.#startedUs) / 1000;
  }

  get tookMs(): number {
    return this.msOf(nowUs());
  }
}
