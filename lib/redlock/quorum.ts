/**
 * Votes needed for a majority.
 *
 * @param membership nodes *configured*, never the number connected (redlock-py once counted the latter: two holders)
 */
export function quorumOf(membership: number): number {
  if (!Number.isInteger(membership) || membership < 1) {
    throw new RangeError(`membership must be a positive integer, got ${membership}`);
  }
  return Math.floor(membership / 2) + 1;
}

export type Tally = "won" | "lost" | "open";

/**
 * What the votes so far decide. Total over every combination, so an even split loses at once instead of waiting for ever.
 *
 * @param granted votes for
 * @param denied refusals and faults; a node that cannot vote counts here
 */
export function tally({
  granted,
  denied,
  membership,
  quorum = quorumOf(membership),
}: {
  readonly granted: number;
  readonly denied: number;
  readonly membership: number;
  readonly quorum?: number;
}): Tally {
  if (granted >= quorum) return "won";
  return denied > membership - quorum ? "lost" : "open";
}
