import { useCallback, useState } from "react";
import type { BulkItem } from "@/lib/client";
import type { LockView } from "@/lib/contract";

/** The locks somebody selected, each with the token it had at that moment. */
export interface Selection {
  readonly items: ReadonlyMap<string, BulkItem>;
  readonly toggle: (lock: LockView) => void;
  /** Selects the ones that are not yet, keeping what was seen of the others; or gives all of them up. */
  readonly setAll: (locks: readonly LockView[], isSelected: boolean) => void;
  readonly drop: (ids: readonly string[]) => void;
  /** The snapshot an open dialog works on; null while none is open. */
  readonly acted: readonly BulkItem[] | null;
  readonly setActed: (items: readonly BulkItem[] | null) => void;
}

/** Selection of rows. It outlives filters and changes of the list: what was selected is what is meant, not what came since. */
export function useSelection(): Selection {
  const [items, setItems] = useState<ReadonlyMap<string, BulkItem>>(new Map());
  const [acted, setActed] = useState<readonly BulkItem[] | null>(null);
  const change = useCallback(
    (edit: (next: Map<string, BulkItem>) => void) =>
      setItems((before) => {
        const next = new Map(before);
        edit(next);
        return next;
      }),
    [],
  );
  // The same function each time: rows that have not changed need not be drawn again.
  const toggle = useCallback(
    (lock: LockView) => change((next) => next.delete(lock.id) || select(next, lock)),
    [change],
  );
  return {
    items,
    toggle,
    setAll: (locks, isSelected) =>
      change((next) => {
        for (const lock of locks) {
          if (!isSelected) next.delete(lock.id);
          else if (!next.has(lock.id)) select(next, lock);
        }
      }),
    drop: (ids) =>
      change((next) => {
        for (const id of ids) next.delete(id);
      }),
    acted,
    setActed,
  };
}

function select(items: Map<string, BulkItem>, { id, resource, holder }: LockView): void {
  if (holder !== null) items.set(id, { id, resource, fingerprint: holder.fingerprint });
}

/** Why a lock cannot be acted on together with others; null when it can. */
export function unselectableBecause({ holder, nodes }: LockView): string | null {
  if (holder !== null) return null;
  const tokens = new Set(nodes.flatMap(({ fingerprint }) => fingerprint ?? []));
  if (tokens.size > 1) return "several tokens share it: open it and choose one";
  const isForeign = nodes.some(({ reading }) => reading === "foreign");
  return isForeign ? "its key is of another kind: there is no token to compare" : "no node that answers shows a token";
}
