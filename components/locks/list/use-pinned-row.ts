import { type FocusEvent, useRef, useState } from "react";
import type { ShownLock } from "./use-frozen-order";

/** The row that has the focus. */
interface Pinned {
  readonly id: string;
  readonly index: number;
}

/** A row with its place in the list. */
export interface PinnedRow {
  readonly index: number;
  readonly row: ShownLock;
}

/**
 * The row that has the focus stays drawn when it scrolls out of sight: the focus would fall to the page with it, and the next key would
 * go nowhere.
 *
 * @param rows the rows that are known, from `offset` on
 */
export function usePinnedRow(rows: readonly ShownLock[], offset: number) {
  const [focused, setFocused] = useState<Pinned | null>(null);
  const last = useRef<PinnedRow | null>(null);
  last.current =
    focused === null ? null : (placeOf(focused, rows, offset) ?? remembered(focused, last.current, rows, offset));
  return {
    pinned: last.current,
    onFocus: ({ target }: FocusEvent) => {
      const element = target.closest<HTMLElement>("[data-row]");
      const { id, index } = element?.dataset ?? {};
      if (id !== undefined && index !== undefined) setFocused({ id, index: Number(index) });
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      // The window lost it, not the row: it comes back to where it was.
      if (target === document.activeElement) return;
      if (relatedTarget?.closest("[data-row]") == null) setFocused(null);
    },
  };
}

function placeOf({ id }: Pinned, rows: readonly ShownLock[], offset: number): PinnedRow | null {
  const at = rows.findIndex(({ lock }) => lock.value.id === id);
  const row = rows[at];
  return row === undefined ? null : { index: offset + at, row };
}

/** As it was last seen, unless the rows that are known now show that it has left its place. */
function remembered(
  { id }: Pinned,
  before: PinnedRow | null,
  rows: readonly ShownLock[],
  offset: number,
): PinnedRow | null {
  if (before === null || before.row.lock.value.id !== id) return null;
  return before.index >= offset && before.index < offset + rows.length ? null : before;
}
