"use client";

import { type ReactNode, useMemo } from "react";
import { SWRConfig } from "swr";
import type { Cluster, IncidentList, LockDetail, LockList, LockView } from "@/lib/contract";
import { keys } from "./keys";
import type { LockSet } from "./lock-set";
import type { Received } from "./received";

type Props = {
  readonly cluster?: Cluster;
  readonly locks?: LockList;
  readonly lock?: LockDetail;
  readonly incidents?: IncidentList;
  readonly children: ReactNode;
};

/**
 * What the server knew when it made the page, so that the first paint shows it. It has no moment on the browser's clock and does
 * not count down; the first word of the stream replaces it.
 */
export function FirstValues({ cluster, locks, lock, incidents, children }: Props) {
  const fallback = useMemo(
    () => ({
      ...(cluster && { [keys.cluster]: unaged(cluster) }),
      ...(locks && { [keys.locks]: unagedSet(locks) }),
      ...(lock && { [keys.lock(lock.id)]: unaged(lock) }),
      ...(incidents && { [keys.incidents]: incidents }),
    }),
    [cluster, locks, lock, incidents],
  );
  return <SWRConfig value={(parent) => ({ ...parent, fallback })}>{children}</SWRConfig>;
}

function unaged<Value>(value: Value): Received<Value> {
  return { value, takenAt: null };
}

function unagedSet(list: LockList): LockSet {
  const byId = new Map<string, Received<LockView>>(list.locks.map((lock) => [lock.id, unaged(lock)]));
  return { byId, scan: list.scan, isWhole: list.nextCursor === null };
}
