import type { LockList, LockView, Scan, StreamEvents } from "@/lib/contract";
import { type Received, received } from "./received";

/** The locks the browser knows, each with the moment it was read. */
export interface LockSet {
  readonly byId: ReadonlyMap<string, Received<LockView>>;
  readonly scan: Scan;
  /** Every lock the console has seen is in here; false: only a part, the server must search. */
  readonly isWhole: boolean;
}

/** @param nowMs monotonic milliseconds at receipt */
export function lockSetOfSnapshot(event: StreamEvents["snapshot"], nowMs = performance.now()): LockSet {
  return { byId: stamped(event.locks, event.readAt, nowMs), scan: event.scan, isWhole: true };
}

/** @param nowMs monotonic milliseconds at receipt */
export function lockSetOfList(list: LockList, nowMs = performance.now()): LockSet {
  return { byId: stamped(list.locks, list.readAt, nowMs), scan: list.scan, isWhole: list.nextCursor === null };
}

/**
 * The set after a difference. A difference without anything to apply it to is dropped: a snapshot follows every connection.
 *
 * @param nowMs monotonic milliseconds at receipt
 */
export function mergeLocks(
  set: LockSet | undefined,
  event: StreamEvents["locks"],
  nowMs = performance.now(),
): LockSet | undefined {
  if (set === undefined) return undefined;
  const byId = new Map(set.byId);
  for (const id of event.removed) byId.delete(id);
  for (const lock of event.changed) {
    const known = byId.get(lock.id);
    // A polled answer may have overtaken the stream; the younger reading wins.
    if (known !== undefined && known.value.readAt > lock.readAt) continue;
    byId.set(lock.id, received(lock, event.readAt - lock.readAt, nowMs));
  }
  return { ...set, byId, scan: event.scan };
}

function stamped(locks: readonly LockView[], readAt: number, nowMs: number): Map<string, Received<LockView>> {
  return new Map(locks.map((lock) => [lock.id, received(lock, readAt - lock.readAt, nowMs)]));
}
