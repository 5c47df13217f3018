import type { BreakerNode } from "./breaker";
import type { Pending } from "./outcomes";
import type { Ballot, Clock, Fault } from "./ports";
import type { MonotonicMs } from "./units";

const PENDING: Pending = { kind: "pending" };
const TIMEOUT: Fault = { kind: "timeout" };

interface PollPlan<Vote, Decision> {
  readonly nodes: readonly BreakerNode[];
  readonly clock: Clock;
  /** Time all nodes together have to answer, milliseconds. */
  readonly limitMs: number;
  /** Asks one node. `isOver` is true from the moment no answer of this poll counts any more. */
  readonly ask: (node: BreakerNode, isOver: () => boolean) => Promise<Vote>;
  /** What the votes so far decide, null when they are open. Must decide once none is pending. */
  readonly decide: (ballots: readonly Ballot<Vote | Fault | Pending>[]) => Decision | null;
  /** Called once when every node has answered or the time limit has passed. */
  readonly onSettled?: () => void;
}

/**
 * One question to all nodes at once, with one time limit for all, decided as soon as the votes decide.
 *
 * Votes that come after the decision are kept for `settled`; those that come after the time limit never count.
 */
export class Poll<Vote extends { readonly kind: string }, Decision> {
  /** Just before the first node was asked. */
  readonly startedAt: MonotonicMs;
  readonly decision: Promise<Decision>;
  readonly #plan: PollPlan<Vote, Decision>;
  readonly #ballots: Ballot<Vote | Fault | Pending>[];
  #unanswered: number;
  #isDecided = false;
  #isOver = false;
  #resolve: (decision: Decision) => void = () => {};
  #cancelTimer: () => void;
  #waiting: (() => void)[] = [];

  constructor(plan: PollPlan<Vote, Decision>) {
    this.#plan = plan;
    this.#unanswered = plan.nodes.length;
    this.#ballots = plan.nodes.map((node) => ({ node: node.id, vote: PENDING, roundTripMs: null }));
    this.decision = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.startedAt = plan.clock.now();
    const isOver = (): boolean => this.#isOver;
    for (const [index, node] of plan.nodes.entries()) {
      plan.ask(node, isOver).then((vote) => this.#record(index, vote));
    }
    this.#cancelTimer = plan.clock.schedule(plan.limitMs, () => {
      // After a stall of the event loop timers run before sockets are read: one more turn lets answers in that are here already.
      this.#cancelTimer = plan.clock.schedule(0, () => this.#end());
    });
  }

  /** Ballots as they stand now. */
  ballots(): readonly Ballot<Vote | Fault | Pending>[] {
    return [...this.#ballots];
  }

  /** Ballots once every node has answered or the time limit has passed. */
  async settled(): Promise<readonly Ballot<Vote | Fault>[]> {
    if (!this.#isOver) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#ballots.filter(isCast);
  }

  /** Decides from outside, before the votes do; later votes are still kept. */
  conclude(decision: Decision): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    this.#resolve(decision);
  }

  #record(index: number, vote: Vote | Fault): void {
    const ballot = this.#ballots[index];
    if (this.#isOver || ballot === undefined) return;
    const roundTripMs = this.#plan.clock.now() - this.startedAt;
    this.#ballots[index] = { node: ballot.node, vote, roundTripMs };
    this.#unanswered -= 1;
    this.#decide();
    if (this.#unanswered === 0) this.#finish();
  }

  /** The time limit has passed: whoever is silent now has no vote. */
  #end(): void {
    for (const [index, ballot] of this.#ballots.entries()) {
      if (ballot.vote.kind !== "pending") continue;
      this.#ballots[index] = { node: ballot.node, vote: TIMEOUT, roundTripMs: null };
      this.#plan.nodes[index]?.reportSilence(this.startedAt);
    }
    this.#decide();
    this.#finish();
  }

  #decide(): void {
    if (this.#isDecided) return;
    const decision = this.#plan.decide(this.#ballots);
    if (decision !== null) this.conclude(decision);
  }

  #finish(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#plan.onSettled?.();
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }
}

/** One question to some nodes at once; the ballots once every one has answered or the time limit has passed. */
export function askAll<Vote extends { readonly kind: string }>(
  clock: Clock,
  plan: Pick<PollPlan<Vote, never>, "nodes" | "limitMs" | "ask">,
): Promise<readonly Ballot<Vote | Fault>[]> {
  return new Poll<Vote, never>({ ...plan, clock, decide: () => null }).settled();
}

function isCast<Vote extends { readonly kind: string }>(ballot: Ballot<Vote | Pending>): ballot is Ballot<Vote> {
  return ballot.vote.kind !== "pending";
}
