import { quorumOf } from "@/lib/redlock";

/** A key of one resource on one node. */
export interface SeenKey {
  readonly node: string;
  readonly fingerprint: string;
  /** Monotonic ms at which it ends at the earliest; infinite without an expiry. */
  readonly endAt: number;
  /** Monotonic ms at which it was read. */
  readonly seenAt: number;
  /** Who it is, where the token tells. */
  readonly label: string | null;
  /** Left behind by an operator's revoke: nobody holds it. */
  readonly isRevoked: boolean;
}

/** One resource on all nodes, as one reading showed it. */
export interface Look {
  readonly now: number;
  /** Epoch ms of `now`. */
  readonly readAt: number;
  readonly membership: number;
  /** On a silent node what it showed last. */
  readonly keys: readonly SeenKey[];
  /** Nodes whose word does not count. */
  readonly silent: readonly string[];
}

/** What the nodes that answer say. */
export function spokenIn({ keys, silent, membership }: Look): Pick<Look, "keys" | "membership"> {
  return { keys: keys.filter(({ node }) => !silent.includes(node)), membership };
}

/** The keys of the token that a majority of the nodes has; none when nobody holds the lock. */
export function majorityIn({ keys, membership }: Pick<Look, "keys" | "membership">): readonly SeenKey[] {
  const quorum = quorumOf(membership);
  const tokens = new Set(keys.map(({ fingerprint }) => fingerprint));
  const sets = [...tokens].map((token) => keys.filter(({ fingerprint }) => fingerprint === token));
  const holder = sets.find((own) => own.length >= quorum) ?? [];
  return holder.some(({ isRevoked }) => isRevoked) ? [] : holder;
}
