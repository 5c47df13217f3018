import type { BreakerNode } from "./breaker";
import type { Claim } from "./claim";
import { abandon, type Engine } from "./engine";
import type { FenceClock } from "./fence-clock";
import { lacksFence, recoverFences } from "./fence-recovery";
import { agreeOnFence } from "./fencing";
import { type Settings, timeLimitMs } from "./options";
import type { Counted, Refusal } from "./outcomes";
import { type Cast, Poll } from "./poll";
import type { AcquireRequest, AcquireVote, Fault, FenceProposal } from "./ports";
import { tally } from "./quorum";
import type { Stand } from "./stand";
import type { MonotonicMs, Token } from "./units";
import { marginMs } from "./validity";

/** One acquire over all nodes, without retries. */
export type Attempt = Counted<AcquireVote> &
  (
    | {
        readonly kind: "won";
        readonly token: Token;
        readonly claim: Claim;
        readonly startedAt: MonotonicMs;
        readonly deadline: number;
        /** Null unless the settings ask for one. */
        readonly fence: number | null;
      }
    | { readonly kind: "lost"; readonly refusal: Exclude<Refusal, "deadline"> }
  );

export interface AttemptRequest {
  readonly resources: readonly string[];
  readonly ttlMs: number;
  readonly settings: Settings;
  readonly signal: AbortSignal | undefined;
  /** Of a fair lock. What a failed attempt leaves on the nodes is then its place in their queues, for the next attempt. */
  readonly stand?: Stand;
}

/** Tries once; with fencing a second time at once when nodes had to be given fence counters first, as on their first use. */
export function attemptAcquire(engine: Engine, request: AttemptRequest): Promise<Attempt> {
  const fences = request.settings.fencing ? engine.fences : null;
  return fences === null ? attemptOnce(engine, request) : attemptFenced(engine, request, fences);
}

async function attemptFenced(engine: Engine, request: AttemptRequest, fences: FenceClock): Promise<Attempt> {
  const attempt = await attemptOnce(engine, request, fences.propose());
  if (attempt.kind === "won") {
    // Nobody waits: the lock is won, and these nodes are only missed by the next one.
    void attempt.settled().then((ballots) => (lacksFence(ballots) ? recoverFences(engine, fences) : false));
    return attempt;
  }
  if (attempt.refusal === "aborted" || !lacksFence(attempt.ballots)) return attempt;
  const hasRecovered = await recoverFences(engine, fences);
  return hasRecovered && !request.signal?.aborted ? attemptOnce(engine, request, fences.propose()) : attempt;
}

/**
 * Tries once, with a token and a start time of its own.
 *
 * A fresh token per attempt: the release of an earlier attempt that is still on its way cannot delete what this one wins.
 * Whatever a failed attempt may have left on any node is released before this returns, but for a place in the queues.
 */
async function attemptOnce(engine: Engine, request: AttemptRequest, proposal?: FenceProposal): Promise<Attempt> {
  const { ttlMs, settings, signal } = request;
  const poll = new AcquirePoll(engine, request, proposal).start();
  const { resources, token, claim } = poll;
  let decision = await (signal === undefined ? poll.decision : decisionOrAbort(poll, signal));
  let ballots = poll.ballots();
  let fence: number | null = null;
  if (decision === "won" && proposal !== undefined) {
    const agreement = await agreeOnFence(engine, { resources, token, ttlMs, claim, ballots });
    if (agreement.kind === "agreed") fence = agreement.fence;
    else [decision, ballots] = ["quorum_unreachable", agreement.ballots];
    if (signal?.aborted) decision = "aborted";
  }
  const deadline = poll.startedAt + ttlMs - marginMs(ttlMs, settings);
  const settled = (): ReturnType<typeof poll.settled> => poll.settled();
  // Measured as late as can be: a pause before this line is counted, one behind it is the holder's to check.
  const isInTime = deadline - engine.clock.now() > settings.minValidityMs;
  if (decision === "won" && isInTime) {
    return { kind: "won", ballots, settled, token, claim, startedAt: poll.startedAt, deadline, fence };
  }
  claim.giveUp();
  const lost = { kind: "lost", ballots, settled, refusal: decision === "won" ? "too_late" : decision } as const;
  if (request.stand !== undefined) return lost;
  abandon(engine, resources, token, ttlMs);
  return lost;
}

type Decision = "won" | "held_by_other" | "quorum_unreachable" | "aborted";

/** One acquire of all nodes: the request itself, and the count of its votes. */
class AcquirePoll extends Poll<AcquireVote, Decision> implements AcquireRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly ttlMs: number;
  readonly claim: Claim;
  readonly proposal: AcquireRequest["proposal"];
  readonly queue: AcquireRequest["queue"];
  readonly #engine: Engine;

  constructor(engine: Engine, request: AttemptRequest, proposal: FenceProposal | undefined) {
    const { resources, ttlMs, stand } = request;
    super({
      nodes: engine.nodes,
      clock: engine.clock,
      limitMs: timeLimitMs(engine.nodeTimeoutMs, ttlMs),
    });
    this.#engine = engine;
    this.resources = resources;
    this.token = engine.random.token();
    this.ttlMs = ttlMs;
    this.claim = engine.claims.take(this.token);
    this.proposal = proposal;
    this.queue = stand?.step(this.token);
  }

  isCancelled(): boolean {
    return this.isOver || this.claim.isGivenUp;
  }

  protected ask(node: BreakerNode, place: number): Fault | null {
    return node.acquire(this, this, place);
  }

  protected decide(votes: readonly Cast<AcquireVote>[]): Decision | null {
    return decide(this.#engine, votes);
  }

  protected override onSettled(): void {
    this.#engine.claims.drop(this.token);
  }
}

function decide({ quorum, nodes }: Engine, votes: readonly Cast<AcquireVote>[]): Decision | null {
  let granted = 0;
  let refused = 0;
  let pending = 0;
  for (const { kind } of votes) {
    if (kind === "granted") granted += 1;
    else if (kind === "refused") refused += 1;
    else if (kind === "pending") pending += 1;
  }
  const membership = nodes.length;
  const faults = membership - granted - refused - pending;
  switch (tally({ granted, denied: refused + faults, membership, quorum })) {
    case "won":
      return "won";
    case "open":
      return null;
    case "lost":
      // With so many nodes out of the vote nobody could win, whether others hold something or not.
      return faults > membership - quorum ? "quorum_unreachable" : "held_by_other";
  }
}

async function decisionOrAbort(poll: Poll<AcquireVote, Decision>, signal: AbortSignal): Promise<Decision> {
  const onAbort = (): void => poll.conclude("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const decision = await poll.decision;
    return signal.aborted ? "aborted" : decision;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
