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

/** What every request about the keys of one lock has. Sent at most once; the node applies it to all resources or to none. */
interface KeysRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly ttlMs: number;
  /**
   * True once the engine no longer wants the answer. A node implementation that needs several steps (script unknown to the
   * server, so send its source) asks before every further step: a step sent after the caller gave up would leave a ghost key.
   */
  isCancelled(): boolean;
}

/** The fence that a node is asked to issue with its grant, see `fencing.ts`. */
export interface FenceProposal {
  /** Issued unless the node has issued this or a higher one for any of the resources before: then the one after that. */
  readonly fence: number;
  /** A node that would have to go beyond it does not grant: somebody's clock is far wrong. */
  readonly limit: number;
}

/** A waiter's place in the queue that a node keeps for a resource. The first wait is first; of equal ones, the lower name. */
export interface QueuePlace {
  /** The same for the whole of one wait, and nobody else's ever. */
  readonly waiter: string;
  /** When it began to wait by the clocks of the nodes, milliseconds; null = unknown here, so each node takes its own time. */
  readonly since: number | null;
  /** Counts the acquires of this waiter, from 1. A node heeds none that is older than what it has seen. */
  readonly round: number;
  /** When it has not been heard of for so long it counts as dead, milliseconds. */
  readonly aliveForMs: number;
  /** How long a key lives that was handed to it, unless it takes it over by an acquire, milliseconds. */
  readonly handOverMs: number;
}

/** What an acquire asks of one node. */
export interface AcquireRequest extends KeysRequest {
  /** Left out, the node keeps and answers no fence. */
  readonly proposal?: FenceProposal;
  /**
   * Takes its turn: only the head of the queue is granted a free key, or one that holds an earlier token of the same waiter, which
   * `token` replaces in one step. Anybody else gets a place in the queue, and a key that it finds free is handed to the head.
   * For a single resource, and only where the node has `handOver`.
   */
  readonly queue?: QueuePlace;
}

export interface ExtendRequest extends KeysRequest {}

/** Puts a key back on a node that lost it, only where it is missing, with what is left of the validity. */
export interface HealRequest extends KeysRequest {}

/** Raises the counters of all resources to `fence`, if all of them hold `token` at that instant; otherwise of none. */
export interface RaiseFenceRequest extends Pick<KeysRequest, "resources" | "token" | "isCancelled"> {
  readonly fence: number;
}

/** Gives a node without fence counters a beginning: it issues only higher ones. Without effect on a node that has counters. */
export interface RestoreFenceRequest extends Pick<KeysRequest, "isCancelled"> {
  readonly fence: number;
  /** Too many nodes lost their counters together: `fence` may be too low, and an operator should know. */
  readonly isGuess: boolean;
}

/** Removes the keys that still hold `token`. Must be executed after an acquire of the same token sent earlier. */
export interface ReleaseRequest {
  readonly resources: readonly string[];
  readonly token: Token;
  /**
   * How long the key could live at most, milliseconds from now. An unreachable node gets the release again when it comes
   * back within that time; later the key has died by itself.
   */
  readonly keepTryingForMs: number;
  /**
   * Takes this waiter out of the queue, and hands the key to the head of it instead of deleting it; a key that holds an earlier
   * token of the waiter is its own, too. `round`: its last one; with one that is older than what the node has seen only a key that
   * holds `token` is handed over.
   */
  readonly queue?: Pick<QueuePlace, "waiter" | "round">;
}

/** What a node can do for waiters that queue, beside `queue` in acquires and releases. */
export interface HandOver {
  /** What the server's clock shows about now, milliseconds; null when that is not known. */
  now(): number | null;
  /**
   * Tells when a key was handed to `waiter`, with the round whose token it holds; with null when such a word may have been missed.
   * A word can be lost: it is a hint to acquire now, and no vote.
   *
   * @returns ends it
   */
  listen(waiter: string, heard: (round: number | null) => void): () => void;
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
  /** How many stand before a waiter in the node's queue; only told to one that queues. */
  readonly ahead?: number;
}

/** A node that could not be asked or did not answer in time. `error` carries the server's own words. */
export type Fault =
  | { readonly kind: "timeout" }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "quarantined"; readonly forMs: number; readonly reason: string }
  /** `lacksFence`: it would have granted, but has lost its fence counters (or never had any). */
  | { readonly kind: "error"; readonly reason: string; readonly lacksFence?: true };

export type AcquireVote =
  /** With the fence that was issued, if one was asked for. */
  { readonly kind: "granted"; readonly fence?: number } | ({ readonly kind: "refused" } & Obstacle) | Fault;

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

export type RaiseFenceVote =
  | { readonly kind: "raised" }
  | { readonly kind: "missing"; readonly resource: string }
  | ({ readonly kind: "refused" } & Obstacle)
  | Fault;

/** The highest fence a node has issued; null when it has lost its counters, or never had any. */
export type FenceReading = { readonly kind: "high_water"; readonly fence: number | null } | Fault;

export type RestoreFenceVote = { readonly kind: "restored" } | Fault;

/** Takes the answers of nodes, each with the place of the node that it was asked under. */
export interface VoteSink<Vote> {
  vote(place: number, vote: Vote): void;
}

/**
 * The verbs that matter for speed, answered by a call instead of a promise: with ten requests per lock, promises were a large part of
 * what a lock costs its client. The same promises hold; exactly one answer per request, at once or later.
 */
export interface DirectVerbs {
  acquire(request: AcquireRequest, sink: VoteSink<AcquireVote>, place: number): void;
  extend(request: ExtendRequest, sink: VoteSink<ExtendVote>, place: number): void;
  release(request: ReleaseRequest, sink: VoteSink<ReleaseVote>, place: number): void;
}

/**
 * One independent Redis master, as the algorithm needs it: four verbs of a lock and three of its fences, each answered with a vote.
 *
 * Promises an implementation makes: the promise never rejects; a request is executed at most once; requests on one node are
 * executed in the order sent; a release is never overtaken by an acquire of the same token sent before it; a dead node
 * answers `unreachable` at once. It need not watch the time: the engine stops waiting by itself.
 */
export interface LockNode {
  readonly id: NodeId;
  /** Left out where no queues are kept: fair locks are not to be had then. */
  readonly handOver?: HandOver | undefined;
  /** Left out, the verbs below are used. */
  readonly direct?: DirectVerbs | undefined;
  acquire(request: AcquireRequest): Promise<AcquireVote>;
  extend(request: ExtendRequest): Promise<ExtendVote>;
  heal(request: HealRequest): Promise<HealVote>;
  release(request: ReleaseRequest): Promise<ReleaseVote>;
  raiseFence(request: RaiseFenceRequest): Promise<RaiseFenceVote>;
  readFence(): Promise<FenceReading>;
  restoreFence(request: RestoreFenceRequest): Promise<RestoreFenceVote>;
}

/** One node's vote with the time it took; null when it never answered. */
export interface Ballot<Vote> {
  readonly node: NodeId;
  readonly vote: Vote;
  readonly roundTripMs: number | null;
}
