/** How much faster than ours a server's clock may run between two readings of it: far beyond what NTP slews. */
const RATE = 0.001;

/** When a reading of the server's clock was asked for and had arrived, monotonic milliseconds. */
export interface Exchange {
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * What a server's clock shows, reckoned from readings of it and our own monotonic clock; never earlier than it really shows.
 *
 * It gives a request the latest time at which it may still be executed. A hung server that wakes would otherwise grant a lock to
 * somebody who gave up long ago: a ghost. A step of the server's clock only costs refusals. Source: `safety.md`, R5.
 */
export class ServerTime {
  /** Server's clock minus ours: an upper bound. */
  #offsetMs: number | null = null;
  #readAt = 0;

  /** Null before the first reading. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** @param serverMs what its clock showed at some moment of the exchange */
  learn(serverMs: number, { sentAt, receivedAt }: Exchange): void {
    const most = serverMs - sentAt;
    const least = serverMs - receivedAt;
    const known = this.#offsetMs === null ? null : this.#offsetMs + (receivedAt - this.#readAt) * RATE;
    // The tightest bound is kept; one that the reading disproves means that the clock was put forward.
    this.#offsetMs = known === null || least > known ? most : Math.min(known, most);
    this.#readAt = receivedAt;
  }

  /** What the server's clock shows at most when `limitMs` from `now` have passed; 0 when nothing is known. */
  deadline(now: number, limitMs: number): number {
    if (this.#offsetMs === null) return 0;
    return Math.ceil(now + this.#offsetMs + (now - this.#readAt) * RATE + limitMs) + 1;
  }
}

/** The answer to TIME, epoch milliseconds; null when it is something else. */
export function timeOf(value: unknown): number | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const ms = Number(value[0]) * 1000 + Number(value[1]) / 1000;
  return Number.isFinite(ms) ? ms : null;
}
