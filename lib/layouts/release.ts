import { type Bytes, bytesOf } from "./bytes";

// Releases are data: a layout says what to compare, what to remove and whom to wake, `lib/redis` carries it out as one script.

/** What must still be so, or nothing is done. */
export type Expectation =
  | { readonly kind: "value"; readonly key: Bytes; readonly value: Bytes }
  /** A field of a hash (with this value, when given), or a member of a set or sorted set. */
  | { readonly kind: "element"; readonly key: Bytes; readonly element: Bytes; readonly value?: Bytes };

/** One thing to do once everything is as expected. What is not there any more is no obstacle. */
export type ReleaseStep =
  | { readonly kind: "delete"; readonly key: Bytes }
  /** Takes a field, member or item out of whatever the key is. */
  | { readonly kind: "remove"; readonly key: Bytes; readonly element: Bytes }
  /** Deletes a hash that has no other field left. */
  | { readonly kind: "delete_if_only"; readonly key: Bytes; readonly field: Bytes }
  /** Makes the key a list of this one item, for those that wait for it with a blocking pop. */
  | { readonly kind: "signal"; readonly key: Bytes; readonly item: Bytes; readonly ttlMs: number }
  | { readonly kind: "publish"; readonly channel: Bytes; readonly message: Bytes }
  /** Publishes to `channel:<head of the queue>`; to `channel` itself when nobody queues. */
  | { readonly kind: "publish_to_head"; readonly queue: Bytes; readonly channel: Bytes; readonly message: Bytes };

/** How to take one lock away on one node, in one atomic step. Holds the token: secret. */
export interface ReleaseRecipe {
  /** The lock's own key. */
  readonly key: Bytes;
  readonly expects: readonly Expectation[];
  readonly steps: readonly ReleaseStep[];
}

/** What may be done to a lock from outside. */
export type Release =
  | { readonly kind: "recipe"; readonly recipe: ReleaseRecipe }
  /** Taking it away would do harm; `reason` is a sentence for the operator. */
  | { readonly kind: "refused"; readonly reason: string };

/** The rule for every plain string lock: delete it if it still holds what was seen, then wake whoever waits. */
export function compareAndDelete(key: string, value: Bytes, wake: readonly ReleaseStep[] = []): Release {
  const own = bytesOf(key);
  return recipe(key, [{ kind: "value", key: own, value }], [{ kind: "delete", key: own }, ...wake]);
}

/** Takes elements that were seen out of a set or sorted set, which vanishes with its last one. */
export function removeMembers(key: string, members: readonly Bytes[], alongside: readonly Bytes[] = []): Release {
  const own = bytesOf(key);
  return recipe(
    key,
    members.map((element) => ({ kind: "element", key: own, element })),
    [...members, ...alongside].map((element) => ({ kind: "remove", key: own, element })),
  );
}

/** A release by its parts. */
export function recipe(key: string, expects: readonly Expectation[], steps: readonly ReleaseStep[]): Release {
  return { kind: "recipe", recipe: { key: bytesOf(key), expects, steps } };
}

/** No release, and why. */
export function refused(reason: string): Release {
  return { kind: "refused", reason };
}

/** Why permits of a semaphore are left alone. */
export const SEMAPHORE_REASON =
  "This is a semaphore: its holders share it, and taking a permit away lets one more in while the old one goes on. Let it expire, or stop the holder.";
