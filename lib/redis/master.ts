import type { Fault, LockNode, NodeId } from "@/lib/redlock";
import type { ChangeFeed, ChangeListener } from "./tracking";

/** One key as it stands on one node. */
export interface KeyReading {
  readonly resource: string;
  /** Redis type name; `none` when there is no key. */
  readonly type: string;
  /** The raw value of a string of at most `VALUE_BYTES_MAX` bytes, else null. Secret: whoever knows it may release the lock. */
  readonly value: Buffer | null;
  /** Milliseconds until the key expires; null when it never does (or there is no key). */
  readonly remainingMs: number | null;
}

/** Longest string that is read as a possible token, bytes; a longer one is reported without its value. */
export const VALUE_BYTES_MAX = 1024;

export type ReadAnswer =
  | { readonly kind: "readings"; readonly readings: readonly KeyReading[]; readonly roundTripMs: number }
  | Fault;

/** Where a scan goes on, and what it looks for. */
export interface ScanStep {
  /** "0" to begin. */
  readonly cursor: string;
  /** A glob pattern; applied by the server. */
  readonly match: string;
  /** About so many keys are looked at. */
  readonly count: number;
  /** When given, only keys that begin with one of these are read. */
  readonly prefixes?: readonly string[];
}

/** One step of a scan: the keys it met, already read. `cursor` "0" again means the end. */
export type ScanAnswer =
  | { readonly kind: "page"; readonly cursor: string; readonly readings: readonly KeyReading[] }
  | Fault;

export type ChangeAnswer =
  | { readonly kind: "done" }
  /** The key holds another value than the one seen. */
  | { readonly kind: "changed" }
  | { readonly kind: "gone" }
  | Fault;

export type BootstrapAnswer = { readonly kind: "done" } | Fault;

/** The last that is known of a master. Reading it costs no I/O. */
export interface MasterStatus {
  readonly state: "up" | "slow" | "loading" | "down";
  readonly condition: "admitted" | "quarantined" | "config_mismatch" | "unsafe" | "clock" | "degraded" | "unreachable";
  readonly quarantinedForMs: number;
  readonly quarantineReason: string | null;
  readonly role: string | null;
  readonly version: string | null;
  readonly runId: string | null;
  readonly uptimeMs: number | null;
  readonly roundTripMs: number | null;
  /** Node's clock minus ours, milliseconds. */
  readonly clockOffsetMs: number | null;
  /** `none`, `rdb`, `aof everysec`, `aof always`, `aof no`. */
  readonly persistence: string | null;
  readonly evictionPolicy: string | null;
  readonly keys: number | null;
  /** Milliseconds since the last answer; null when there never was one. */
  readonly lastAnswerMsAgo: number | null;
  /** What is wrong, each a sentence with the next step. */
  readonly faults: readonly string[];
}

/**
 * One Redis master: the lock port and, beside it, what an operator's console needs.
 *
 * The four verbs of LockNode leave watching the time to the engine. Everything else here watches it itself: it answers
 * `timeout` after the node time limit and `unreachable` at once when there is no connection; nothing rejects.
 */
export interface Master extends LockNode {
  readonly id: NodeId;
  /** host:port to show and to pass to redis-cli; without credentials. */
  readonly address: string;
  /** Logical database. */
  readonly database: number;
  status(): MasterStatus;
  /** Asks the node how it is; updates `status()`. */
  probe(): Promise<MasterStatus>;
  /** Calls back after each change of state or condition (not of mere figures). @returns unsubscribes */
  onChange(listener: () => void): () => void;
  read(resources: readonly string[]): Promise<ReadAnswer>;
  scan(step: ScanStep): Promise<ScanAnswer>;
  /**
   * Tells of changes from now on, over a connection of its own, until it is closed or refused.
   * @param prefixes of the keys in question, none of which begins with another; none = every key
   */
  follow(prefixes: readonly string[], listener: ChangeListener): ChangeFeed;
  /** How often databases were exchanged (SWAPDB), of which no feed tells before Redis 8; null when the server does not say. */
  swaps(): Promise<number | null>;
  /** Deletes the key if it still holds exactly `seen`. */
  compareAndDelete(resource: string, seen: Buffer): Promise<ChangeAnswer>;
  /** Replaces the value if it still is exactly `seen`, keeping the remaining time, in one atomic step. */
  compareAndSwap(resource: string, seen: Buffer, replacement: Buffer): Promise<ChangeAnswer>;
  /** Lets the node vote at once, on the word of an operator that no lock can be held now. Only under a guard. */
  bootstrap(): Promise<BootstrapAnswer>;
  close(): Promise<void>;
}
