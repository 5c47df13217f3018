import type { BreakerNode } from "./breaker";
import { countVotes, type Engine } from "./engine";
import { extendError, LockLostError } from "./errors";
import { healMissing } from "./heal";
import type { Holding } from "./holding";
import { type Settings, timeLimitMs } from "./options";
import type { ExtendOutcome, LockKey } from "./outcomes";
import { pause } from "./pause";
import { type Cast, Poll } from "./poll";
import type { ExtendRequest, ExtendVote, Fault } from "./ports";
import type { Token } from "./units";
import { marginMs } from "./validity";

export interface ExtendCall {
  readonly key: LockKey;
  /** The state behind the handle; null for a bare key, of whose validity nothing is known here. */
  readonly holding: Holding | null;
  readonly ttlMs: number;
  readonly settings: Settings;
}

type Decision = "extended" | "lost" | "unknown";

/**
 * Extends once: the same majority and validity rule as an acquire.
 *
 * Never revives: refused once the own validity has ended, both before asking and when the replies are in. A failure changes
 * nothing and releases nothing: redlock 4 deleted a lock that was still valid because one extension timed out.
 */
export async function extendOnce(engine: Engine, call: ExtendCall): Promise<ExtendOutcome> {
  const { key, holding, ttlMs, settings } = call;
  if (holding?.remaining() === 0) return nobodyAsked("lost");
  if (holding !== null && isCapped(engine, holding, call)) return nobodyAsked("capped");
  const claim = engine.claims.take(key.token);
  const isGivenUp = (): boolean => claim.isGivenUp || (holding?.claim.isGivenUp ?? false);
  const poll = new ExtendPoll(engine, call, isGivenUp).start();
  const decision = await poll.decision;

  const counted = { ballots: poll.ballots(), settled: () => poll.settled() };
  const reached = poll.startedAt + ttlMs - marginMs(ttlMs, settings);
  const ownMs = holding?.remaining() ?? Number.POSITIVE_INFINITY;
  const reachedMs = reached - engine.clock.now();
  const validityMs = holding === null ? reachedMs : Math.max(ownMs, reachedMs);
  if (decision === "extended" && ownMs > 0 && validityMs > settings.minValidityMs) {
    holding?.prolong(reached, ttlMs);
    const remainingMs = (): number => holding?.remaining() ?? reached - engine.clock.now();
    const healing = healMissing(engine, key, { poll, isGivenUp, remainingMs });
    void healing.done.then(() => engine.claims.drop(key.token));
    return { kind: "extended", validityMs, healing: healing.nodes, ...counted };
  }
  void poll.settled().then(() => engine.claims.drop(key.token));
  if (ownMs === 0) return { kind: "lost", ...counted };
  if (decision !== "lost") return { kind: "unknown", ...counted };
  const outcome = { kind: "lost", ...counted } as const;
  holding?.lose(new LockLostError(extendError(key.resources, outcome).message, outcome));
  return outcome;
}

/**
 * Extends again and again while the nodes leave it open and there is validity left.
 *
 * @param isStopped ends it at the next try
 */
export async function extendWithRetries(
  engine: Engine,
  call: ExtendCall & { readonly holding: Holding; readonly retryCount: number },
  isStopped: () => boolean = () => false,
): Promise<ExtendOutcome> {
  for (let tries = 0; ; tries += 1) {
    const outcome = await extendOnce(engine, call);
    const mayRetry = call.retryCount < 0 || tries < call.retryCount;
    if (outcome.kind !== "unknown" || !mayRetry || isStopped()) return outcome;
    await pause(engine.clock, retryPauseMs(engine, call));
  }
}

/** A quarter of what is left, so that several tries fit in; with a floor, so that the rate of commands stays bounded. */
function retryPauseMs({ nodeTimeoutMs }: Engine, { holding, settings, ttlMs }: ExtendCall): number {
  const leastMs = Math.max(1, Math.min(ttlMs / 20, nodeTimeoutMs));
  return Math.max(leastMs, Math.min(settings.retryDelay, (holding?.remaining() ?? 0) / 4));
}

function nobodyAsked(kind: "lost" | "capped"): ExtendOutcome {
  return { kind, ballots: [], settled: () => Promise.resolve([]) };
}

function isCapped({ clock }: Engine, holding: Holding, { ttlMs, settings }: ExtendCall): boolean {
  const endsAt = clock.now() + ttlMs;
  return holding.extensions >= settings.maxExtensions || endsAt > holding.startedAt + settings.maxHoldMs;
}

/** One extension by all nodes: the request itself, and the count of its votes. */
class ExtendPoll extends Poll<ExtendVote, Decision> implements ExtendRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly ttlMs: number;
  readonly #engine: Engine;
  readonly #isGivenUp: () => boolean;

  constructor(engine: Engine, { key, holding, ttlMs }: ExtendCall, isGivenUp: () => boolean) {
    super({
      nodes: engine.nodes,
      clock: engine.clock,
      limitMs: Math.min(timeLimitMs(engine.nodeTimeoutMs, ttlMs), holding?.remaining() ?? ttlMs),
    });
    this.#engine = engine;
    this.#isGivenUp = isGivenUp;
    this.resources = key.resources;
    this.token = key.token;
    this.ttlMs = ttlMs;
  }

  isCancelled(): boolean {
    return this.isOver || this.#isGivenUp();
  }

  protected ask(node: BreakerNode, place: number): Fault | null {
    return node.extend(this, this, place);
  }

  protected decide(votes: readonly Cast<ExtendVote>[]): Decision | null {
    return decide(this.#engine, votes);
  }
}

function decide({ quorum, nodes }: Engine, votes: readonly Cast<ExtendVote>[]): Decision | null {
  const extended = countVotes(votes, "extended");
  const denied = countVotes(votes, "missing", "refused");
  const pending = countVotes(votes, "pending");
  const spare = nodes.length - quorum;
  if (extended >= quorum) return "extended";
  if (denied > spare) return "lost";
  // Faults alone never prove a loss, so wait for every answer that could still tell extended or lost from unknown.
  return extended + pending >= quorum || denied + pending > spare ? null : "unknown";
}
