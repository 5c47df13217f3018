import type { BreakerNode } from "./breaker";
import type { Engine } from "./engine";
import type { Holding } from "./holding";
import { TTL_MS_MAX } from "./options";
import type { LockKey, ReleaseOutcome } from "./outcomes";
import { type Cast, Poll } from "./poll";
import type { Fault, ReleaseRequest, ReleaseVote } from "./ports";
import type { Token } from "./units";

/**
 * Releases on all nodes, one bounded pass. Never rejects.
 *
 * @param holding the state behind the handle; null for a bare key, whose remaining life nobody here knows
 */
export function releaseEverywhere(engine: Engine, key: LockKey, holding: Holding | null): Promise<ReleaseOutcome> {
  if (holding === null) return pass(engine, new ReleasePoll(engine, key, TTL_MS_MAX));
  holding.markReleased();
  holding.claim.giveUp();
  holding.releasing ??= pass(engine, new ReleasePoll(engine, holding, holding.ttlMs, holding.queue), holding);
  return holding.releasing;
}

async function pass(engine: Engine, poll: ReleasePoll, holding?: Holding): Promise<ReleaseOutcome> {
  // First of all: no acquire, extension or heal of this token takes a further step, or it would land behind the release.
  engine.claims.take(poll.token).giveUp();
  poll.start();
  // Each node executes in order, so the next in line may ask at once: its acquire queues behind this release.
  engine.lines.wake(poll.resources);
  const kind = await poll.decision;
  // Not known is not done: a later call may find the nodes back.
  if (kind === "unknown" && holding !== undefined) holding.releasing = null;
  return { kind, ballots: poll.ballots(), settled: () => poll.settled() };
}

/** One release of all nodes: the request itself, and the count of its votes. */
class ReleasePoll extends Poll<ReleaseVote, ReleaseOutcome["kind"]> implements ReleaseRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly keepTryingForMs: number;
  readonly queue: ReleaseRequest["queue"];
  readonly #engine: Engine;

  constructor(engine: Engine, key: LockKey, keepTryingForMs: number, queue?: ReleaseRequest["queue"]) {
    super({ nodes: engine.nodes, clock: engine.clock, limitMs: engine.nodeTimeoutMs });
    this.#engine = engine;
    this.resources = key.resources;
    this.token = key.token;
    this.keepTryingForMs = keepTryingForMs;
    this.queue = queue;
  }

  protected ask(node: BreakerNode, place: number): Fault | null {
    return node.release(this, this, place);
  }

  protected decide(votes: readonly Cast<ReleaseVote>[]): ReleaseOutcome["kind"] | null {
    return decide(this.#engine, votes);
  }

  protected override onSettled(): void {
    this.#engine.claims.drop(this.token);
  }
}

function decide({ quorum, nodes }: Engine, votes: readonly Cast<ReleaseVote>[]): ReleaseOutcome["kind"] | null {
  let released = 0;
  let refused = 0;
  let gone = 0;
  let pending = 0;
  for (const { kind } of votes) {
    if (kind === "released") released += 1;
    else if (kind === "refused") refused += 1;
    else if (kind === "gone") gone += 1;
    else if (kind === "pending") pending += 1;
  }
  const notThere = refused + gone;
  if (released >= quorum) return "released";
  if (refused >= quorum) return "lost";
  const cannotBeHeld = notThere > nodes.length - quorum;
  if (cannotBeHeld && refused + pending < quorum) return "expired";
  return pending === 0 ? "unknown" : null;
}
