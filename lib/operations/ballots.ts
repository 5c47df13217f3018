import type { ExtendAnswer, ReleaseAnswer, Vote } from "@/lib/contract";
import type { AcquireVote, Ballot, ExtendVote, Obstacle, ReleaseVote } from "@/lib/redlock";

/** An acquire's ballots as the API answers them. */
export function acquireVotesOf(ballots: readonly Ballot<AcquireVote>[]): Vote[] {
  return ballots.map(({ node, vote, roundTripMs }) => ({ node, vote: vote.kind, roundTripMs, ...factsOf(vote) }));
}

/** An extension's ballots. */
export function extendVotesOf(ballots: readonly Ballot<ExtendVote>[]): ExtendAnswer["votes"] {
  return ballots.map(({ node, vote, roundTripMs }) => ({ node, vote: vote.kind, roundTripMs, ...factsOf(vote) }));
}

/** A release's ballots. */
export function releaseVotesOf(ballots: readonly Ballot<ReleaseVote>[]): ReleaseAnswer["votes"] {
  return ballots.map(({ node, vote, roundTripMs }) => ({ node, vote: vote.kind, roundTripMs, ...factsOf(vote) }));
}

type Facts = Pick<Vote, "resource" | "holder" | "remainingMs" | "reason">;

function factsOf(vote: AcquireVote | ExtendVote | ReleaseVote): Facts {
  switch (vote.kind) {
    case "refused":
      return obstacleFacts(vote);
    case "missing":
      return { resource: vote.resource };
    case "quarantined":
      return { remainingMs: Math.max(0, Math.round(vote.forMs)), reason: vote.reason };
    case "unreachable":
    case "error":
      return { reason: vote.reason };
    case "granted":
    case "extended":
    case "released":
    case "gone":
    case "timeout":
      return {};
    default:
      return vote satisfies never;
  }
}

function obstacleFacts({ resource, holder, remainingMs, foreignType }: Obstacle): Facts {
  return {
    resource,
    holder,
    remainingMs: remainingMs === null ? null : Math.max(0, Math.round(remainingMs)),
    ...(foreignType === null ? {} : { reason: `the key is a ${foreignType}, which no lock of this kind is` }),
  };
}
