import type { AcquireVote, Ballot, ExtendVote, ReleaseVote } from "./ports";
import type { NodeId, Token } from "./units";

/** Enough to extend or release a lock: what a holder must remember, also across processes. */
export interface LockKey {
  readonly resources: readonly string[];
  readonly token: Token;
}

/** A node that had not answered yet when the others decided. */
export interface Pending {
  readonly kind: "pending";
}

/** The votes behind an outcome. */
export interface Counted<Vote> {
  /**
   * One ballot per configured node, as they stood when the votes decided: nobody waits for a straggler. Of the last attempt;
   * empty when no node was asked.
   */
  readonly ballots: readonly Ballot<Vote | Pending>[];
  /** The same once every node has answered or exceeded the node time limit: waits for that limit at most. */
  settled(): Promise<readonly Ballot<Vote>[]>;
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

/** `Held` is the handle of a won lock. `attempts` counts the tries that were due, also those a fellow waiter made. */
export type AcquireOutcome<Held> = Counted<AcquireVote> & { readonly attempts: number } & (
    | { readonly kind: "acquired"; readonly lock: Held }
    | { readonly kind: "not_acquired"; readonly refusal: Refusal }
  );

export type ExtendOutcome = Counted<ExtendVote> &
  (
    | {
        readonly kind: "extended";
        readonly validityMs: number;
        /** Nodes that missed the key at the time of the vote and are being given it back. */
        readonly healing: readonly NodeId[];
      }
    /** A majority can no longer confirm: expired, or another holder. Nothing was deleted. */
    | { readonly kind: "lost" }
    /** Too few nodes answered to know; the lock keeps the validity it had. */
    | { readonly kind: "unknown" }
    /** `maxExtensions` or `maxHoldMs` is used up: no node was asked, the lock keeps the validity it has. */
    | { readonly kind: "capped" }
  );

export interface ReleaseOutcome extends Counted<ReleaseVote> {
  /**
   * released: deleted on a majority. expired: too few nodes still had it for a majority, and nothing is left there. lost: a
   * majority belongs to another holder. unknown: too few answered; the keys that remain die by themselves.
   */
  readonly kind: "released" | "expired" | "lost" | "unknown";
}
