import type { ReleaseRecipe, WaiterSource } from "@/lib/layouts";
import type { Fault, LockNode, NodeId } from "@/lib/redlock";
import type { ChangeFeed, ChangeListener } from "./tracking";

/** One key as it stands on one node. */
export interface KeyReading {
  readonly resource: string;
  /** Redis type name; `none` when there is no key. */
  readonly type: string;
  /** The raw value of a string of at most `VALUE_BYTES_MAX` bytes, else null. Secret: whoever knows it may release the lock. */
  readonly value: Buffer | null;
  /** What is in a hash, sorted set, list or set; null for every other type. */
  readonly elements: Elements | null;
  /** Milliseconds until the key expires; null when it never does (or there is no key). */
  readonly remainingMs: number | null;
}

/** A part of what is in a key that is not a string: enough to tell a lock by. Secret like a value. */
export interface Elements {
  /** How many fields, members or items there are. */
  readonly size: number;
  /**
   * Up to `ELEMENTS_MAX` of them: field, value, … of a hash, member, score, … of a sorted set (lowest score first), the items of a
   * list from its head, the members of a set. Of a larger hash only the field `mode`, of a larger set nothing.
   */
  readonly words: readonly Buffer[];
}

/** So many elements of a key are read, and of those so many bytes. */
export const ELEMENTS_MAX = 16;
export const ELEMENT_BYTES_MAX = 4096;

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

/** Who waits at one place of one node. */
export type WaiterAnswer =
  | {
      readonly kind: "waiters";
      readonly count: number;
      /** The first `WAITERS_MAX` of them in line, where they queue; null where they do not. Secret like a token. */
      readonly entries: readonly Buffer[] | null;
      /** Of each of these, where they queue in a sorted set. */
      readonly scores: readonly number[] | null;
    }
  | Fault;

/** Waiters whose entries are read; more are only counted. */
export const WAITERS_MAX = 50;

export type BootstrapAnswer = { readonly kind: "done" } | Fault;

/** Where a node stands after it was drained or undrained; a fault says why nothing was done, or how long it still waits. */
export type DrainAnswer = { readonly kind: "drained" } | { readonly kind: "admitted" } | Fault;

/** The last that is known of a master. Reading it costs no I/O. */
export interface MasterStatus {
  readonly state: "up" | "slow" | "loading" | "down";
  readonly condition:
    | "admitted"
    | "quarantined"
    | "drained"
    | "config_mismatch"
    | "unsafe"
    | "clock"
    | "degraded"
    | "unreachable";
  readonly quarantinedForMs: number;
  readonly quarantineReason: string | null;
  /** Whether `undrain` would do something: it is drained, or was when it restarted and this process knows. */
  readonly isUndrainable: boolean;
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
  /** Calls of FLUSHALL and FLUSHDB since its process began. */
  readonly flushes: number | null;
  /** Why it would grant no lock although it answers, in a few words; null when nothing is known to be in the way. */
  readonly refusesGrants: string | null;
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
  /**
   * Takes a lock away as its client would, if it still is exactly what the recipe expects, in one atomic step. Then hands it to whoever
   * waits for it in a fair queue.
   */
  carryOut(recipe: ReleaseRecipe): Promise<ChangeAnswer>;
  /** Hands a key that nobody holds to the head of its fair queue, if there is one: it was released by somebody who knew nothing of that. */
  handOn(resource: string): Promise<void>;
  /** Replaces the value if it still is exactly `seen`, keeping the remaining time, in one atomic step. */
  compareAndSwap(resource: string, seen: Buffer, replacement: Buffer): Promise<ChangeAnswer>;
  /** Looks for those who wait for a lock, where its client leaves a trace of them. */
  waiters(source: WaiterSource): Promise<WaiterAnswer>;
  /** Lets the node vote at once, on the word of an operator that no lock can be held now. Only under a guard. */
  bootstrap(): Promise<BootstrapAnswer>;
  /** Takes the node out of the votes for a planned restart. Only under a guard, and only while it votes. */
  drain(): Promise<DrainAnswer>;
  /** Puts it back: at once if this process drained it, else after a quarantine. */
  undrain(): Promise<DrainAnswer>;
  close(): Promise<void>;
}
