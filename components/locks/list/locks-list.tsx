"use client";

import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { formatSort, type LockRows, parseSort } from "@/lib/client";
import { type ListFilter, listQuery } from "@/lib/contract";
import { useIsNarrow } from "../../ui/use-is-narrow";
import { useSharedTooltip } from "../../ui/use-shared-tooltip";
import { VerdictSum } from "../verdict-badge";
import { ListFoot } from "./list-foot";
import { LocksCards } from "./locks-cards";
import { LocksTable } from "./locks-table";
import { SelectAllBox } from "./select-box";
import { SelectionBar } from "./selection-bar";
import { useFrozenOrder } from "./use-frozen-order";
import { usePinnedRow } from "./use-pinned-row";
import { useSelectAll } from "./use-select-all";
import type { Selection } from "./use-selection";

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
  const { pinned, onFocus, onBlur } = usePinnedRow(rows, offset);
  const { listeners, tooltip } = useSharedTooltip({
    selector: "[data-verdict]",
    textOf: (element) => {
      const { id } = element.closest<HTMLElement>("[data-row]")?.dataset ?? {};
      const row = rows.find(({ lock }) => lock.value.id === id);
      return row === undefined ? null : <VerdictSum lock={row.lock} />;
    },
  });
  useTopOfList(list, asked);
  const watching = {
    onPointerOver: listeners.onPointerOver,
    onPointerDown: listeners.onPointerDown,
    onPointerEnter: (event: PointerEvent) => event.pointerType === "mouse" && setIsPointerOver(true),
    onPointerLeave: () => {
      setIsPointerOver(false);
      listeners.onPointerLeave();
    },
    onFocus: (event: FocusEvent) => {
      onFocus(event);
      listeners.onFocus(event);
    },
    onBlur: (event: FocusEvent) => {
      onBlur(event);
      listeners.onBlur();
    },
  };
  const common = { rows, offset, total, pinned, list, selection, all, onRange };
  return (
    <>
      {/* Watching the pointer changes nothing but the order of rows: no keyboard counterpart is needed, there is the pause button. */}
      <div
        ref={list}
        aria-busy={isPending}
        {...watching}
        className={`rounded-xl border border-line bg-panel px-2 ${isStale ? "stale-look" : ""}`}
      >
        {(total > 0 || selection.items.size > 0) && (
          <SelectionBar rows={rows} selection={selection} all={all}>
            {isNarrow && <SelectAllBox all={all} />}
          </SelectionBar>
        )}
        {total === 0 && children}
        {total > 0 && isNarrow && <LocksCards {...common} />}
        {total > 0 && !isNarrow && (
          <LocksTable {...common} sort={parseSort(filter.sort)} onSort={(next) => onSort(formatSort(next))} />
        )}
      </div>
      {tooltip}
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
