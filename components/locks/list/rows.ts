import type { RefObject } from "react";
import type { Received } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import type { ShownLock } from "./use-frozen-order";
import type { PinnedRow } from "./use-pinned-row";
import type { SelectAll } from "./use-select-all";
import type { Selection } from "./use-selection";

/** What the table and the cards get. */
export interface RowsProps {
  /** The rows that are known, from `offset` on. */
  readonly rows: readonly ShownLock[];
  readonly offset: number;
  /** Rows of the whole list, known or not. */
  readonly total: number;
  readonly pinned: PinnedRow | null;
  /** What is around them. */
  readonly list: RefObject<HTMLElement | null>;
  readonly selection: Selection;
  readonly all: SelectAll;
  /** Told which rows are on screen. */
  readonly onRange: (first: number, last: number) => void;
}

/** One row. */
export interface RowProps {
  readonly index: number;
  readonly lock: Received<LockView>;
  readonly isGone: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (lock: LockView) => void;
}

/** The row at a place; undefined while only its place is known. */
export function rowAt({ rows, offset, pinned }: RowsProps, index: number): ShownLock | undefined {
  return rows[index - offset] ?? (index === pinned?.index ? pinned.row : undefined);
}

export function rowProps(index: number, { lock, isGone }: ShownLock, { items, toggle }: Selection): RowProps {
  return { index, lock, isGone, isSelected: items.has(lock.value.id), onToggle: toggle };
}
