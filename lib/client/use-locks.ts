import { useMemo } from "react";
import useSWR from "swr";
import type { LockList, LockView, Scan } from "@/lib/contract";
import { asApiError } from "./api-error";
import { connectionStore, useConnection } from "./connection";
import { keys } from "./keys";
import { type LockSet, lockSetOfList } from "./lock-set";
import type { Received } from "./received";
import { request } from "./request";
import { fitsPreset, PRESETS, type Preset, receivedTest } from "./search";
import { parseSort, sortLocks } from "./sort";
import { useTicking } from "./ticker";
import type { Loadable } from "./use-cluster";

export interface LocksFilter {
  /** Text of the search box. */
  readonly q: string;
  readonly preset: Preset;
  /** Column, `-` in front for descending. */
  readonly sort: string;
  /** Rows at most. */
  readonly limit: number;
}

/** How many there are without the search; null where only the server could count and does not. */
export type PresetCounts = Readonly<Record<Preset, number | null>>;

export interface LockRows {
  readonly locks: readonly Received<LockView>[];
  /** How many fit the filter, shown or not. */
  readonly total: number;
  readonly counts: PresetCounts;
  readonly scan: Scan;
}

/** A set larger than the browser keeps is searched by the server, as often as polling would. */
const SERVER_SEARCH_MS = 2000;

/** Every lock the browser knows, unfiltered. */
export function useLockSet(): Loadable<{ readonly set: LockSet }> {
  const { data, error } = useSWR<LockSet>(keys.locks, readLockSet, { revalidateIfStale: false });
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", set: data, staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

/** The locks that fit, in order: found in the browser while it knows them all, else asked of the server. */
export function useLocks(filter: LocksFilter): Loadable<LockRows> {
  const all = useLockSet();
  const set = all.kind === "ready" ? all.set : undefined;
  const askServer = set !== undefined && !set.isWhole;
  const page = useSWR<LockList>(askServer ? keys.lockPage(queryOf(filter)) : null, request<LockList>, {
    refreshInterval: SERVER_SEARCH_MS,
    keepPreviousData: true,
  });
  // Bounds on time ("ttl<5s") come true by waiting; other searches need no clock.
  const second = useTicking((now) => (/[<>]/.test(filter.q) ? Math.floor(now / 1000) : 0));
  const { q, preset, sort, limit } = filter;
  const found = useMemo(
    () => (set?.isWhole ? findLocks(set, { q, preset, sort, limit }, second * 1000) : undefined),
    [set, q, preset, sort, limit, second],
  );
  if (all.kind !== "ready") return all;
  if (found !== undefined) return { kind: "ready", staleBecause: all.staleBecause, ...found };
  if (page.data !== undefined) return { kind: "ready", staleBecause: all.staleBecause, ...rowsOfPage(page.data) };
  return page.error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(page.error) };
}

/** Pure half of `useLocks`. @param nowMs monotonic milliseconds, for bounds on time */
export function findLocks(set: LockSet, { q, preset, sort, limit }: LocksFilter, nowMs: number): LockRows {
  const all = [...set.byId.values()].filter(({ value }) => value.verdict !== "free");
  const fits = receivedTest(q, nowMs);
  const found = all.filter((lock) => fitsPreset(lock.value, preset) && fits(lock));
  return {
    locks: sortLocks(found, parseSort(sort)).slice(0, limit),
    total: found.length,
    counts: Object.fromEntries(
      PRESETS.map((name) => [name, all.filter(({ value }) => fitsPreset(value, name)).length]),
    ) as Record<Preset, number>,
    scan: set.scan,
  };
}

function rowsOfPage(list: LockList): LockRows {
  const { counts, problems } = list;
  return {
    locks: [...lockSetOfList(list).byId.values()],
    total: list.total,
    counts: {
      all: counts.held + counts.at_risk + counts.possibly_held + counts.split + counts.leftover,
      problems,
      "no-expiry": null,
      leftover: counts.leftover,
    },
    scan: list.scan,
  };
}

const PRESET_WORDS: Readonly<Record<Preset, string>> = {
  all: "",
  problems: "is:problem",
  "no-expiry": "no-expiry",
  leftover: "verdict:leftover",
};

/** The same filter in the server's words, as a query without its question mark. */
export function queryOf({ q, preset, sort, limit }: LocksFilter): string {
  const query = new URLSearchParams({ sort, limit: String(limit) });
  const words = `${q} ${PRESET_WORDS[preset]}`.trim();
  if (words !== "") query.set("q", words);
  return query.toString();
}

async function readLockSet(path: string): Promise<LockSet> {
  const set = lockSetOfList(await request<LockList>(path));
  connectionStore.heard();
  return set;
}
