import { isHelperKey, type Layouts } from "@/lib/layouts";
import type { KeyReading, Master, ReadAnswer } from "@/lib/redis";
import type { Clock, Fault, MonotonicMs } from "@/lib/redlock";
import { earliestEnd, isChanged, type KeySighting, type NodeStand, sightingOf } from "./sighting";

/** Keys asked for in one step of a scan: a round trip of a millisecond or two, not of a second. */
const PAGE_KEYS = 250;
/** Keys of one node that are kept; a membership with more needs narrower patterns. */
const KEYS_MAX = 250_000;
/**
 * A node that was heard so recently is not called silent for late answers: several requests are under way at a time, and one hiccup
 * makes them all late. Shorter than the age readings have anyway between two passes.
 */
const HEARD_RECENTLY_MS = 400;

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

/** One node's column of the mirror: the keys it showed last, and whether its word counts. */
export class NodeColumn {
  readonly master: Master;
  readonly #clock: Clock;
  readonly #patterns: readonly string[];
  readonly #listener: ColumnListener;
  readonly #layouts: Layouts;
  readonly #keys = new Map<string, KeySighting>();
  #silent: string | null = "not read yet";
  #heardAt: number = Number.NEGATIVE_INFINITY;
  #hasBeenRead = false;
  #passEndedAt: MonotonicMs | null = null;
  #overflow: string | null = null;

  constructor(master: Master, clock: Clock, patterns: readonly string[], listener: ColumnListener, layouts: Layouts) {
    this.#layouts = layouts;
    this.master = master;
    this.#clock = clock;
    this.#patterns = patterns;
    this.#listener = listener;
  }

  /** When the last whole reading ended, on the monotonic clock. */
  get passEndedAt(): MonotonicMs | null {
    return this.#passEndedAt;
  }

  get scan(): ColumnScan {
    if (this.#silent !== null) return { state: this.#hasBeenRead ? "running" : "unread", reason: this.#silent };
    if (this.#overflow !== null) return { state: "running", reason: this.#overflow };
    return { state: "complete", reason: null };
  }

  resources(): Iterable<string> {
    return this.#keys.keys();
  }

  standOf(resource: string): NodeStand {
    return {
      node: this.master.id,
      sighting: this.#keys.get(resource) ?? null,
      silent: this.#silent,
      roundTripMs: this.master.status().roundTripMs,
    };
  }

  /** Reads the node to the end once, page by page with pauses. Never rejects. */
  async pass(): Promise<void> {
    const startedAt = this.#clock.now();
    const seen = new Set<string>();
    for (const match of this.#patterns) {
      for (let cursor: string | null = "0"; cursor !== null && seen.size < KEYS_MAX; ) {
        const sentAt = this.#clock.now();
        const answer = await this.master.scan({ cursor, match, count: PAGE_KEYS });
        if (answer.kind !== "page") {
          if (this.#strike(answer)) return;
          continue; // once more, from the same place
        }
        this.#heardAt = this.#clock.now();
        this.#keep(answer.readings, sentAt, seen);
        cursor = answer.cursor === "0" ? null : answer.cursor;
        // Half of the time belongs to everybody else: a node with a million keys is read slowly, not at once.
        if (cursor !== null) await this.#pause(this.#clock.now() - sentAt);
      }
    }
    this.#finish(seen, startedAt);
  }

  /**
   * Asks the node for some keys now.
   * @param keeps whether a key belongs to the mirror; others are answered but not kept
   * @returns the node's word on each, or why it gave none
   */
  async readNow(resources: readonly string[], keeps: (resource: string) => boolean): Promise<Map<string, NodeStand>> {
    const sentAt = this.#clock.now();
    const answer: ReadAnswer = await this.master.read(resources);
    if (answer.kind !== "readings") {
      this.#strike(answer);
      const silent = reasonOf(answer);
      return new Map(resources.map((resource) => [resource, { ...this.standOf(resource), silent, roundTripMs: null }]));
    }
    this.#heardAt = this.#clock.now();
    const times = { sentAt, receivedAt: this.#clock.now() };
    return new Map(
      answer.readings.map((reading) => {
        const sighting = sightingOf(reading, times, this.#layouts);
        if (keeps(reading.resource)) this.#put(reading.resource, sighting);
        const { roundTripMs } = answer;
        return [reading.resource, { node: this.master.id, sighting, silent: null, roundTripMs }];
      }),
    );
  }

  /** Forgets a key whose time is over: Redis says so too, also where it cannot be asked now. */
  dropEnded(resource: string, now: MonotonicMs): void {
    const sighting = this.#keys.get(resource);
    if (sighting !== undefined && earliestEnd(sighting) <= now) this.#keys.delete(resource);
  }

  /** Tells the column what the connection knows already, without waiting for a request to fail. */
  noteDown(reason: string): void {
    this.#fallSilent(reason);
  }

  #keep(readings: readonly KeyReading[], sentAt: MonotonicMs, seen: Set<string>): void {
    const times = { sentAt, receivedAt: this.#clock.now() };
    for (const reading of readings) {
      if (isHelperKey(reading.resource, reading.type)) continue;
      seen.add(reading.resource);
      this.#put(reading.resource, sightingOf(reading, times, this.#layouts));
    }
  }

  #put(resource: string, sighting: KeySighting | null): void {
    const before = this.#keys.get(resource) ?? null;
    // An answer that was overtaken by a later request's says nothing new.
    if (before !== null && sighting !== null && before.sentAt > sighting.sentAt) return;
    if (sighting === null) this.#keys.delete(resource);
    else this.#keys.set(resource, sighting);
    if (isChanged(before, sighting)) this.#listener.keyChanged(resource);
  }

  #finish(seen: ReadonlySet<string>, startedAt: MonotonicMs): void {
    for (const [resource, sighting] of this.#keys) {
      if (seen.has(resource) || sighting.sentAt >= startedAt) continue;
      this.#keys.delete(resource);
      this.#listener.keyChanged(resource);
    }
    this.#overflow =
      seen.size < KEYS_MAX ? null : `more than ${KEYS_MAX} keys match; narrow REDLOCK_KEY_PATTERNS to see them all`;
    this.#hasBeenRead = true;
    this.#passEndedAt = this.#clock.now();
    if (this.#silent === null) return;
    this.#silent = null;
    this.#listener.wordChanged();
  }

  /** @returns whether the node counts as silent now */
  #strike(fault: Fault): boolean {
    if (fault.kind === "timeout" && this.#clock.now() - this.#heardAt < HEARD_RECENTLY_MS) return false;
    this.#fallSilent(reasonOf(fault));
    return true;
  }

  #fallSilent(reason: string): void {
    const wasHeard = this.#silent === null;
    this.#silent = reason;
    if (wasHeard) this.#listener.wordChanged();
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#clock.schedule(Math.max(1, delayMs), resolve));
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
