"use client";

import { memo, useEffect } from "react";
import type { Sort, SortColumn } from "@/lib/client";
import { Cell, ColumnHead, SortableColumnHead, Table } from "../../ui/table";
import { ClientName, HeldFor, HolderName, ResourceLink, SeenSince } from "../lock-cells";
import { PipsAfter } from "../pips";
import { useLiveRow } from "../use-live-row";
import { VerdictMark } from "../verdict-badge";
import { type RowProps, type RowsProps, rowAt, rowProps } from "./rows";
import { SelectAllBox, SelectRow } from "./select-box";
import { useFixedRows } from "./use-fixed-rows";
import { useHeaderHeight } from "./use-header-height";
import { useRowKeys } from "./use-row-keys";
import type { SelectAll } from "./use-select-all";

/** Height of a row, pixels: fixed, so that the place of the fifty-thousandth is known without drawing those before it. */
const TABLE_ROW_PX = 42;
const COLUMNS = 8;

type HeadProps = { readonly all: SelectAll; readonly sort: Sort; readonly onSort: (sort: Sort) => void };

/** The locks as a table. On medium screens holder, since and client give way: the lock's own page has them too. */
export function LocksTable({ sort, onSort, ...props }: RowsProps & Omit<HeadProps, "all">) {
  const { total, pinned, list, selection, all, onRange } = props;
  const coveredPx = useHeaderHeight() + TABLE_ROW_PX;
  const virtual = useFixedRows({ count: total, rowPx: TABLE_ROW_PX, pinned: pinned?.index ?? null, list, coveredPx });
  const { placed, endPx, first, last, scrollTo } = virtual;
  useRowKeys(list, { count: total, first, last, scrollTo });
  useEffect(() => onRange(first, last));
  return (
    <Table isFixed caption="Locks, one row each, with the verdict of all nodes" rows={total + 1}>
      <Head all={all} sort={sort} onSort={onSort} />
      <tbody>
        {placed.flatMap(({ index, gapPx }) => {
          const row = rowAt(props, index);
          return [
            gapPx > 0 && <Gap key={`before ${index}`} heightPx={gapPx} />,
            row === undefined ? (
              <UnknownRow key={index} index={index} />
            ) : (
              <LockRow key={row.lock.value.id} {...rowProps(index, row, selection)} />
            ),
          ];
        })}
        {endPx > 0 && <Gap heightPx={endPx} />}
      </tbody>
    </Table>
  );
}

/** Not drawn again when the rows below it scroll. */
const Head = memo(function Head({ all, sort, onSort }: HeadProps) {
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
    <thead>
      <tr aria-rowindex={1}>
        <ColumnHead className="w-10 pr-0 pl-1.5">
          <SelectAllBox all={all} />
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
  );
});

/** Rows that are not drawn, as one empty one of their height. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={COLUMNS} style={{ height: heightPx, padding: 0 }} />
    </tr>
  );
}

/** A row that the server has not brought yet. */
function UnknownRow({ index }: { readonly index: number }) {
  return (
    <tr
      data-row
      data-index={index}
      aria-rowindex={index + 2}
      style={{ height: TABLE_ROW_PX }}
      className="border-line border-b"
    >
      <td colSpan={COLUMNS} className="px-2.5 text-mute">
        …
      </td>
    </tr>
  );
}

const LockRow = memo(function LockRow({ index, lock: received, isGone, isSelected, onToggle }: RowProps) {
  const live = useLiveRow(received);
  const lock = received.value;
  return (
    <tr
      data-row
      data-id={lock.id}
      data-index={index}
      aria-rowindex={index + 2}
      style={{ height: TABLE_ROW_PX }}
      className={`border-line border-b last:border-b-0 focus-within:bg-hover hover:bg-hover ${isSelected ? "bg-accent-soft" : ""}`}
    >
      <Cell className="pr-0 pl-1.5">
        <SelectRow lock={lock} isGone={isGone} isSelected={isSelected} onToggle={onToggle} />
      </Cell>
      <Cell>{isGone ? <span className="text-mute">gone</span> : <VerdictMark kind={live.verdict} />}</Cell>
      <Cell>
        <ResourceLink lock={lock} />
      </Cell>
      <Cell>
        <PipsAfter lock={lock} ended={live.ended} />
      </Cell>
      <Cell className="truncate max-lg:hidden">
        <HolderName lock={lock} />
      </Cell>
      <Cell className="truncate">
        {isGone ? <span className="text-mute">–</span> : <HeldFor lock={lock} live={live} />}
      </Cell>
      <Cell className="truncate max-lg:hidden">
        <SeenSince lock={lock} live={live} />
      </Cell>
      <Cell className="truncate max-xl:hidden">
        <ClientName lock={lock} />
      </Cell>
    </tr>
  );
});
