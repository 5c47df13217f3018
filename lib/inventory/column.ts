import { isHelperKey, type Layouts } from "@/lib/layouts";
import type { KeyReading, Master, ReadAnswer } from "@/lib/redis";
import type { Clock, Fault, MonotonicMs } from "@/lib/redlock";
import { isChanged, type KeySighting, latestEnd, type NodeStand, sightingOf } from "./sighting";
import type { SightingTable } from "./table";

/** Keys of one node that are kept; a membership with more needs narrower patterns. */
const KEYS_MAX = 250_000;
/**
 * A node that was heard so recently is not called silent for late answers: several requests are under way at a time, and one hiccup
 * makes them all late. Shorter than the age readings have anyway between two passes.
 */
const HEARD_RECENTLY_MS = 400;
/** A key this close to its end may be there or not, depending on whose clock one asks. */
const NEAR_END_MS = 1000;

/** How far a node has been read. */
export interface ColumnScan {
  readonly state: "complete" | "running" | "unread";
  readonly reason: string | null;
}

/** What a column tells its owner. */
export interface ColumnListener {
  /** The key differs from the last sighting by more than time. */
  keyChanged(resource: string): void;
  /** The node fell silent, or its word counts again. */
  wordChanged(): void;
}

export interface ColumnSetup {
  readonly master: Master;
  readonly clock: Clock;
  readonly table: SightingTable;
  /** Its place in the table. */
  readonly place: number;
  readonly listener: ColumnListener;
  readonly layouts: Layouts;
  /** Whether a key belongs to the mirror. */
  keeps(resource: string): boolean;
}

/** One node's column of the mirror: the keys it showed last, and whether its word counts. */
export class NodeColumn {
  readonly master: Master;
  readonly #setup: ColumnSetup;
  #silent: string | null = "not read yet";
  /** Why everything is being read again, though the node's word counts. */
  #doubt: string | null = null;
  #heardAt: number = Number.NEGATIVE_INFINITY;
  #hasBeenRead = false;
  #isFull = false;
  #asOf: MonotonicMs | null = null;

  constructor(setup: ColumnSetup) {
    this.master = setup.master;
    this.#setup = setup;
  }

  /** The column shows everything as it was then or later, on the monotonic clock; null before the first whole reading. */
  get asOf(): MonotonicMs | null {
    return this.#asOf;
  }

  /** Keys kept. */
  get keys(): number {
    return this.#setup.table.countOf(this.#setup.place);
  }

  get isSilent(): boolean {
    return this.#silent !== null;
  }

