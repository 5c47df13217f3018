import type { Claim } from "./claim";
import type { Engine } from "./engine";
import { timeLimitMs } from "./options";
import type { Pending } from "./outcomes";
import { askAll } from "./poll";
import type { AcquireVote, Ballot, Fault, RaiseFenceVote } from "./ports";
import type { Token } from "./units";

interface FenceVote {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly ttlMs: number;
  readonly claim: Claim;
  /** As they stood when a quorum had granted. */
  readonly ballots: readonly Ballot<AcquireVote | Pending>[];
}

type Agreement =
  | { readonly kind: "agreed"; readonly fence: number }
  /** With what kept a node from agreeing in the place of its grant. */
  | { readonly kind: "failed"; readonly ballots: readonly Ballot<AcquireVote | Pending>[] };

/**
 * The fence of a lock that a quorum has granted: the highest of those the quorum issued, M, once every one of them has it.
 *
 * Claim: two locks that share a resource r have different fences, and one asked for after the other was won has the higher one.
 * Let V be the quorum that granted, all of which then have M (the write-back below only counts where the lock's keys still hold
 * its token). V1 and V2 share a node j. A token is set on j at most once before its lock is won, so on j either token 1 was gone
 * from r before token 2 was set, or the other way round; say the former. When j was seen to have M1, r held token 1; so j's
 * counter of r was at least M1 when token 2 was set there, hence M2 >= n2(j) >= M1 + 1. When 2 was asked for after 1 was won it is
 * the former that happened. No clock is involved. A heal sets a token a second time, but only after its lock was won.
 *
 * Several resources share one fence: a node issues more than the highest counter of them all and writes it to each, so that
 * the argument holds for each r by itself. Source: `safety.md`, section 5.
 */
export async function agreeOnFence(engine: Engine, vote: FenceVote): Promise<Agreement> {
  const { resources, token, ttlMs, claim, ballots } = vote;
  const granted = ballots.flatMap(({ vote }) => (vote.kind === "granted" ? [vote.fence ?? 0] : []));
  const fence = Math.max(...granted);
  const behind = engine.nodes.filter((_, index) => isBehind(ballots[index]?.vote, fence));
  if (behind.length > 0) {
    const answers = await askAll<RaiseFenceVote>({
      clock: engine.clock,
      nodes: behind,
      limitMs: timeLimitMs(engine.nodeTimeoutMs, ttlMs),
      ask: (node, isOver) =>
        node.raiseFence({ resources, token, fence, isCancelled: () => claim.isGivenUp || isOver() }),
    });
    if (answers.some((answer) => answer.vote.kind !== "raised")) {
      return { kind: "failed", ballots: ballots.map((ballot) => withFault(ballot, answers)) };
    }
  }
  engine.fences?.observe(fence);
  return { kind: "agreed", fence };
}

function isBehind(vote: AcquireVote | Pending | undefined, fence: number): boolean {
  return vote?.kind === "granted" && vote.fence !== fence;
}

function withFault(
  ballot: Ballot<AcquireVote | Pending>,
  answers: readonly Ballot<RaiseFenceVote>[],
): Ballot<AcquireVote | Pending> {
  const answer = answers.find(({ node }) => node === ballot.node);
  if (answer === undefined || answer.vote.kind === "raised") return ballot;
  return { ...ballot, vote: faultOf(answer.vote) };
}

function faultOf(vote: Exclude<RaiseFenceVote, { readonly kind: "raised" }>): Fault {
  const isFault = vote.kind !== "missing" && vote.kind !== "refused";
  return isFault ? vote : { kind: "error", reason: "the lock was gone again before its fence was agreed on" };
}
