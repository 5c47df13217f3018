import type { ClientKind, ClientOptions, HeldLock, LockClient } from "./clients";
import type { FaultLink } from "./fault-link";
import type { FaultNode } from "./fault-nodes";
import type { Holder, HolderTask } from "./holder-process";

/** How a scripted fault ended for one client. */
export type ScenarioOutcome =
  | { readonly kind: "ok"; readonly note: string }
  /** Nobody is given the lock, rightly, and the client's own words name the node and what is wrong with it. */
  | { readonly kind: "refused"; readonly note: string }
  /** Two clients hold by their own word, or one was handed a lock that had ended. */
  | { readonly kind: "violated"; readonly note: string }
  /** Safe, but a lock that should be had is not. */
  | { readonly kind: "not_live"; readonly note: string }
  /** The client has no such function. */
  | { readonly kind: "not_applicable" }
  /** What the fault needs is not on this machine. */
  | { readonly kind: "not_available"; readonly note: string }
  /** The scenario itself failed, so nothing was learnt. */
  | { readonly kind: "broken"; readonly note: string };

/** What two clients of one kind, A and B, are given: the same nodes, each over links of its own. */
export interface Stage {
  readonly a: LockClient;
  readonly b: LockClient;
  /** A's, in node order. */
  readonly links: readonly FaultLink[];
  /** B's. */
  readonly rivalLinks: readonly FaultLink[];
  readonly nodes: readonly FaultNode[];
  readonly ttlMs: number;
  /**
   * One more client, over this list of masters; `isFirst` = nobody has used them by this list, so an operator admits them.
   * Rejects when the client refuses the list.
   */
  open(list: readonly string[], how?: { readonly kind?: ClientKind; readonly isFirst?: boolean }): Promise<LockClient>;
  /** A client in a process of its own that holds the lock and writes to a resource all the while. */
  startHolder(way: HolderTask["way"]): Promise<Holder>;
}

/** One scripted fault. The steps are the same for every client, and the outcome is measured. */
export interface Scenario {
  readonly name: string;
  readonly says: string;
  readonly ttlMs: number;
  /** 5 unless said. */
  readonly membership?: number;
  /** Of the redis-servers, over the usual ones. */
  readonly serverArgs?: readonly string[];
  /** Faults from within the server: without a C compiler it cannot be played. */
  readonly needsShim?: boolean;
  /** A client may refuse these nodes from the start, so that nobody waits long for its first lock. */
  readonly isRefusalExpected?: boolean;
  /** How A behaves; a single try with the defaults of ioredis unless said. */
  readonly a?: Partial<Pick<ClientOptions, "retryCount" | "retryDelayMs" | "commandTimeoutMs">>;
  play(stage: Stage): Promise<ScenarioOutcome>;
}

/** The lock all scenarios are about. */
export const RESOURCE = "fault:scenario";

/** A single try with the defaults of ioredis. */
export const ONE_TRY = { retryCount: 0, retryDelayMs: 100, commandTimeoutMs: null } as const;

export function ok(note = ""): ScenarioOutcome {
  return { kind: "ok", note };
}

export function violated(note: string): ScenarioOutcome {
  return { kind: "violated", note };
}

export function notLive(note: string): ScenarioOutcome {
  return { kind: "not_live", note };
}

/** Milliseconds as they are shown. */
export function shown(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** Whether two hold, at the moment at which the second was granted. */
export function exclusion(first: HeldLock, { lock: second, tookMs }: Tried): ScenarioOutcome {
  if (second === null) return notLive(`nobody else could take it in ${shown(tookMs)}`);
  const overlapMs = Math.min(first.remainingMs(), second.remainingMs());
  return overlapMs > 0 ? violated(shown(overlapMs)) : ok(`next after ${shown(tookMs)}`);
}

/** How trying for the lock ended. */
export interface Tried {
  /** Null = not granted. */
  readonly lock: HeldLock | null;
  /** The client's words when it was last refused. */
  readonly refusal: string;
  readonly tookMs: number;
}

/** Nobody may have the lock: right when the client says why. Blocked without a word is not live. */
export function refusedWith({ refusal, tookMs }: Tried, trouble: RegExp): ScenarioOutcome {
  const words = trouble.exec(refusal)?.[0];
  if (words !== undefined) return { kind: "refused", note: words };
  return notLive(`blocked for ${shown(tookMs)} and more`);
}