  get scan(): ColumnScan {
    if (this.#silent !== null) return { state: this.#hasBeenRead ? "running" : "unread", reason: this.#silent };
    if (this.#doubt !== null) return { state: "running", reason: this.#doubt };
    if (this.#isFull) {
      const reason = `more than ${KEYS_MAX} keys match; narrow REDLOCK_KEY_PATTERNS to see them all`;
      return { state: "running", reason };
    }
    return { state: "complete", reason: null };
  }

  /** @param roundTripMs of the node now: looked up once for many resources */
  standOf(resource: string, roundTripMs: number | null): NodeStand {
    const sighting = this.#setup.table.at(resource, this.#setup.place);
    return { node: this.master.id, sighting, silent: this.#silent, roundTripMs };
  }

  /** Takes in what a scan met. @returns the keys that are others than those known, by more than their expiry */
  take(readings: readonly KeyReading[], sentAt: MonotonicMs): readonly string[] {
    this.#heardAt = this.#setup.clock.now();
    const times = { sentAt, receivedAt: this.#setup.clock.now() };
    const others: string[] = [];
    const { table, layouts, place } = this.#setup;
    for (const reading of readings) {
      const { resource, type, remainingMs } = reading;
      const row = table.row(resource);
      if (!this.#belongs(resource, type, row)) continue;
      const before = row[place] ?? null;
      const sighting = sightingOf(reading, times, layouts, row);
      const isNearEnd = remainingMs !== null && remainingMs < NEAR_END_MS;
      const isOther = before?.type !== sighting?.type || before?.fingerprint !== sighting?.fingerprint;
      if (isOther && !isNearEnd && !(before === null && this.#isFull)) others.push(resource);
      this.#put(resource, row, sighting);
    }
    return others;
  }

  /**
   * Ends a whole reading: what it did not meet is not there.
   * @returns the keys that went before their time
   */
  finish(startedAt: MonotonicMs): readonly string[] {
    const { table, place, clock, listener } = this.#setup;
    const gone: string[] = [];
    const now = clock.now();
    for (const [resource, sighting] of table.notShownSince(place, startedAt)) {
      table.remove(resource, place);
      if (this.#silent === null) listener.keyChanged(resource);
      if (latestEnd(sighting) > now + NEAR_END_MS) gone.push(resource);
    }
    this.#isFull = this.keys >= KEYS_MAX;
    this.#hasBeenRead = true;
    this.#doubt = null;
    this.confirm(startedAt);
    return gone;
  }

  /** Everything is as it was then or later, and the node's word counts. */
  confirm(asOf: MonotonicMs): void {
    this.#heardAt = Math.max(this.#heardAt, asOf);
    this.#asOf = asOf;
    if (this.#silent === null) return;
    this.#silent = null;
    this.#setup.listener.wordChanged();
  }

  /** What is kept may be old in any part: everything is going to be read again. */
  doubt(reason: string): void {
    this.#doubt = reason;
  }

  /**
   * Asks the node for some keys now. Those that do not belong to the mirror are answered but not kept.
   * @returns the node's word on each, or why it gave none
   */
  async readNow(resources: readonly string[]): Promise<Map<string, NodeStand>> {
    const sentAt = this.#setup.clock.now();
    const answer = await this.read(resources);
    if (answer.kind !== "readings") {
      const silent = reasonOf(answer);
      return new Map(resources.map((resource) => [resource, { ...this.standOf(resource, null), silent }]));
    }
    const times = { sentAt, receivedAt: this.#setup.clock.now() };
    const { roundTripMs } = answer;
    return new Map(
      answer.readings.map((reading) => {
        const sighting = sightingOf(reading, times, this.#setup.layouts);
        return [reading.resource, { node: this.master.id, sighting, silent: null, roundTripMs }];
      }),
    );
  }

  /** Reads some keys and keeps what the node says. Never rejects. */
  async read(resources: readonly string[]): Promise<ReadAnswer> {
    const { clock, table, layouts } = this.#setup;
    const sentAt = clock.now();
    const answer = await this.master.read(resources);
    if (answer.kind !== "readings") {
      this.strike(answer);
      return answer;
    }
    this.#heardAt = clock.now();
    const times = { sentAt, receivedAt: clock.now() };
    for (const reading of answer.readings) {
      const { resource, type } = reading;
      const row = table.row(resource);
      if (this.#belongs(resource, type, row)) {
        this.#put(resource, row, sightingOf(reading, times, layouts, row));
      }
    }
    return answer;
  }

  /** Tells the column what the connection knows already, without waiting for a request to fail. */
  noteDown(reason: string): void {
    const wasHeard = this.#silent === null;
    this.#silent = reason;
    if (wasHeard) this.#setup.listener.wordChanged();
  }

  /** The node gave no answer. @returns whether it counts as silent now */
  strike(fault: Fault): boolean {
    if (fault.kind === "timeout" && this.#setup.clock.now() - this.#heardAt < HEARD_RECENTLY_MS) return false;
    this.noteDown(reasonOf(fault));
    return true;
  }

  /** Whether a key belongs to the mirror: one that is there already, of the same type, was asked about before. */
  #belongs(resource: string, type: string, row: readonly (KeySighting | null)[]): boolean {
    if (row.some((known) => known?.type === type)) return true;
    return this.#setup.keeps(resource) && !isHelperKey(resource, type);
  }

  /** @param row what is known of it so far */
  #put(resource: string, row: readonly (KeySighting | null)[], sighting: KeySighting | null): void {
    const { table, place, listener } = this.#setup;
    const before = row[place] ?? null;
    // An answer that was overtaken by a later request's says nothing new.
    if (before !== null && sighting !== null && before.sentAt > sighting.sentAt) return;
    if (sighting === null) table.remove(resource, place);
    else if (before !== null || this.keys < KEYS_MAX) table.put(resource, place, sighting);
    else this.#isFull = true;
    // Of a silent node nothing is believed; once its word counts again, everything is looked at.
    if (this.#silent === null && isChanged(before, sighting)) listener.keyChanged(resource);
  }
}

/** Why a node gave no answer, in a few words. */
export function reasonOf(fault: Fault): string {
  switch (fault.kind) {
    case "timeout":
      return "no answer within the time limit";
    case "unreachable":
      return `unreachable: ${fault.reason}`;
    case "quarantined":
      return `quarantined: ${fault.reason}`;
    case "error":
      return fault.reason;
    default:
      return fault satisfies never;
  }
}
