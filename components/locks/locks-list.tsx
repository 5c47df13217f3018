"use client";

import { Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { formatSort, type LockRows, parseSort, type useLocks } from "@/lib/client";
import { Button } from "../ui/button";
import { useIsNarrow } from "../ui/use-is-narrow";
import { AcquireButton } from "./acquire-dialog";
import { LocksCards } from "./locks-cards";
import { LocksEmpty } from "./locks-empty";
import { LocksTable } from "./locks-table";
import { SelectAll } from "./select-box";
import { SelectionBar } from "./selection-bar";
import { useFrozenOrder } from "./use-frozen-order";
import { useRowKeys } from "./use-row-keys";
import type { Selection } from "./use-selection";

type Props = {
  readonly found: LockRows;
  readonly isStale: boolean;
  readonly filter: Parameters<typeof useLocks>[0];
  readonly selection: Selection;
  readonly onSort: (sort: string) => void;
  readonly onClear: () => void;
  readonly onMore: () => void;
};

/** The rows, in an order that stands still under the pointer, and what is selected of them. */
export function LocksList({ found, isStale, filter, selection, onSort, onClear, onMore }: Props) {
  const [isPaused, setIsPaused] = useState(false);
  const [isPointerOver, setIsPointerOver] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const isNarrow = useIsNarrow();
  const reason = JSON.stringify(filter);
  const { rows, waiting } = useFrozenOrder(found.locks, isPaused || isPointerOver, reason);
  return (
    <>
      {/* Watching the pointer changes nothing but the order of rows: no keyboard counterpart is needed, there is the pause button. */}
      <div
        ref={list}
        onPointerEnter={(event) => event.pointerType === "mouse" && setIsPointerOver(true)}
        onPointerLeave={() => setIsPointerOver(false)}
        className={`rounded-xl border border-line bg-panel px-2 ${isStale ? "stale-look" : ""}`}
      >
        {(rows.length > 0 || selection.items.size > 0) && (
          <SelectionBar rows={rows} selection={selection}>
            {isNarrow && <SelectAll rows={rows} selection={selection} />}
          </SelectionBar>
        )}
        {rows.length === 0 && (
          <LocksEmpty scan={found.scan} all={found.counts.all} q={filter.q} onClear={onClear}>
            <AcquireButton>Acquire a lock</AcquireButton>
          </LocksEmpty>
        )}
        {rows.length > 0 && isNarrow && (
          <div className="px-2">
            <LocksCards rows={rows} selection={selection} />
          </div>
        )}
        {rows.length > 0 && !isNarrow && (
          <LocksTable
            rows={rows}
            selection={selection}
            sort={parseSort(filter.sort)}
            onSort={(next) => onSort(formatSort(next))}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-3 text-[13px] text-mute">
        <Button size="small" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
          {isPaused ? "Let rows move" : "Keep rows in place"}
        </Button>
        <span>
          {found.locks.length.toLocaleString("en-US")} of {found.total.toLocaleString("en-US")} shown
          {waiting > 0 && ` · ${waiting} new, shown when rows may move`}
        </span>
        {found.locks.length < found.total && (
          <Button size="small" onClick={onMore}>
            Load more
          </Button>
        )}
      </div>
    </>
  );
}
