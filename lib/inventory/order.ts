import type { LOCK_SORTS } from "@/lib/contract";
import type { LockRow } from "./row";

export type SortKey = string | number;

type Column = (typeof LOCK_SORTS)[number];

/** An order of the list: by a column, equal rows by their resource. */
export interface Order {
  /** As in the query: the column, with `-` in front for descending. */
  readonly name: string;
  keyOf(row: LockRow): SortKey;
  compare(a: LockRow, b: LockRow): number;
  /** Where a row stands against a place named by its key and resource: negative before, positive behind. */
  compareTo(row: LockRow, key: SortKey, resource: string): number;
}

const KEYS: Readonly<Record<Column, (row: LockRow) => SortKey>> = {
  verdict: ({ severity }) => severity,
  resource: ({ resource }) => resource,
  holder: ({ holder }) => holder?.label ?? holder?.fingerprint ?? "",
  remaining: ({ endAt }) => endAt,
  since: ({ firstSeenAt }) => firstSeenAt ?? 0,
  client: ({ layout }) => layout?.label ?? "",
};

/** @param sort checked by the schema of the query */
export function orderOf(sort: string): Order {
  const isDescending = sort.startsWith("-");
  const keyOf = KEYS[(isDescending ? sort.slice(1) : sort) as Column];
  const direction = isDescending ? -1 : 1;
  const compareTo = (row: LockRow, key: SortKey, resource: string) =>
    direction * ascending(keyOf(row), key) || ascending(row.resource, resource);
  return {
    name: sort,
    keyOf,
    compareTo,
    compare: (a, b) => compareTo(a, keyOf(b), b.resource),
  };
}

/** The first place in sorted rows at which `isBehind` holds; it must hold for all that follow. */
export function firstPlace(rows: readonly LockRow[], isBehind: (row: LockRow) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && isBehind(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function ascending(a: SortKey, b: SortKey): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
