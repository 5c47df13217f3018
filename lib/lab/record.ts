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

  /** In the order in which things happened, not in which the lab heard of them. */
  get events(): readonly LabEvent[] {
    return this.#events.toSorted((a, b) => a.atMs - b.atMs);
  }

  /**
   * @param atUs when it happened, on the clock that all processes share; now when left out
   * @throws Error when the record is full
   */
  note(happening: Happening, atUs: number = nowUs()): void {
    if (this.#events.length >= EVENTS_MAX) throw new Error(`The record of this run is full: ${EVENTS_MAX} events.`);
    this.#events.push({ ...happening, atMs: this.msOf(atUs) });
  }

  /** Milliseconds since the run began. */
  msOf(us: number): number {
    return (us - this.#startedUs) / 1000;
  }

  get tookMs(): number {
    return this.msOf(nowUs());
  }
}
