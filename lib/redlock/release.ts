import type { Claim } from "./claim";
import type { Engine } from "./engine";
import type { Holding } from "./holding";
import { TTL_MS_MAX } from "./options";
import type { LockKey, Pending, ReleaseOutcome } from "./outcomes";
import { Poll } from "./poll";
import type { Ballot, ReleaseRequest, ReleaseVote } from "./ports";

/**
 * Releases on all nodes, one bounded pass. Never rejects.
 *
 * @param holding the state behind the handle; null for a bare key, whose remaining life nobody here knows
 */
export function releaseEverywhere(engine: Engine, key: LockKey, holding: Holding | null): Promise<ReleaseOutcome> {
  if (holding === null) return pass(engine, key, { keepTryingForMs: TTL_MS_MAX, claims: [] });
  holding.markReleased();
  const { ttlMs: keepTryingForMs, claim, queue } = holding;
  holding.releasing ??= pass(engine, key, { keepTryingForMs, claims: [claim], queue }).then((outcome) => {
    // Not known is not done: a later call may find the nodes back.
    if (outcome.kind === "unknown") holding.releasing = null;
    return outcome;
  });
  return holding.releasing;
}

interface PassOptions extends Pick<ReleaseRequest, "keepTryingForMs" | "queue"> {
  readonly claims: readonly Claim[];
}

async function pass(
  engine: Engine,
  { resources, token }: LockKey,
  { keepTryingForMs, claims, queue }: PassOptions,
): Promise<ReleaseOutcome> {
  // First of all: no acquire, extension or heal of this token takes a further step, or it would land behind the release.
  for (const claim of [engine.claims.take(token), ...claims]) claim.giveUp();
  const request: ReleaseRequest = { resources, token, keepTryingForMs, ...(queue === undefined ? {} : { queue }) };
  const poll = new Poll<ReleaseVote, ReleaseOutcome["kind"]>({
    nodes: engine.nodes,
    clock: engine.clock,
    limitMs: engine.nodeTimeoutMs,
    ask: (node) => node.release(request),
    decide: (ballots) => decide(engine, ballots),
    onSettled: () => engine.claims.drop(token),
  });
  // Each node executes in order, so the next in line may ask at once: its acquire queues behind this release.
  engine.lines.wake(resources);
  const kind = await poll.decision;
  return { kind, ballots: poll.ballots(), settled: () => poll.settled() };
}

function decide(
  { quorum, nodes }: Engine,
  ballots: readonly Ballot<ReleaseVote | Pending>[],
): ReleaseOutcome["kind"] | null {
  let released = 0;
  let refused = 0;
  let gone = 0;
  let pending = 0;
  for (const { vote } of ballots) {
    const { kind } = vote;
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
