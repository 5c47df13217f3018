import type { LabVote } from "@/lib/contract";

/** What a client process of the lab is told when it starts. */
export interface ClientTask {
  /** Of its own links, in node order, with their labels. */
  readonly urls: readonly string[];
  /** The masters as every client names them, for the restart guard; null = no guard. */
  readonly guard: { readonly members: readonly string[]; readonly maxTtlMs: number } | null;
  readonly nodeTimeoutMs: number;
}

/** What an acquire may be asked beyond the usual. */
export interface AcquireWishes {
  /** A win that leaves less validity is none. */
  readonly minValidityMs?: number;
  /** With so much validity left a job's lock is extended, milliseconds; see the engine's setting. */
  readonly automaticExtensionThreshold?: number;
  /** Whether a fencing token is wanted. */
  readonly fencing?: boolean;
}

/** Something to be written under a lock. */
export interface WriteTask {
  /** Of the lock. */
  readonly id: string;
  /** The name it writes under. */
  readonly client: string;
  /** Port of the ledger. */
  readonly port: number;
  readonly value: string;
  /** Whether the lock's fencing token goes along. */
  readonly isFenced: boolean;
  /** What it does between a look at its lock and the write, milliseconds. */
  readonly workMs: number;
  /** Whether it looks once more just before it writes. */
  readonly isCareful: boolean;
}

/** Several clients in one process that want one lock. */
export interface ContestTask {
  readonly resource: string;
  readonly ttlMs: number;
  readonly clients: number;
  /** When it begins, on the clock that all processes share. */
  readonly startUs: number;
  readonly forMs: number;
  /** How long a winner keeps the lock, milliseconds. */
  readonly holdMs: number;
  readonly retryDelayMs: number;
  readonly retryJitterMs: number;
  /** Whether masters are asked one after the other, by each client in an order of its own. */
  readonly isInTurn: boolean;
  /** Decides the pauses and orders. */
  readonly seed: number;
}

/** Asked of a client process, one at a time or several. */
export type ClientOrder = { readonly order: number } & (
  | {
      readonly verb: "acquire";
      readonly id: string;
      readonly resource: string;
      readonly ttlMs: number;
      readonly wishes: AcquireWishes;
    }
  | { readonly verb: "release"; readonly id: string }
  /** Answers when its connections to all of these are up, or after a while. */
  | { readonly verb: "reach"; readonly nodes: readonly string[] }
  /** Asks every node once how it is and what its clock shows. */
  | { readonly verb: "read-clocks" }
  /** The word that no lock is held: every node may vote. */
  | { readonly verb: "bootstrap" }
  /** Words sent to one node over a connection of their own, which is closed when the answer is late. */
  | { readonly verb: "raw"; readonly node: string; readonly words: readonly string[] }
  /** Works under a lock that its engine extends, until the lock is lost or given back. Answers at once. */
  | { readonly verb: "work"; readonly id: string; readonly ttlMs: number; readonly stepMs: number }
  | ({ readonly verb: "write" } & WriteTask)
  /** Connects several clients in this process. */
  | { readonly verb: "gather"; readonly clients: number }
  | ({ readonly verb: "contend" } & ContestTask)
);

export type AcquireNews = { readonly askedUs: number; readonly atUs: number; readonly votes: readonly LabVote[] } & (
  | { readonly kind: "granted"; readonly untilUs: number; readonly holder: string; readonly fence: number | null }
  | { readonly kind: "refused"; readonly text: string }
);

/** One stretch of time in which one of several clients held the lock. */
export interface ContestWin {
  /** Which of them, from 0. */
  readonly client: number;
  readonly holder: string;
  readonly askedUs: number;
  readonly atUs: number;
  readonly untilUs: number;
  readonly endedUs: number;
  readonly waitedMs: number;
  /** What the masters had said by then. */
  readonly votes: readonly LabVote[];
}

/** What each verb answers. */
export interface ClientAnswers {
  readonly acquire: AcquireNews;
  readonly release: {
    readonly atUs: number;
    readonly outcome: string;
    readonly votes: readonly LabVote[];
  };
  readonly reach: { readonly isReached: boolean };
  readonly "read-clocks": { readonly isDone: true };
  readonly bootstrap: { readonly isDone: boolean };
  readonly raw: { readonly atUs: number; readonly answer: string | null };
  readonly work: { readonly isWorking: true };
  /** Null: it looked and wrote nothing. */
  readonly write: { readonly answer: string | null };
  readonly gather: { readonly isGathered: true };
  readonly contend: {
    readonly wins: readonly ContestWin[];
    readonly tries: number;
    /** How long each took, from its first request to its last answer. */
    readonly triesMs: readonly number[];
    readonly splitTries: number;
    readonly wastedVotes: number;
    readonly commands: number;
    readonly wastedCommands: number;
  };
}

/** What a client tells of by itself. */
export type ClientHappening =
  /** Just before a release is sent: whoever waited for the answers would see the next holder first. */
  | { readonly kind: "ending"; readonly id: string; readonly atUs: number }
  | {
      readonly kind: "extended";
      readonly id: string;
      readonly askedUs: number;
      readonly atUs: number;
      readonly untilUs: number;
      readonly outcome: string;
      readonly healing: readonly string[];
      readonly votes: readonly LabVote[];
    }
  | {
      readonly kind: "lost";
      readonly id: string;
      readonly atUs: number;
      readonly text: string;
      readonly steps: number;
      readonly lastStepUs: number;
    }
  | { readonly kind: "looked"; readonly id: string; readonly atUs: number; readonly remainingMs: number };

/** Sent by a client process; `ready` once, when it has had time to connect. */
export type ClientNews =
  | { readonly kind: "ready" }
  | { readonly kind: "happened"; readonly what: ClientHappening }
  | { readonly kind: "answer"; readonly order: number; readonly answer: ClientAnswers[keyof ClientAnswers] }
  | { readonly kind: "problem"; readonly order: number; readonly text: string };
