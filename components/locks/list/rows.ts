import type { Received } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import type { ShownLock } from "./use-frozen-order";
import type { SelectAll } from "./use-select-all";
import type { Selection } from "./use-selection";
import type { PlacedRow } from "./use-virtual-rows";

/** What the table and the cards get: the rows to draw, each in its place. */
export interface RowsProps {
  /** `row` is undefined while only its place is known. */
  readonly placed: readonly (PlacedRow & { readonly row: ShownLock | undefined })[];
  /** Empty space behind the last one, pixels. */
  readonly endPx: number;
  /** Rows of the whole list, drawn or not. */
  readonly total: number;
  readonly selection: Selection;
  readonly all: SelectAll;
}

/** One row. */
export interface RowProps {
  readonly index: number;
  readonly lock: Received<LockView>;
  readonly isGone: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (lock: LockView) => void;
}

export function rowProps(index: number, { lock, isGone }: ShownLock, { items, toggle }: Selection): RowProps {
  return { index, lock, isGone, isSelected: items.has(lock.value.id), onToggle: toggle };
}
