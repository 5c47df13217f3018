import { earliestEnd, isRenewed, JUMP_MS, latestEnd, type NodeStand } from "./sighting";

/** Whether the lock as a whole lives longer than before: the extension of one node after another is one renewal. */
export function isExtended(
  before: readonly NodeStand[],
  after: readonly NodeStand[],
  fingerprint: string | null,
): boolean {
  const isOwn = (stand: NodeStand | undefined) => stand?.sighting?.fingerprint === fingerprint;
  const longest = (stands: readonly NodeStand[], endOf: typeof earliestEnd) =>
    stands.reduce<NodeStand["sighting"]>((best, stand) => {
      const { sighting } = stand;
      if (sighting === null || !isOwn(stand)) return best;
      return best === null || endOf(sighting) > endOf(best) ? sighting : best;
    }, null);
  // A node that gets the key only now, in the course of one slow acquire, renews nothing.
  const known = after.filter((_, index) => isOwn(before[index]));
  const [old, young] = [longest(before, latestEnd), longest(known, earliestEnd)];
  return fingerprint !== null && old !== null && young !== null && isRenewed(old, young);
}

/** Whether an expiry was moved on any node, to either side: without that nothing is extended. */
export function hasMoved(before: readonly NodeStand[], after: readonly NodeStand[]): boolean {
  return after.some(({ sighting }, index) => {
    const old = before[index]?.sighting ?? null;
    if (old === sighting || old === null || sighting === null || old.fingerprint !== sighting.fingerprint) return false;
    return isRenewed(old, sighting) || isRenewed(sighting, old);
  });
}

/** A reading of one resource, and when it was taken, monotonic milliseconds. */
interface Taken {
  readonly stands: readonly NodeStand[];
  readonly at: number;
}

/** Whether every node has the token it had, as far as it speaks: then only who speaks can be another. */
export function hasSameKeys(before: Taken, after: Taken): boolean {
  return after.stands.every(({ sighting }, index) => {
    const old = before.stands[index]?.sighting ?? null;
    return tokenAt(old, before.at) === tokenAt(sighting, after.at);
  });
}

/** What stands for a key that is there; null for one whose time is over. */
function tokenAt(sighting: NodeStand["sighting"], at: number): string | null {
  return sighting === null || earliestEnd(sighting) <= at ? null : (sighting.fingerprint ?? sighting.type);
}

/** Whether a node that speaks lacks a token it had, or has it for a shorter time: all that can begin a broken promise. */
export function hasLost(before: readonly NodeStand[], after: readonly NodeStand[]): boolean {
  return after.some(({ sighting, silent }, index) => {
    const old = before[index]?.sighting ?? null;
    if (old === sighting || old === null || old.fingerprint === null || silent !== null) return false;
    return sighting?.fingerprint !== old.fingerprint || earliestEnd(old) - earliestEnd(sighting) > JUMP_MS;
  });
}
