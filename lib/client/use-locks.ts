import { useMemo, useRef } from "react";
import useSWR from "swr";
import {
  dependsOnTime,
  type ListFilter,
  type LockList,
  type LockView,
  listQuery,
  PRESETS,
  type Preset,
  type Scan,
} from "@/lib/contract";
import { asApiError } from "./api-error";
import { connectionStore, useConnection } from "./connection";
import { keys } from "./keys";
import { type LockPage, type LockSet, lockSetOfList } from "./lock-set";
import type { Received } from "./received";
import { request } from "./request";
import { fitsPreset, receivedTest } from "./search";
import { parseSort, sortLocks } from "./sort";
import { FIRST_PLACE, type ListWindow, useShownPlace } from "./stream-target";
import { useTicking } from "./ticker";
import type { Loadable } from "./use-cluster";

/** How many there are without the search. */
export type PresetCounts = Readonly<Record<Preset, number>>;

export interface LockRows {
  /** The rows that are known, in order. */
  readonly locks: readonly Received<LockView>[];
  /** Rows in front of the first of them: not 0 only where there are too many to know them all. */
  readonly offset: number;
  /** How many fit the filter, known or not. */
  readonly total: number;
  readonly counts: PresetCounts;
  readonly scan: Scan;
  /** Every lock is known here; otherwise the server filters and sorts, and brings the rows on screen. */
  readonly isWhole: boolean;
  /** They still are those of the filter before. */
  readonly isPending: boolean;
}

/** Every lock the browser knows, unfiltered. */
export function useLockSet(): Loadable<{ readonly set: LockSet }> {
  const { data, error } = useSWR<LockSet>(keys.locks, readLockSet, { revalidateIfStale: false });
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", set: data, staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

/**
 * The locks that fit, in order: found in the browser while it knows them all, else by the server.
 *
 * @param shown rows on screen and around it, which the server brings where the browser does not know all of them
 */
export function useLocks(filter: ListFilter, shown: ListWindow): Loadable<LockRows> {
  const all = useLockSet();
  const set = all.kind === "ready" ? all.set : undefined;
  useShownPlace(filter, shown);
  const { q, preset, sort } = filter;
  // Bounds on time come true by waiting; other searches need no clock.
  const second = useTicking((now) => (dependsOnTime(q) ? Math.floor(now / 1000) : 0));
  const found = useMemo(() => {
    if (set === undefined) return undefined;
    if (set.isWhole) return findLocks(set, { q, preset, sort }, second * 1000);
    const isAsked = set.page?.place.list === listQuery({ q, preset, sort });
    return isAsked && set.page !== undefined ? rowsOfPage(set, set.page) : undefined;
  }, [set, q, preset, sort, second]);
  const last = useRef<LockRows | undefined>(undefined);
  if (found !== undefined) last.current = found;
  if (all.kind !== "ready") return all;
  const { staleBecause } = all;
  if (found !== undefined) return { kind: "ready", staleBecause, ...found };
  if (last.current === undefined) return { kind: "loading" };
  return { kind: "ready", staleBecause, ...last.current, isPending: true };
}

/** Pure half of `useLocks` for a set that is whole. @param nowMs monotonic milliseconds, for bounds on time */
export function findLocks(set: LockSet, { q, preset, sort }: ListFilter, nowMs: number): LockRows {
  const all = [...set.byId.values()].filter(({ value }) => value.verdict !== "free");
  const fits = receivedTest(q, nowMs);
  const found = all.filter((lock) => fitsPreset(lock.value, preset) && fits(lock));
  return {
    locks: sortLocks(found, parseSort(sort)),
    offset: 0,
    total: found.length,
    counts: Object.fromEntries(
      PRESETS.map((name) => [name, all.filter(({ value }) => fitsPreset(value, name)).length]),
    ) as Record<Preset, number>,
    scan: set.scan,
    isWhole: true,
    isPending: false,
  };
}

function rowsOfPage({ byId, scan }: LockSet, page: LockPage): LockRows {
  const { counts, noExpiry, problems } = page;
  return {
    locks: page.ids.flatMap((id) => byId.get(id) ?? []),
    offset: page.place.offset,
    total: page.total,
    counts: {
      all: counts.held + counts.at_risk + counts.possibly_held + counts.split + counts.leftover,
      problems,
      "no-expiry": noExpiry,
      leftover: counts.leftover,
    },
    scan,
    isWhole: false,
    isPending: false,
  };
}

async function readLockSet(path: string): Promise<LockSet> {
  const set = lockSetOfList(await request<LockList>(path), FIRST_PLACE);
  connectionStore.heard();
  return set;
}
