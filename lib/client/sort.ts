import { type LockView, remainingOf, SEVERITY, seenForMs } from "@/lib/contract";
import type { Received } from "./received";

/** Columns a list can be sorted by; the server takes the same names, with `-` in front for descending. */
export type SortColumn = "verdict" | "resource" | "holder" | "remaining" | "since" | "client";

export interface Sort {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

const COLUMNS: readonly SortColumn[] = ["verdict", "resource", "holder", "remaining", "since", "client"];

/** @param text as in the URL; anything else sorts by verdict */
export function parseSort(text: string): Sort {
  const isDescending = text.startsWith("-");
  const column = COLUMNS.find((name) => name === (isDescending ? text.slice(1) : text));
  return column === undefined ? { column: "verdict", isDescending: false } : { column, isDescending };
}

export function formatSort({ column, isDescending }: Sort): string {
  return isDescending ? `-${column}` : column;
}

/** A new list in the order asked for; equal rows are in order of their resource, so that nothing jumps. */
export function sortLocks(locks: readonly Received<LockView>[], { column, isDescending }: Sort): Received<LockView>[] {
  const sign = isDescending ? -1 : 1;
  return [...locks].sort((a, b) => sign * compare(column, a, b) || byText(a.value.resource, b.value.resource));
}

function compare(column: SortColumn, a: Received<LockView>, b: Received<LockView>): number {
  switch (column) {
    case "verdict":
      return SEVERITY.indexOf(a.value.verdict) - SEVERITY.indexOf(b.value.verdict);
    case "resource":
      return byText(a.value.resource, b.value.resource);
    case "holder":
      return byText(a.value.holder?.fingerprint ?? "~", b.value.holder?.fingerprint ?? "~");
    case "remaining":
      return byNumber(endsAt(a), endsAt(b));
    case "since":
      return byNumber(beganAt(a), beganAt(b));
    case "client":
      return byText(a.value.layout?.label ?? "~", b.value.layout?.label ?? "~");
    default:
      return column satisfies never;
  }
}

/** Plain comparison by code unit: a locale would order the same list differently on two machines. */
function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function byNumber(a: number, b: number): number {
  return a === b ? 0 : a - b; // two infinities would make NaN
}

/** Moments on the monotonic clock: the order does not change while everything counts down alike. */
function endsAt({ value, takenAt }: Received<LockView>): number {
  return (takenAt ?? 0) + remainingOf(value);
}

function beganAt({ value, takenAt }: Received<LockView>): number {
  return value.firstSeenAt === null ? Infinity : (takenAt ?? 0) - seenForMs(value);
}
