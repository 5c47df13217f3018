import type { Bytes } from "./bytes";

/** A place on a node where those who wait for a lock can be seen. */
export type WaiterSource =
  /** A list of waiters, the first in line at its head. */
  | { readonly kind: "list"; readonly key: Bytes }
  /** A sorted set of waiters, the first in line with the lowest score. */
  | { readonly kind: "sorted_set"; readonly key: Bytes }
  /** They listen on a channel; each subscription may stand for several threads of one process. */
  | { readonly kind: "subscribers"; readonly channel: Bytes }
  /** They wait in a blocking command; the server counts all such clients together. */
  | { readonly kind: "blocked_clients" };

/** How the waiters of one lock are found. */
export interface WaiterProbe {
  /** Asked in this order; the first that shows anybody counts. */
  readonly sources: readonly WaiterSource[];
  /** When nobody is seen, nobody waits. Otherwise the lock may be of a client whose waiters leave no trace. */
  readonly isComplete: boolean;
  /** What the number means, as a sentence. */
  readonly note: string;
  /** Names a waiter by its entry in a list or sorted set, of the latter with its score; null shows its fingerprint instead. */
  nameOf(entry: Bytes, score: number | null): string | null;
}
