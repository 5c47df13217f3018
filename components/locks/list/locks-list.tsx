"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatSort, type LockRows, parseSort } from "@/lib/client";
import { type ListFilter, listQuery } from "@/lib/contract";
import { useIsNarrow } from "../../ui/use-is-narrow";
import { ListFoot } from "./list-foot";
import { CARD_PX, LocksCards } from "./locks-cards";
import { LocksTable, TABLE_ROW_PX } from "./locks-table";
import { SelectAllBox } from "./select-box";
import { SelectionBar } from "./selection-bar";
import { useFrozenOrder } from "./use-frozen-order";
import { useHeaderHeight } from "./use-header-height";
import { usePinnedRow } from "./use-pinned-row";
import { useRowKeys } from "./use-row-keys";
import { useSelectAll } from "./use-select-all";
import type { Selection } from "./use-selection";
import { useVirtualRows } from "./use-virtual-rows";

type Props = {
  readonly found: LockRows;
  readonly isStale: boolean;
  /** What the reader asked for. */
  readonly filter: ListFilter;
  readonly selection: Selection;
  readonly onSort: (sort: string) => void;
  /** Told which rows are on screen. */
  readonly onRange: (first: number, last: number) => void;
  /** What to show instead of rows when there are none. */
  readonly children: ReactNode;
};

/** The rows on screen, in an order that stands still under the pointer, and what is selected of them. */
export function LocksList({ found, isStale, filter, selection, onSort, onRange, children }: Props) {
  const asked = listQuery(filter);
  const [isPaused, setIsPaused] = useState(false);
  const [isPointerOver, setIsPointerOver] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const { offset, isWhole, isPending } = found;
  // Rows of the list before stand there until those of this one are known: they are not what is to stand still.
  const reason = `${asked} ${offset} ${isPending}`;
  const { rows, waiting } = useFrozenOrder(found.locks, isPaused || isPointerOver, reason);
  const total = isWhole ? rows.length : Math.max(found.total, offset + rows.length);
  const all = useSelectAll({ filter, found, selection });
  const { pinned, ...focus } = usePinnedRow(rows, offset);
  const virtual = useVirtualRows({
    count: total,
    rowPx: isNarrow ? CARD_PX : TABLE_ROW_PX,
    isMeasured: isNarrow,
    pinned: pinned?.index ?? null,
    list,
    coveredPx: useHeaderHeight() + TABLE_ROW_PX,
  });
  const { first, last, endPx, measure, scrollTo } = virtual;
  useRowKeys(list, { count: total, first, last, scrollTo });
  useEffect(() => onRange(first, last));
  useTopOfList(list, asked);
  const rowAt = (index: number) => rows[index - offset] ?? (index === pinned?.index ? pinned.row : undefined);
  const placed = virtual.placed.map(({ index, gapPx }) => ({ index, gapPx, row: rowAt(index) }));
  const common = { placed, endPx, total, selection, all };
  return (
    <>
      {/* Watching the pointer changes nothing but the order of rows: no keyboard counterpart is needed, there is the pause button. */}
      <div
        ref={list}
        aria-busy={isPending}
        onPointerEnter={(event) => event.pointerType === "mouse" && setIsPointerOver(true)}
        onPointerLeave={() => setIsPointerOver(false)}
        {...focus}
        className={`rounded-xl border border-line bg-panel px-2 ${isStale ? "stale-look" : ""}`}
      >
        {(total > 0 || selection.items.size > 0) && (
          <SelectionBar rows={rows} selection={selection} all={all}>
            {isNarrow && <SelectAllBox all={all} />}
          </SelectionBar>
        )}
        {total === 0 && children}
        {total > 0 && isNarrow && (
          <div className="px-2">
            <LocksCards {...common} measure={measure} />
          </div>
        )}
        {total > 0 && !isNarrow && (
          <LocksTable {...common} sort={parseSort(filter.sort)} onSort={(next) => onSort(formatSort(next))} />
        )}
      </div>
      <ListFoot found={found} waiting={waiting} isPaused={isPaused} onPause={setIsPaused} />
    </>
  );
}

/** Another list begins at its top: the fifty-thousandth row of it is not what was asked for. */
function useTopOfList(list: React.RefObject<HTMLElement | null>, asked: string): void {
  const before = useRef(asked);
  useEffect(() => {
    if (before.current === asked) return;
    before.current = asked;
    const top = list.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) window.scrollTo({ top: 0 });
  }, [asked, list]);
}
