import { useMemo, useRef } from "react";
import type { Received } from "@/lib/client";
import type { LockView } from "@/lib/contract";

/** A row on screen; gone: no longer in the list, kept in its place while rows must not move. */
export interface ShownLock {
  readonly lock: Received<LockView>;
  readonly isGone: boolean;
}

/**
 * Rows in an order that stands still while `isFrozen`: a row that slides up must not put another row's button under the finger.
 * What a row says stays live.
 *
 * @param reason changes when the reader asked for another list (filter, sort): then the order is new in any case
 * @returns the rows, and how many new ones wait
 */
export function useFrozenOrder(
  locks: readonly Received<LockView>[],
  isFrozen: boolean,
  reason: string,
): { readonly rows: readonly ShownLock[]; readonly waiting: number } {
  const kept = useRef<{ readonly reason: string; readonly rows: readonly ShownLock[] } | null>(null);
  return useMemo(() => {
    const before = kept.current;
    if (!isFrozen || before === null || before.reason !== reason) {
      const rows = locks.map((lock) => ({ lock, isGone: false }));
      kept.current = { reason, rows };
      return { rows, waiting: 0 };
    }
    const byId = new Map(locks.map((lock) => [lock.value.id, lock]));
    const rows = before.rows.map(({ lock }) => {
      const now = byId.get(lock.value.id);
      return now === undefined ? { lock, isGone: true } : { lock: now, isGone: false };
    });
    kept.current = { reason, rows };
    return { rows, waiting: locks.length - rows.filter(({ isGone }) => !isGone).length };
  }, [locks, isFrozen, reason]);
}
