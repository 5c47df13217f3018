import type { Layouts, Recognition } from "@/lib/layouts";
import { asSighting, fingerprintOf, type KeyReading } from "@/lib/redis";
import type { MonotonicMs, NodeId } from "@/lib/redlock";

/** A jump of the remaining time counts as one from this size on, milliseconds: below it is rounding and network. */
export const JUMP_MS = 50;

/** One key as one node showed it. Holds the fingerprint, never the token. */
export interface KeySighting {
  readonly type: string;
  /** Of what stands for the holder. Null for a key that says nothing of one: of an unknown layout and no string, or too long. */
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
  layouts: Layouts,
  others: readonly (KeySighting | null)[] = [],
): KeySighting | null {
  if (reading.type === "none") return null;
  const { type, value, remainingMs } = reading;
  const ofValue = value === null ? null : fingerprintOf(value);
  const hasExpiry = remainingMs !== null;
  for (const other of others) {
    // The type is that of a string, then; of anything else too little is known to call it the same.
    if (ofValue === null || other === null || other.fingerprint !== ofValue) continue;
    if ((other.remainingMs !== null) !== hasExpiry) continue;
    const { fingerprint, recognition } = other;
    return { type: other.type, fingerprint, remainingMs, sentAt, receivedAt, recognition };
  }
  const identity = layouts.identify(asSighting(reading));
  const owner = identity?.owner ?? null;
  const fingerprint = owner === null ? ofValue : fingerprintOf(Buffer.from(owner, "latin1"));
  return { type, fingerprint, remainingMs, sentAt, receivedAt, recognition: identity?.recognition ?? null };
}

/**
 * Gives the nodes of one lock one fingerprint where each of them has another owner for it: that of the first node in the list.
 * The owners of a Redisson RedLock differ by its client's id for each server; only their thread is the same.
 */
export function agreed(stands: readonly NodeStand[]): readonly NodeStand[] {
  // Hardly any client's locks have groups, and every reading of every lock passes here.
  if (stands.every(({ sighting }) => sighting?.recognition?.group === undefined)) return stands;
  const firstOf = new Map<string, string>();
  for (const { sighting } of stands) {
    const group = sighting?.recognition?.group;
    if (group === undefined || sighting?.fingerprint == null) continue;
    if (!firstOf.has(group)) firstOf.set(group, sighting.fingerprint);
  }
  if (firstOf.size === 0) return stands;
  return stands.map((stand) => {
    const { sighting } = stand;
    const fingerprint = firstOf.get(sighting?.recognition?.group ?? "");
    return sighting === null || fingerprint === undefined
      ? stand
      : { ...stand, sighting: { ...sighting, fingerprint } };
  });
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
