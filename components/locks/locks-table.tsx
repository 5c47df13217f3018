"use client";

import type { Sort, SortColumn } from "@/lib/client";
import { Cell, ColumnHead, SortableColumnHead, Table } from "../ui/table";
import { ClientName, HeldFor, HolderName, ResourceLink, SeenSince } from "./lock-cells";
import { LockPips } from "./pips";
import { SelectAll, SelectRow } from "./select-box";
import type { ShownLock } from "./use-frozen-order";
import type { Selection } from "./use-selection";
import { VerdictBadge } from "./verdict-badge";

type Props = {
  readonly rows: readonly ShownLock[];
  readonly selection: Selection;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
};

/** The locks as a table. On medium screens holder, since and client give way: the lock's own page has them too. */
export function LocksTable({ rows, selection, sort, onSort }: Props) {
  const head = (column: SortColumn, label: string, className?: string) => {
    const isSorted = sort.column === column;
    const direction = sort.isDescending ? "descending" : "ascending";
    return (
      <SortableColumnHead
        className={className}
        direction={isSorted ? direction : "none"}
        onSort={() => onSort({ column, isDescending: isSorted && !sort.isDescending })}
      >
        {label}
      </SortableColumnHead>
    );
  };
  return (
    <Table isFixed caption="Locks, one row each, with the verdict of all nodes">
      <thead>
        <tr>
          <ColumnHead className="w-10 pr-0 pl-1.5">
            <SelectAll rows={rows} selection={selection} />
          </ColumnHead>
          {head("verdict", "Verdict", "w-[8.75rem]")}
          {head("resource", "Resource")}
          <ColumnHead className="w-[8rem]">Nodes</ColumnHead>
          {head("holder", "Holder", "w-[8.25rem] max-lg:hidden")}
          {head("remaining", "Held for at least", "w-[12.25rem]")}
          {head("since", "Since", "w-[10.5rem] max-lg:hidden")}
          {head("client", "Client", "w-[10.5rem] max-xl:hidden")}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LockRow key={row.lock.value.id} row={row} selection={selection} />
        ))}
      </tbody>
    </Table>
  );
}

function LockRow({ row, selection }: { readonly row: ShownLock; readonly selection: Selection }) {
  const { lock, isGone } = row;
  return (
    <tr
      data-row
      className="border-line border-b last:border-b-0 focus-within:bg-hover hover:bg-hover has-[[data-row-select]:checked]:bg-accent-soft"
    >
      <Cell className="pr-0 pl-1.5">
        <SelectRow row={row} selection={selection} />
      </Cell>
      <Cell>{isGone ? <span className="text-mute">gone</span> : <VerdictBadge lock={lock} />}</Cell>
      <Cell>
        <ResourceLink lock={lock} />
      </Cell>
      <Cell>
        <LockPips lock={lock} />
      </Cell>
      <Cell className="truncate max-lg:hidden">
        <HolderName lock={lock} />
      </Cell>
      <Cell className="truncate">{isGone ? <span className="text-mute">–</span> : <HeldFor lock={lock} />}</Cell>
      <Cell className="truncate max-lg:hidden">
        <SeenSince lock={lock} />
      </Cell>
      <Cell className="truncate max-xl:hidden">
        <ClientName lock={lock} />
      </Cell>
    </tr>
  );
}
