import type { LabVote } from "@/lib/contract";

/** What a client process of the lab is told when it starts. */
export interface ClientTask {
  /** Of its own links, in node order, with their labels. */
  readonly urls: readonly string[];
  /** The masters as every client names them, for the restart guard; null = no guard. */
  readonly guard: { readonly members: readonly string[]; readonly maxTtlMs: number } | null;
  readonly nodeTimeoutMs: number;
}

/** Asked of a client process, one at a time or several. */
export type ClientOrder = { readonly order: number } & (
  | { readonly verb: "acquire"; readonly id: string; readonly resource: string; readonly ttlMs: number }
  | { readonly verb: "release"; readonly id: string }
  /** Answers when its connections to all of these are up, or after a while. */
  | { readonly verb: "reach"; readonly nodes: readonly string[] }
  /** The word that no lock is held: every node may vote. */
  | { readonly verb: "bootstrap" }
  /** Words sent to one node over a connection of their own, which is closed when the answer is late. */
  | { readonly verb: "raw"; readonly node: string; readonly words: readonly string[] }
);

export type AcquireNews = { readonly askedUs: number; readonly atUs: number; readonly votes: readonly LabVote[] } & (
  | { readonly kind: "granted"; readonly untilUs: number; readonly holder: string }
  | { readonly kind: "refused"; readonly text: string }
);

/** What each verb answers. */
export interface ClientAnswers {
  readonly acquire: AcquireNews;
  /** `endedUs` was read before the release was sent. */
  readonly release: {
    readonly endedUs: number;
    readonly atUs: number;
    readonly outcome: string;
    readonly votes: readonly LabVote[];
  };
  readonly reach: { readonly isReached: boolean };
  readonly bootstrap: { readonly isDone: boolean };
  readonly raw: { readonly atUs: number; readonly answer: string | null };
}

/** Sent by a client process; `ready` once, when it has had time to connect. */
export type ClientNews =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly order: number; readonly answer: ClientAnswers[keyof ClientAnswers] }
  | { readonly kind: "problem"; readonly order: number; readonly text: string };
