"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { formatSort, parseSort, useLocks } from "@/lib/client";
import { listQuery, PRESETS } from "@/lib/contract";
import { FailedState, LoadingState } from "../../ui/states";
import { AcquireButton } from "../acquire-dialog";
import { BulkDialog } from "../bulk-dialog";
import { ExportMenu } from "./export-menu";
import { LocksEmpty } from "./locks-empty";
import { LocksList } from "./locks-list";
import { PresetChips } from "./preset-chips";
import { ScanStatus } from "./scan-status";
import { SEARCH_MAX, SearchBox } from "./search-box";
import { useListWindow } from "./use-list-window";
import { useSelection } from "./use-selection";

/** Everything that matters is in the URL, so that a view can be sent to a colleague. */
const FILTER = {
  q: parseAsString.withDefault(""),
  show: parseAsStringLiteral(PRESETS).withDefault("all"),
  sort: parseAsString.withDefault("verdict"),
};

/** Every lock on any node: search, presets, sort, and the list. */
export function LocksSection() {
  const [{ q, show, sort }, setFilter] = useQueryStates(FILTER);
  // The words of the URL as the console takes them: a link that somebody has mangled still shows a list.
  const filter = { q: q.slice(0, SEARCH_MAX), preset: show, sort: formatSort(parseSort(sort)) };
  const { shown, onRange } = useListWindow(listQuery(filter));
  // Here, above everything that comes and goes with the list: a dialog must not vanish because a page of it is loading.
  const selection = useSelection();
  const state = useLocks(filter, shown);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h1 className="mr-auto font-semibold text-[20px]">Locks</h1>
        <ExportMenu {...filter} total={state.kind === "ready" ? state.total : 0} />
        <AcquireButton look="primary">
          {/* On the smallest screens the three stand in one line. */}
          <span>
            Acquire<span className="max-sm:sr-only"> a lock</span>
          </span>
        </AcquireButton>
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
          <LocksList
            found={state}
            isStale={state.staleBecause !== null}
            filter={filter}
            selection={selection}
            onSort={(text) => void setFilter({ sort: text })}
            onRange={onRange}
          >
            <LocksEmpty
              scan={state.scan}
              all={state.counts.all}
              q={q}
              onClear={() => void setFilter({ q: null, show: null })}
            >
              <AcquireButton>Acquire a lock</AcquireButton>
            </LocksEmpty>
          </LocksList>
        </>
      )}
      {selection.acted !== null && (
        <BulkDialog
          items={selection.acted}
          onLookAgain={() => selection.acted !== null && selection.setActed([...selection.acted])}
          onDone={selection.drop}
          onClose={() => selection.setActed(null)}
        />
      )}
    </div>
  );
}
