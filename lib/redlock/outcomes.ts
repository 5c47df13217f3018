import type { AcquireVote, Ballot, ExtendVote, ReleaseVote } from "./ports";
import type { NodeId, Token } from "./units";

/** Enough to extend or release a lock: what a holder must remember, also across processes. */
export interface LockKey {
  readonly resources: readonly string[];
  readonly token: Token;
}

/** Why an acquire ended without a lock. */
export type Refusal =
  /** A majority cannot be had because other holders, or keys that are no locks, are in the way. */
  | "held_by_other"
  /** Too few nodes answered, or could vote, to form a majority. */
  | "quorum_unreachable"
  /** A majority granted, but what was left of the validity was too little to use. */
  | "too_late"
  /** The caller's deadline passed while waiting for another try. */
  | "deadline"
  /** The caller's AbortSignal fired. */
  | "aborted";

/** `Held` is the handle of a won lock. Ballots are those of the last attempt, one per configured node. */
export type AcquireOutcome<Held> =
  | {
      readonly kind: "acquired";
      readonly lock: Held;
      readonly attempts: number;
      readonly ballots: readonly Ballot<AcquireVote>[];
    }
  | {
      readonly kind: "not_acquired";
      readonly refusal: Refusal;
      readonly attempts: number;
      readonly ballots: readonly Ballot<AcquireVote>[];
    };

export type ExtendOutcome =
  | {
      readonly kind: "extended";
      readonly validityMs: number;
      /** Nodes that missed the key at the time of the vote and are being given it back. */
      readonly healing: readonly NodeId[];
      readonly ballots: readonly Ballot<ExtendVote>[];
    }
  /** A majority can no longer confirm: expired, or another holder. Nothing was deleted. */
  | { readonly kind: "lost"; readonly ballots: readonly Ballot<ExtendVote>[] }
  /** Too few nodes answered to know; the lock keeps the validity it had. */
  | { readonly kind: "unknown"; readonly ballots: readonly Ballot<ExtendVote>[] };

export interface ReleaseOutcome {
  /**
   * released: deleted on a majority. expired: nothing of it was left on a majority. lost: a majority belongs to another
   * holder. unknown: too few answered; the keys that remain die by themselves.
   */
  readonly kind: "released" | "expired" | "lost" | "unknown";
  readonly ballots: readonly Ballot<ReleaseVote>[];
}
