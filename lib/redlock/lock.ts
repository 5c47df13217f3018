import type { Holding, LockSignal } from "./holding";
import type { LockKey, ReleaseOutcome } from "./outcomes";
import type { Token } from "./units";

/** What a lock asks of the engine that won it. */
export interface LockOperations {
  extend(lock: Lock, ttlMs: number): Promise<Lock>;
  release(lock: Lock): Promise<ReleaseOutcome>;
}

/**
 * A lock that was won: one handle, updated in place by extensions.
 *
 * There is no `expiration` as in node-redlock: a date would follow the wall clock, which an administrator can move while the
 * lock is held. Ask `remaining()`, and call `check()` just before each side effect; a Redlock lock cannot stop a process that
 * was paused after it looked, so let the protected resource check as well where it can.
 */
export class Lock implements LockKey, AsyncDisposable {
  readonly resources: readonly string[];
  /** Tries the acquire took. */
  readonly attempts: number;
  /**
   * Higher than that of every earlier lock of these resources; null unless asked for with `fencing`. Send it along with every
   * write, and let the resource refuse what is lower than the highest it has seen. Extensions keep it.
   */
  readonly fencingToken: number | null;
  readonly #holding: Holding;
  readonly #operations: LockOperations;

  constructor(holding: Holding, operations: LockOperations) {
    this.resources = holding.resources;
    this.attempts = holding.attempts;
    this.fencingToken = holding.fence;
    this.#holding = holding;
    this.#operations = operations;
  }

  /** Secret: whoever knows it may release the lock. A getter, so that neither a log nor JSON shows it by accident. */
  get token(): Token {
    return this.#holding.token;
  }

  /** node-redlock's name for the token. */
  get value(): Token {
    return this.#holding.token;
  }

  /**
   * Aborts when the lock is lost: its validity has ended, or a majority of the nodes no longer has it. Not on a release. Its
   * `aborted` looks at the clock when it is read.
   */
  get signal(): LockSignal {
    return this.#holding.signal;
  }

  /** Extensions won so far. */
  get extensions(): number {
    return this.#holding.extensions;
  }

  /** Milliseconds the lock may still be relied on, by a monotonic clock; 0 once it is lost or released. */
  remaining(): number {
    return this.#holding.remaining();
  }

  /** @throws LockLostError unless the lock may be relied on at this very moment */
  check(): void {
    this.#holding.check();
  }

  /**
   * Holds on for `ttlMs` from now; never shortens. Tries again while there is validity left.
   *
   * @returns this same lock
   * @throws LockLostError when it is lost, ExecutionError when no majority could confirm: it then keeps the validity it has
   */
  extend(ttlMs: number): Promise<Lock> {
    return this.#operations.extend(this, ttlMs);
  }

  /** Gives the lock back on all nodes. Never rejects; a second call answers what the first did. */
  release(): Promise<ReleaseOutcome> {
    return this.#operations.release(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  /** For the engine, which works on the state behind the handle. */
  static holdingOf(key: LockKey): Holding | null {
    return key instanceof Lock ? key.#holding : null;
  }
}
