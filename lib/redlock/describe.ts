import type { AcquireOutcome, Pending, Refusal } from "./outcomes";
import type { AcquireVote, Ballot, ExtendVote, HealVote, ReleaseVote } from "./ports";

type AnyVote = AcquireVote | ExtendVote | HealVote | ReleaseVote | Pending;

/** One node's vote in words, without secrets: `held by 8f3a91c2, 1200 ms left`. */
export function describeVote(vote: AnyVote): string {
  switch (vote.kind) {
    case "refused":
      return `${describeHolder(vote)}, ${vote.remainingMs === null ? "no expiry" : `${Math.round(vote.remainingMs)} ms left`}`;
    case "missing":
      return `does not have ${vote.resource}`;
    case "timeout":
      return "did not answer in time";
    case "unreachable":
      return `unreachable: ${vote.reason}`;
    case "quarantined":
      return `may not vote for another ${Math.round(vote.forMs)} ms: ${vote.reason}`;
    case "error":
      return `error: ${vote.reason}`;
    case "granted":
    case "extended":
    case "healed":
    case "released":
    case "gone":
      return vote.kind;
    case "pending":
      return "had not answered yet";
    default:
      return vote satisfies never;
  }
}

/** Every node with its vote: `a: granted; b: held by 8f3a91c2, 1200 ms left`. */
export function describeBallots(ballots: readonly Ballot<AnyVote>[]): string {
  if (ballots.length === 0) return "no node was asked";
  return ballots.map((ballot) => `${ballot.node}: ${describeVote(ballot.vote)}`).join("; ");
}

/** Why an acquire ended without a lock, as one sentence without the votes. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal) {
    case "held_by_other":
      return "others hold it on too many nodes";
    case "quorum_unreachable":
      return "too few nodes answered or could vote";
    case "too_late":
      return "a majority granted, but too late to leave any validity";
    case "deadline":
      return "the deadline passed while waiting";
    case "aborted":
      return "the caller aborted";
    default:
      return refusal satisfies never;
  }
}

/** The whole story of a failed acquire, for an error message. */
export function describeFailure(
  resources: readonly string[],
  outcome: Extract<AcquireOutcome<unknown>, { readonly kind: "not_acquired" }>,
): string {
  const tries = outcome.attempts === 1 ? "1 attempt" : `${outcome.attempts} attempts`;
  const reason = describeRefusal(outcome.refusal);
  return `could not acquire ${resources.join(", ")} in ${tries}: ${reason} (${describeBallots(outcome.ballots)})`;
}

function describeHolder({ holder, foreignType, resource }: Extract<AnyVote, { readonly kind: "refused" }>): string {
  if (foreignType !== null) return `${resource} is a ${foreignType} and no lock`;
  return `${resource} held by ${holder ?? "somebody else"}`;
}
