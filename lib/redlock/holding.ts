import type { Claim } from "./claim";
import { LockLostError } from "./errors";
import { lazySignal } from "./lazy-signal";
import type { Settings } from "./options";
import type { LockKey, ReleaseOutcome } from "./outcomes";
import type { Clock, ReleaseRequest } from "./ports";
import type { MonotonicMs, Token } from "./units";

/** The signal of a lock; `error` is node-redlock's name for the reason. */
export type LockSignal = AbortSignal & { readonly error?: Error };

export interface HoldingStart {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly ttlMs: number;
  /** Just before the first request of the winning attempt. */
  readonly startedAt: MonotonicMs;
  /** End of the validity. */
  readonly deadline: number;
  readonly attempts: number;
  readonly claim: Claim;
  readonly settings: Settings;
  /** Null unless one was asked for. */
  readonly fence: number | null;
  /** Of a fair lock: its release hands over. */
  readonly queue?: ReleaseRequest["queue"];
}

type End = { readonly kind: "released" } | { readonly kind: "lost"; readonly error: LockLostError };

/**
 * What the engine knows of a lock it holds: until when, and whether it has ended and why.
 *
 * An end is final. It is noticed by a timer, or earlier by anyone who looks, whichever comes first.
 */
export class Holding implements LockKey {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly startedAt: MonotonicMs;
  readonly attempts: number;
  readonly claim: Claim;
  readonly settings: Settings;
  readonly fence: number | null;
  readonly queue: ReleaseRequest["queue"];
  /** The release that runs or has run. */
  releasing: Promise<ReleaseOutcome> | null = null;
  readonly #clock: Clock;
  #deadline: number;
  #ttlMs: number;
  #extensions = 0;
  #end: End | null = null;
  #signal: { readonly controller: AbortController; readonly signal: LockSignal } | null = null;
  #cancelTimer: (() => void) | null = null;
  #onEnd: Set<(loss: LockLostError | null) => void> | null = null;

  constructor(clock: Clock, start: HoldingStart) {
    this.#clock = clock;
    this.resources = start.resources;
    this.token = start.token;
    this.startedAt = start.startedAt;
    this.attempts = start.attempts;
    this.claim = start.claim;
    this.settings = start.settings;
    this.fence = start.fence;
    this.queue = start.queue;
    this.#deadline = start.deadline;
    this.#ttlMs = start.ttlMs;
  }

  /** Longest ttl ever asked for: so long a key of this lock can live. */
  get ttlMs(): number {
    return this.#ttlMs;
  }

  get extensions(): number {
    return this.#extensions;
  }

  /** Milliseconds this lock may still be relied on; 0 once it has ended. */
  remaining(): number {
    this.#refresh();
    return this.#end === null ? this.#deadline - this.#clock.now() : 0;
  }

  /** @throws LockLostError when it has ended, also when it was released */
  check(): void {
    this.#refresh();
    if (this.#end?.kind === "lost") throw this.#end.error;
    if (this.#end?.kind === "released") throw new LockLostError(`${this.#names()} has been released`, null);
  }

  get signal(): LockSignal {
    this.watch();
    if (this.#signal === null) {
      const controller = new AbortController();
      this.#signal = { controller, signal: lazySignal(controller, () => this.#refresh()) };
      if (this.#end?.kind === "lost") controller.abort(this.#end.error);
    }
    return this.#signal.signal;
  }

  /** Notices the end of the validity by a timer, independent of any request that may be in flight. */
  watch(): void {
    if (this.#cancelTimer !== null || this.remaining() === 0) return;
    // Whole milliseconds: what a fraction too small to move the clock leaves over would set the timer again without end.
    this.#cancelTimer = this.#clock.schedule(Math.ceil(this.remaining()), () => {
      // An extension does not move the timer: that would cost a timer each; it is set anew when it fires early.
      this.#cancelTimer = null;
      this.watch();
    });
  }

  /** Calls back once when the lock ends, with the loss or with null for a release; at once when it has ended. */
  onEnd(callback: (loss: LockLostError | null) => void): void {
    this.#refresh();
    if (this.#end !== null) {
      callback(this.#end.kind === "lost" ? this.#end.error : null);
      return;
    }
    this.#onEnd ??= new Set();
    this.#onEnd.add(callback);
  }

  /** Never shortens, and never revives: without effect once the lock has ended. */
  prolong(deadline: number, ttlMs: number): void {
    if (this.remaining() === 0) return;
    this.#deadline = Math.max(this.#deadline, deadline);
    this.#ttlMs = Math.max(this.#ttlMs, ttlMs);
    this.#extensions += 1;
  }

  lose(error: LockLostError): void {
    this.#finish({ kind: "lost", error });
  }

  markReleased(): void {
    this.#refresh();
    this.#finish({ kind: "released" });
  }

  #refresh(): void {
    if (this.#end !== null || this.#clock.now() < this.#deadline) return;
    this.lose(new LockLostError(`the validity of ${this.#names()} has ended`, null));
  }

  #finish(end: End): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const loss = end.kind === "lost" ? end.error : null;
    if (loss !== null) this.#signal?.controller.abort(loss);
    for (const callback of this.#onEnd ?? []) callback(loss);
    this.#onEnd = null;
  }

  #names(): string {
    return this.resources.join(", ");
  }
}
