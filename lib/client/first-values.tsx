"use client";

import { type ReactNode, useEffect, useMemo } from "react";
import { SWRConfig } from "swr";
import { type Cluster, type IncidentList, type LockDetail, type LockList, SNAPSHOT_LOCKS_MAX } from "@/lib/contract";
import { keys } from "./keys";
import { lockSetOfList, sizeOf } from "./lock-set";
import type { Received } from "./received";
import { type ListPlace, streamTarget } from "./stream-target";

type Props = {
  readonly cluster?: Cluster;
  /** The list as it was asked for: whole where it is short enough, else the page at that place. */
  readonly locks?: { readonly list: LockList; readonly place: ListPlace };
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
      ...(locks && { [keys.locks]: lockSetOfList(locks.list, locks.place, null) }),
      ...(lock && { [keys.lock(lock.id)]: unaged(lock) }),
      ...(incidents && { [keys.incidents]: incidents }),
    }),
    [cluster, locks, lock, incidents],
  );
  useEffect(() => {
    // Before the stream is opened, which happens further up: it need not bring thousands of locks to learn that there are more.
    if (locks !== undefined) streamTarget.noteSize(sizeOf(lockSetOfList(locks.list, locks.place)), SNAPSHOT_LOCKS_MAX);
  }, [locks]);
  return <SWRConfig value={(parent) => ({ ...parent, fallback })}>{children}</SWRConfig>;
}

function unaged<Value>(value: Value): Received<Value> {
  return { value, takenAt: null };
}
