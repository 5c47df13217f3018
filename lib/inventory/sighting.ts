import { type Recognition, recognise } from "@/lib/layouts";
import { fingerprintOf, type KeyReading } from "@/lib/redis";
import type { MonotonicMs, NodeId } from "@/lib/redlock";

/** A jump of the remaining time counts as one from this size on, milliseconds: below it is rounding and network. */
export const JUMP_MS = 50;

/** One key as one node showed it. Holds the fingerprint, never the token. */
export interface KeySighting {
  readonly type: string;
  /** Null for a key that is no token: another type, or too long. */
  readonly fingerprint: string | null;
  /** When the request left; null = the key never expires. */
  readonly remainingMs: number | null;
  /** The node looked somewhere between these two. */
  readonly sentAt: MonotonicMs;
  readonly receivedAt: MonotonicMs;
  readonly recognition: Recognition | null;
}

/** What is known of one resource on one node. */
export interface NodeStand {
  readonly node: NodeId;
  /** Null: no such key there, or never seen. On a silent node what it said last. */
  readonly sighting: KeySighting | null;
  /** Why the node's word does not count now; null when it does. */
  readonly silent: string | null;
  readonly roundTripMs: number | null;
}

/**
 * @param others what is known of the key, here before and on other nodes: what is the same is kept once, and recognised once
 * @returns null when there is no such key
 */
export function sightingOf(
  reading: KeyReading,
  { sentAt, receivedAt }: { readonly sentAt: MonotonicMs; readonly receivedAt: MonotonicMs },
  others: readonly (KeySighting | null)[] = [],
): KeySighting | null {
  if (reading.type === "none") return null;
  const { type, value, remainingMs } = reading;
  const fingerprint = value === null ? null : fingerprintOf(value);
  const hasExpiry = remainingMs !== null;
  for (const other of others) {
    // The type is that of a string, then; of anything else too little is known to call it the same.
    if (fingerprint === null || other === null || other.fingerprint !== fingerprint) continue;
    if ((other.remainingMs !== null) !== hasExpiry) continue;
    return { ...other, remainingMs, sentAt, receivedAt };
  }
  const recognition = recognise({
    key: reading.resource,
    type,
    value: value === null ? null : value.toString("latin1"),
    hasExpiry,
  });
  return { type, fingerprint, remainingMs, sentAt, receivedAt, recognition };
}

/** Monotonic time at which the key dies at the earliest; infinite without an expiry. */
export function earliestEnd({ remainingMs, sentAt }: KeySighting): number {
  return remainingMs === null ? Number.POSITIVE_INFINITY : sentAt + remainingMs;
}

/** Monotonic time at which the key dies at the latest. */
export function latestEnd({ remainingMs, receivedAt }: KeySighting): number {
  return remainingMs === null ? Number.POSITIVE_INFINITY : receivedAt + remainingMs;
}

/** Whether the expiry was moved later between two sightings, beyond what a slow answer could explain. */
export function isRenewed(before: KeySighting, after: KeySighting): boolean {
  return earliestEnd(after) > latestEnd(before) + JUMP_MS;
}

/** Whether two sightings of a key differ by more than the time that passed. */
export function isChanged(before: KeySighting | null, after: KeySighting | null): boolean {
  if (before === null || after === null) return before !== after;
  if (before.type !== after.type || before.fingerprint !== after.fingerprint) return true;
  const isShortened = latestEnd(after) < earliestEnd(before) - JUMP_MS;
  return isShortened || isRenewed(before, after);
}
