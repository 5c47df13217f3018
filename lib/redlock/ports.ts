import type { Fingerprint, MonotonicMs, NodeId, Token } from "./units";

/** Time as the engine sees it. Real: `performance.now` and `setTimeout`; in the simulation: a heap of virtual events. */
export interface Clock {
  /** Monotonic time in milliseconds; never the wall clock, which an administrator or NTP can move. */
  now(): MonotonicMs;
  /**
   * Runs `callback` once after `delayMs`. Must not keep a process alive that has nothing else to do.
   * @returns cancels the call; harmless when it already ran
   */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Chance as the engine sees it. */
export interface Random {
  /** A fresh token: 20 bytes from a secure source, as 40 hexadecimal digits. */
  token(): Token;
  /** Uniform in [0, 1), for delays only. */
  fraction(): number;
}

/** What an acquire asks of one node. Sent at most once; the node applies it to all resources or to none. */
export interface AcquireRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly ttlMs: number;
  /**
   * True once the engine no longer wants the answer. A node implementation that needs several steps (script unknown to the
   * server, so send its source) asks before every further step: a step sent after the caller gave up would leave a ghost key.
   */
  isCancelled(): boolean;
}

export interface ExtendRequest extends AcquireRequest {}

/** Puts a key back on a node that lost it, only where it is missing, with what is left of the validity. */
export interface HealRequest extends AcquireRequest {}

/** Removes the keys that still hold `token`. Must be executed after an acquire of the same token sent earlier. */
export interface ReleaseRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  /**
   * How long the key could live at most, milliseconds from now. An unreachable node gets the release again when it comes
   * back within that time; later the key has died by itself.
   */
  readonly keepTryingForMs: number;
}

/** Why a node could not grant: somebody else's key, or a key of a type no lock has. */
export interface Obstacle {
  readonly resource: string;
  /** Of the value that is stored there; null when it is not a string. */
  readonly holder: Fingerprint | null;
  /** Milliseconds until that key expires; null when it has no expiry. */
  readonly remainingMs: number | null;
  /** Redis type name when the key is not a string (`hash`, `zset`, …), else null. */
  readonly foreignType: string | null;
}

/** A node that could not be asked or did not answer in time. `error` carries the server's own words. */
export type Fault =
  | { readonly kind: "timeout" }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "quarantined"; readonly forMs: number; readonly reason: string }
  | { readonly kind: "error"; readonly reason: string };

export type AcquireVote = { readonly kind: "granted" } | ({ readonly kind: "refused" } & Obstacle) | Fault;

export type ExtendVote =
  | { readonly kind: "extended" }
  /** No key (expired, flushed, restarted empty): it may be healed, it does not count. */
  | { readonly kind: "missing"; readonly resource: string }
  /** The key belongs to somebody else now. */
  | ({ readonly kind: "refused" } & Obstacle)
  | Fault;

export type HealVote = { readonly kind: "healed" } | ({ readonly kind: "refused" } & Obstacle) | Fault;

export type ReleaseVote =
  /** Every resource held the token and was deleted. */
  | { readonly kind: "released" }
  /** At least one resource held no key (any that held the token were deleted). */
  | { readonly kind: "gone" }
  /** At least one resource holds something else (any that held the token were deleted). */
  | ({ readonly kind: "refused" } & Obstacle)
  | Fault;

/**
 * One independent Redis master, as the algorithm needs it: four verbs, each answered with a vote.
 *
 * Promises an implementation makes: the promise never rejects; a request is executed at most once; requests on one node are
 * executed in the order sent; a release is never overtaken by an acquire of the same token sent before it; a dead node
 * answers `unreachable` at once. It need not watch the time: the engine stops waiting by itself.
 */
export interface LockNode {
  readonly id: NodeId;
  acquire(request: AcquireRequest): Promise<AcquireVote>;
  extend(request: ExtendRequest): Promise<ExtendVote>;
  heal(request: HealRequest): Promise<HealVote>;
  release(request: ReleaseRequest): Promise<ReleaseVote>;
}

/** One node's vote with the time it took; null when it never answered. */
export interface Ballot<Vote> {
  readonly node: NodeId;
  readonly vote: Vote;
  readonly roundTripMs: number | null;
}
