import type {
  AcquireRequest,
  AcquireVote,
  Clock,
  DirectVerbs,
  ExtendRequest,
  ExtendVote,
  Fault,
  FenceReading,
  HandOver,
  HealRequest,
  HealVote,
  LockNode,
  RaiseFenceRequest,
  RaiseFenceVote,
  ReleaseRequest,
  ReleaseVote,
  RestoreFenceRequest,
  RestoreFenceVote,
  VoteSink,
} from "./ports";
import type { MonotonicMs, NodeId, Token } from "./units";

/** A silent node is asked again so often, in multiples of the time limit, in case its outstanding answers are lost for good. */
const TRIAL_PERIOD_LIMITS = 100;

/** Tokens remembered as never sent; a forgotten one only costs a release too many. */
const WITHHELD_MAX = 10_000;

/**
 * A node that costs one time limit when it falls silent, and then nothing.
 *
 * Without it a hung node piles up tens of thousands of commands, votes late when it wakes, and a hung majority makes every
 * attempt wait. A silent node answers `unreachable` at once until any outstanding request of it settles. It is sent nothing
 * but releases, and of those only the ones whose acquire it was sent: it may execute that one when it wakes.
 */
export class BreakerNode implements VoteSink<unknown> {
  readonly id: NodeId;
  readonly handOver: HandOver | undefined;
  readonly #node: LockNode;
  readonly #direct: DirectVerbs;
  readonly #clock: Clock;
  readonly #limitMs: number;
  #silentSince: MonotonicMs | null = null;
  #lastTrialAt = Number.NEGATIVE_INFINITY;
  /** Tokens whose acquire was not sent, with the time from which nobody will ask for them. */
  readonly #withheld = new Map<Token, number>();

  readonly #heard = <Vote>(vote: Vote): Vote => {
    this.#silentSince = null;
    return vote;
  };
  /** The port forbids both, but an implementation that throws or rejects must cost one vote and not the process. */
  readonly #failed = (cause: unknown): Fault => {
    this.#silentSince = null;
    return { kind: "error", reason: reasonOf(cause) };
  };

  /** @param limitMs how long a request may take before the node counts as silent */
  constructor(node: LockNode, clock: Clock, limitMs: number) {
    this.id = node.id;
    this.handOver = node.handOver;
    this.#direct = node.direct ?? byPromises(node);
    this.#node = node;
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Tells that a request sent at `sentAt` got no answer; ignored unless a whole time limit has passed since. */
  reportSilence(sentAt: MonotonicMs): void {
    const now = this.#clock.now();
    if (this.#silentSince !== null || now - sentAt < this.#limitMs) return;
    this.#silentSince = sentAt;
    this.#lastTrialAt = now;
  }

  /** To be told of every answer: it ends the silence, also when it says that the connection closed. */
  heard(): void {
    this.#silentSince = null;
  }

  /** Takes the answers nobody waits for. */
  vote(): void {
    this.heard();
  }

  /** @returns why it was not asked; null when it was, and the answer goes to `sink`, which is to call `heard` */
  acquire(request: AcquireRequest, sink: VoteSink<AcquireVote>, place: number): Fault | null {
    const silence = this.#silence();
    if (silence !== null) {
      this.#withhold(request);
      return silence;
    }
    try {
      this.#direct.acquire(request, sink, place);
      return null;
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  /** As `acquire`. */
  extend(request: ExtendRequest, sink: VoteSink<ExtendVote>, place: number): Fault | null {
    const silence = this.#silence();
    if (silence !== null) return silence;
    try {
      this.#direct.extend(request, sink, place);
      return null;
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  /** As `acquire`. @param sink left out, nobody waits */
  release(request: ReleaseRequest, sink: VoteSink<ReleaseVote> = this, place = 0): Fault | null {
    // A waiter may have left an earlier token there, or stand in the queue.
    const wasWithheld = this.#withheld.delete(request.token) && (request.queue?.round ?? 1) === 1;
    if (this.#silentSince !== null && wasWithheld) return this.#fault(this.#silentSince);
    try {
      this.#direct.release(request, sink, place);
      return null;
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  heal(request: HealRequest): Promise<HealVote> {
    const silence = this.#silence();
    if (silence !== null) return Promise.resolve(silence);
    this.#withheld.delete(request.token);
    return this.#send(() => this.#node.heal(request));
  }

  raiseFence(request: RaiseFenceRequest): Promise<RaiseFenceVote> {
    const silence = this.#silence();
    return silence === null ? this.#send(() => this.#node.raiseFence(request)) : Promise.resolve(silence);
  }

  readFence(): Promise<FenceReading> {
    const silence = this.#silence();
    return silence === null ? this.#send(() => this.#node.readFence()) : Promise.resolve(silence);
  }

  restoreFence(request: RestoreFenceRequest): Promise<RestoreFenceVote> {
    const silence = this.#silence();
    return silence === null ? this.#send(() => this.#node.restoreFence(request)) : Promise.resolve(silence);
  }

  /** Null when the node may be asked. */
  #silence(): Fault | null {
    if (this.#silentSince === null) return null;
    const now = this.#clock.now();
    if (now - this.#lastTrialAt >= TRIAL_PERIOD_LIMITS * this.#limitMs) {
      this.#lastTrialAt = now;
      return null;
    }
    return this.#fault(this.#silentSince);
  }

  #fault(silentSince: MonotonicMs): Fault {
    return { kind: "unreachable", reason: `has not answered for ${Math.round(this.#clock.now() - silentSince)} ms` };
  }

  /** Any settled request, also one that settles because the connection closed, ends the silence. */
  #send<Vote>(ask: () => Promise<Vote>): Promise<Vote | Fault> {
    try {
      return ask().then(this.#heard<Vote>, this.#failed);
    } catch (cause) {
      return Promise.resolve(this.#failed(cause));
    }
  }

  #withhold({ token, ttlMs }: AcquireRequest): void {
    const now = this.#clock.now();
    for (const [oldest, endsAt] of this.#withheld) {
      if (endsAt > now && this.#withheld.size < WITHHELD_MAX) break;
      this.#withheld.delete(oldest);
    }
    this.#withheld.set(token, now + ttlMs);
  }
}

/** The direct verbs of a node that has none. */
function byPromises(node: LockNode): DirectVerbs {
  const failed = (cause: unknown): Fault => ({ kind: "error", reason: reasonOf(cause) });
  return {
    acquire(request, sink, place) {
      void node
        .acquire(request)
        .catch(failed)
        .then((vote) => sink.vote(place, vote));
    },
    extend(request, sink, place) {
      void node
        .extend(request)
        .catch(failed)
        .then((vote) => sink.vote(place, vote));
    },
    release(request, sink, place) {
      void node
        .release(request)
        .catch(failed)
        .then((vote) => sink.vote(place, vote));
    },
  };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
