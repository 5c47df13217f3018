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
  /** Bounds of the server's clock minus ours. */
  #bounds: { readonly least: number; readonly most: number } | null = null;
  #readAt = 0;
  #wasMoved = false;
  readonly #vagueMs: number;
  readonly #slowMs: number;

  /**
   * @param vagueMs a reading that may be wrong by more says too little about a clock that has moved, milliseconds
   * @param nodeTimeoutMs so long a vote may take, so a far node's readings may be as wrong as that
   */
  constructor(vagueMs: number, nodeTimeoutMs: number) {
    this.#vagueMs = vagueMs;
    this.#slowMs = Math.max(vagueMs, nodeTimeoutMs);
  }

  /** Server's clock minus ours, and by how much that may be wrong; null before the first reading. */
  get offset(): { readonly ms: number; readonly errorMs: number } | null {
    if (this.#bounds === null) return null;
    const { least, most } = this.#bounds;
    return { ms: (least + most) / 2, errorMs: (most - least) / 2 };
  }

  /**
   * Why a vote must not be asked for until a quicker reading was had: its latest time of execution would be too late, and a hung
   * server could still carry it out when its sender has given up. slow: of a fresh connection none was quick yet; moved: the clock was
   * put forward or back, and the reading that showed it took too long to tell how far. Null when one may be asked for.
   */
  get doubt(): "slow" | "moved" | null {
    const errorMs = this.offset?.errorMs ?? 0;
    if (this.#wasMoved && errorMs > this.#vagueMs) return "moved";
    return errorMs > this.#slowMs ? "slow" : null;
  }

  /** @param serverMs what its clock showed at some moment of the exchange */
  learn(serverMs: number, { sentAt, receivedAt }: Exchange): void {
    const seen = { least: serverMs - receivedAt, most: serverMs - sentAt };
    const slackMs = (receivedAt - this.#readAt) * RATE;
    const least = Math.max(seen.least, (this.#bounds?.least ?? Number.NEGATIVE_INFINITY) - slackMs);
    const most = Math.min(seen.most, (this.#bounds?.most ?? Number.POSITIVE_INFINITY) + slackMs);
    // The tightest bounds are kept; those that a reading disproves mean that the clock was put forward or back.
    if (least > most) this.#wasMoved = true;
    this.#bounds = least <= most ? { least, most } : seen;
    this.#readAt = receivedAt;
  }

  /**
   * What the server's clock shows at most; null when nothing is known. This bound is the better one: what makes readings vague is
   * mostly that answers lie about in a busy client before they are read.
   */
  latest(now: number): number | null {
    return this.#bounds === null ? null : now + this.#bounds.most + (now - this.#readAt) * RATE;
  }

  /** What the server's clock shows at most when `limitMs` from `now` have passed; 0 when nothing is known. */
  deadline(now: number, limitMs: number): number {
    const latest = this.latest(now);
    return latest === null ? 0 : Math.ceil(latest + limitMs) + 1;
  }
}

/** The answer to TIME, epoch milliseconds; null when it is something else. */
export function timeOf(value: unknown): number | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const ms = Number(value[0]) * 1000 + Number(value[1]) / 1000;
  return Number.isFinite(ms) ? ms : null;
}
