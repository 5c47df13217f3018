"use client";

import { Pause, Play } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import { formatSort, type LockRows, PRESETS, parseSort, useLocks } from "@/lib/client";
import { Button } from "../ui/button";
import { FailedState, LoadingState } from "../ui/states";
import { useIsNarrow } from "../ui/use-is-narrow";
import { AcquireButton } from "./acquire-dialog";
import { LocksCards } from "./locks-cards";
import { LocksEmpty } from "./locks-empty";
import { LocksTable } from "./locks-table";
import { PresetChips } from "./preset-chips";
import { ScanStatus } from "./scan-status";
import { SearchBox } from "./search-box";
import { useFrozenOrder } from "./use-frozen-order";
import { useRowKeys } from "./use-row-keys";

const ROWS_STEP = 200;

/** Everything that matters is in the URL, so that a view can be sent to a colleague. */
const FILTER = {
  q: parseAsString.withDefault(""),
  show: parseAsStringLiteral(PRESETS).withDefault("all"),
  sort: parseAsString.withDefault("verdict"),
};

/** Every lock on any node: search, presets, sort, and the list. */
export function LocksSection() {
  const [{ q, show, sort }, setFilter] = useQueryStates(FILTER);
  const [limit, setLimit] = useState(ROWS_STEP);
  const state = useLocks({ q, preset: show, sort, limit });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="mr-auto font-semibold text-[20px]">Locks</h1>
        <AcquireButton look="primary">Acquire a lock</AcquireButton>
      </div>
      <SearchBox value={q} onChange={(text) => void setFilter({ q: text || null })} />
      {state.kind === "loading" && <LoadingState what="locks" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <PresetChips chosen={show} counts={state.counts} onChoose={(preset) => void setFilter({ show: preset })} />
            <ScanStatus scan={state.scan} />
          </div>
          <LockList
            found={state}
            isStale={state.staleBecause !== null}
            filter={{ q, sort, preset: show, limit }}
            onSort={(text) => void setFilter({ sort: text })}
            onClear={() => void setFilter({ q: null, show: null })}
            onMore={() => setLimit(limit + ROWS_STEP)}
          />
        </>
      )}
    </div>
  );
}

type ListProps = {
  readonly found: LockRows;
  readonly isStale: boolean;
  readonly filter: Parameters<typeof useLocks>[0];
  readonly onSort: (sort: string) => void;
  readonly onClear: () => void;
  readonly onMore: () => void;
};

function LockList({ found, isStale, filter, onSort, onClear, onMore }: ListProps) {
  const [isPaused, setIsPaused] = useState(false);
  const [isPointerOver, setIsPointerOver] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const isNarrow = useIsNarrow();
  const reason = JSON.stringify(filter);
  const { rows, waiting } = useFrozenOrder(found.locks, isPaused || isPointerOver, reason);
  const sort = parseSort(filter.sort);
  return (
    <>
      {/* Watching the pointer changes nothing but the order of rows: no keyboard counterpart is needed, there is the pause button. */}
      <div
        ref={list}
        onPointerEnter={(event) => event.pointerType === "mouse" && setIsPointerOver(true)}
        onPointerLeave={() => setIsPointerOver(false)}
        className={`rounded-xl border border-line bg-panel px-2 ${isStale ? "stale-look" : ""}`}
      >
        {rows.length === 0 && (
          <LocksEmpty scan={found.scan} all={found.counts.all} q={filter.q} onClear={onClear}>
            <AcquireButton>Acquire a lock</AcquireButton>
          </LocksEmpty>
        )}
        {rows.length > 0 && isNarrow && (
          <div className="px-2">
            <LocksCards rows={rows} />
          </div>
        )}
        {rows.length > 0 && !isNarrow && (
          <LocksTable rows={rows} sort={sort} onSort={(next) => onSort(formatSort(next))} />
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
