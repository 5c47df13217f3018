import type { BreakerNode } from "./breaker";
import type { Pending } from "./outcomes";
import type { Ballot, Clock, Fault, VoteSink } from "./ports";
import type { MonotonicMs } from "./units";

const PENDING: Pending = { kind: "pending" };
const TIMEOUT: Fault = { kind: "timeout" };

interface PollPlan {
  readonly nodes: readonly BreakerNode[];
  readonly clock: Clock;
  /** Time all nodes together have to answer, milliseconds. */
  readonly limitMs: number;
}

/** A vote that has come or is awaited still. */
export type Cast<Vote> = Vote | Fault | Pending;

/**
 * One question to all nodes at once, with one time limit for all, decided as soon as the votes decide.
 *
 * Votes that come after the decision are kept for `settled`; those that come after the time limit never count. It is a class to be
 * derived from, and takes the votes itself: closures and promises for each node were most of what an acquire cost the client.
 */
export abstract class Poll<Vote extends { readonly kind: string }, Decision> implements VoteSink<Vote | Fault> {
  readonly decision: Promise<Decision>;
  readonly #plan: PollPlan;
  readonly #votes: Cast<Vote>[];
  readonly #tookMs: number[];
  #startedAt: MonotonicMs;
  #unanswered: number;
  #isDecided = false;
  #isOver = false;
  #resolve: (decision: Decision) => void = nothing;
  #cancelTimer: () => void = nothing;
  #waiting: (() => void)[] | null = null;

  constructor(plan: PollPlan) {
    const count = plan.nodes.length;
    this.#plan = plan;
    this.#unanswered = count;
    this.#votes = new Array<Cast<Vote>>(count).fill(PENDING);
    this.#tookMs = new Array<number>(count).fill(Number.NaN);
    this.#startedAt = plan.clock.now();
    this.decision = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Asks one node. @returns what became of it, when that is known at once; else the answer is told by `vote` */
  protected abstract ask(node: BreakerNode, place: number): Fault | null;

  /** What the votes so far decide, null when they are open. Must decide once none is pending. */
  protected abstract decide(votes: readonly Cast<Vote>[]): Decision | null;

  /** Called once when every node has answered or the time limit has passed. */
  protected onSettled(): void {}

  /** Asks all nodes; once. */
  start(): this {
    const { nodes, clock, limitMs } = this.#plan;
    this.#startedAt = clock.now();
    for (let place = 0; place < nodes.length; place += 1) {
      const node = nodes[place];
      const fault = node === undefined ? null : this.ask(node, place);
      if (fault !== null) this.record(place, fault);
    }
    if (this.#isOver) return this;
    this.#cancelTimer = clock.schedule(limitMs, () => {
      // After a stall of the event loop timers run before sockets are read: one more turn lets answers in that are here already.
      this.#cancelTimer = clock.schedule(0, () => this.#end());
    });
    return this;
  }

  /** Just before the first node was asked. */
  get startedAt(): MonotonicMs {
    return this.#startedAt;
  }

  /** True from the moment no answer counts any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  vote(place: number, vote: Vote | Fault): void {
    this.#plan.nodes[place]?.heard();
    this.record(place, vote);
  }

  /** Ballots as they stand now. */
  ballots(): readonly Ballot<Cast<Vote>>[] {
    return this.#plan.nodes.map(({ id }, place) => {
      const tookMs = this.#tookMs[place] ?? Number.NaN;
      const roundTripMs = Number.isNaN(tookMs) ? null : tookMs;
      return { node: id, vote: this.#votes[place] ?? PENDING, roundTripMs };
    });
  }

  /** Ballots once every node has answered or the time limit has passed. */
  async settled(): Promise<readonly Ballot<Vote | Fault>[]> {
    if (!this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#waiting ??= [];
        this.#waiting.push(resolve);
      });
    }
    return this.ballots().filter(isCast);
  }

  /** Decides from outside, before the votes do; later votes are still kept. */
  conclude(decision: Decision): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    this.#resolve(decision);
  }

  /** Takes a vote that is no sign of life of its node. */
  protected record(place: number, vote: Vote | Fault): void {
    if (this.#isOver || this.#votes[place] !== PENDING) return;
    this.#votes[place] = vote;
    this.#tookMs[place] = this.#plan.clock.now() - this.#startedAt;
    this.#unanswered -= 1;
    this.#decide();
    if (this.#unanswered === 0) this.#finish();
  }

  /** The time limit has passed: whoever is silent now has no vote. */
  #end(): void {
    for (const [place, vote] of this.#votes.entries()) {
      if (vote !== PENDING) continue;
      this.#votes[place] = TIMEOUT;
      this.#plan.nodes[place]?.reportSilence(this.#startedAt);
    }
    this.#decide();
    this.#finish();
  }

  #decide(): void {
    if (this.#isDecided) return;
    const decision = this.decide(this.#votes);
    if (decision !== null) this.conclude(decision);
  }

  #finish(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.onSettled();
    for (const resolve of this.#waiting ?? []) resolve();
    this.#waiting = null;
  }
}

interface Question<Vote> extends PollPlan {
  /** Asks one node. `isOver` is true from the moment no answer counts any more. */
  readonly ask: (node: BreakerNode, isOver: () => boolean) => Promise<Vote>;
}

/** One question to some nodes at once; the ballots once every one has answered or the time limit has passed. */
export function askAll<Vote extends { readonly kind: string }>(
  question: Question<Vote | Fault>,
): Promise<readonly Ballot<Vote | Fault>[]> {
  return new Inquiry<Vote>(question).start().settled();
}

/** Asks by promises and decides nothing: for what is seldom asked. */
class Inquiry<Vote extends { readonly kind: string }> extends Poll<Vote, never> {
  readonly #question: Question<Vote | Fault>;

  constructor(question: Question<Vote | Fault>) {
    super(question);
    this.#question = question;
  }

  protected ask(node: BreakerNode, place: number): null {
    void this.#question.ask(node, () => this.isOver).then((vote) => this.record(place, vote));
    return null;
  }

  protected decide(): null {
    return null;
  }
}

function isCast<Vote extends { readonly kind: string }>(ballot: Ballot<Vote | Pending>): ballot is Ballot<Vote> {
  return ballot.vote.kind !== "pending";
}

function nothing(): void {}
