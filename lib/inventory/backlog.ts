/** When a node's word changes, all its locks are affected: what happens to other nodes within this is judged with it, milliseconds. */
const AFFECTED_MS = 150;
/** When there are more of them than this, looking at all of them is followed by a rest as long as it took, at most so long. */
const AFFECTED_FEW = 1000;
const AFFECTED_REST_MS_MAX = 500;

export interface BacklogSetup {
  /** Monotonic milliseconds. */
  now(): number;
  /** Every resource there is; may be gone through while it changes. */
  everything(): Iterable<string>;
  /** How many those are, about. */
  count(): number;
  /** What a node says of it now is on its way. */
  isComing(resource: string): boolean;
}

/** What is known only in part waits for the rest so long at most, milliseconds. */
const COMING_MS_MAX = 25;
/** So many that wait for the rest are passed over; more are not looked for. */
const COMING_MAX = 1000;

/**
 * Resources that wait to be judged: what changed, and everything when a node's word counts no longer, or counts again.
 *
 * Everything is gone through in laps. It is not copied anywhere: that alone would take a tenth of a second of a hundred thousand.
 */
export class Backlog {
  readonly #setup: BacklogSetup;
  /** Since when each waits. */
  readonly #changed = new Map<string, number>();
  #lap: Iterator<string> | null = null;
  #lapDone = 0;
  /** Everything is to be looked at from the beginning: after the lap under way, or else they at its end would never have their turn. */
  #isLapWanted = false;
  #lapSince = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(setup: BacklogSetup) {
    this.#setup = setup;
  }

  /** How many wait because of what happened to themselves. */
  get changed(): number {
    return this.#changed.size;
  }

  /** How many wait because of what happened to a node, about. */
  get affected(): number {
    if (this.#lap !== null) return Math.max(1, this.#setup.count() - this.#lapDone);
    return this.#isLapWanted ? this.#setup.count() : 0;
  }

  /** How long what is affected should wait now, milliseconds. */
  get affectedDelayMs(): number {
    if (this.affected <= AFFECTED_FEW) return AFFECTED_MS;
    return Math.max(AFFECTED_MS, this.#notBefore - this.#setup.now());
  }

  add(resource: string): void {
    if (!this.#changed.has(resource)) this.#changed.set(resource, this.#setup.now());
  }

  addEverything(): void {
    this.#isLapWanted = true;
  }

  /** It was looked at anyway. */
  drop(resource: string): void {
    this.#changed.delete(resource);
  }

  /** Takes some, what changed before what is merely affected. */
  take(max: number): readonly string[] {
    const batch: string[] = [];
    const now = this.#setup.now();
    let coming = 0;
    for (const [resource, since] of this.#changed) {
      if (batch.length >= max || coming >= COMING_MAX) return batch;
      if (now - since < COMING_MS_MAX && this.#setup.isComing(resource)) {
        coming += 1;
        continue;
      }
      batch.push(resource);
      this.#changed.delete(resource);
    }
    if (this.affected > AFFECTED_FEW && now < this.#notBefore) return batch;
    while (batch.length < max) {
      const next = this.#nextAffected();
      if (next === null) break;
      batch.push(next);
    }
    return batch;
  }

  #nextAffected(): string | null {
    if (this.#lap === null) {
      if (!this.#isLapWanted) return null;
      this.#isLapWanted = false;
      this.#lap = this.#setup.everything()[Symbol.iterator]();
      this.#lapDone = 0;
      this.#lapSince = this.#setup.now();
    }
    const { value, done } = this.#lap.next();
    if (done !== true) {
      this.#lapDone += 1;
      return value;
    }
    this.#lap = null;
    const now = this.#setup.now();
    this.#notBefore = now + Math.min(AFFECTED_REST_MS_MAX, now - this.#lapSince);
    return null;
  }
}
