import type { QueuePlace } from "../ports";
import type { Token } from "../units";

interface Waiter {
  readonly since: number;
  readonly round: number;
  readonly token: Token;
  readonly aliveUntil: number;
  readonly handOverMs: number;
}

/** Who a key is handed to. */
export interface Heir {
  readonly waiter: string;
  readonly round: number;
  readonly token: Token;
  readonly handOverMs: number;
}

/** The queues of one simulated server, as the scripts of lib/redis keep them. */
export class SimulatedQueues {
  /** What is known of each waiter, also of those whose turn has come. */
  readonly #waiters = new Map<string, Map<string, Waiter>>();
  readonly #queues = new Map<string, Set<string>>();

  /** The token of the last round of the waiter; null when it is not known. */
  tokenOf(resource: string, waiter: string): Token | null {
    return this.#waiters.get(resource)?.get(waiter)?.token ?? null;
  }

  /** Takes a place, or keeps it. @returns false when a later round was here before */
  join(
    resource: string,
    token: Token,
    { waiter, since, round, aliveForMs, handOverMs }: QueuePlace,
    now: number,
  ): boolean {
    const known = this.#waiters.get(resource)?.get(waiter);
    if (known !== undefined && known.round > round) return false;
    const place = { since: since ?? known?.since ?? now, round, token, aliveUntil: now + aliveForMs, handOverMs };
    mapOf(this.#waiters, resource).set(waiter, place);
    const queue = this.#queues.get(resource) ?? new Set();
    this.#queues.set(resource, queue.add(waiter));
    return true;
  }

  /** Its turn has come: no longer in the queue, but known. */
  take(resource: string, waiter: string): void {
    this.#queues.get(resource)?.delete(waiter);
  }

  /** @returns the token of its last round; null when it is not known, or has acquired again after `round` */
  leave(resource: string, { waiter, round }: Pick<QueuePlace, "waiter" | "round">): Token | null {
    const known = this.#waiters.get(resource)?.get(waiter);
    if (known !== undefined && known.round > round) return null;
    this.#drop(resource, waiter);
    return known?.token ?? null;
  }

  #drop(resource: string, waiter: string): void {
    this.#queues.get(resource)?.delete(waiter);
    this.#waiters.get(resource)?.delete(waiter);
  }

  /** The first in the queue that is alive; those before it are dropped. */
  head(resource: string, now: number): Heir | null {
    for (const waiter of this.order(resource)) {
      const known = this.#waiters.get(resource)?.get(waiter);
      if (known !== undefined && known.aliveUntil >= now) return { waiter, ...known };
      this.#drop(resource, waiter);
    }
    return null;
  }

  /** Waiters in the queue, the first to be served first. */
  order(resource: string): readonly string[] {
    const sinceOf = (waiter: string): number => this.#waiters.get(resource)?.get(waiter)?.since ?? 0;
    return [...(this.#queues.get(resource) ?? [])].sort((a, b) => sinceOf(a) - sinceOf(b) || (a < b ? -1 : 1));
  }

  clear(): void {
    this.#waiters.clear();
    this.#queues.clear();
  }
}

function mapOf<Value>(maps: Map<string, Map<string, Value>>, name: string): Map<string, Value> {
  const map = maps.get(name) ?? new Map<string, Value>();
  maps.set(name, map);
  return map;
}
