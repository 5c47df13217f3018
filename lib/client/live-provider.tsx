"use client";

import { type ReactNode, useEffect } from "react";
import { mutate, SWRConfig } from "swr";
import {
  type AuditList,
  type Cluster,
  type Incident,
  type IncidentList,
  type LockList,
  SNAPSHOT_LOCKS_MAX,
  type StreamEventName,
  type StreamEvents,
} from "@/lib/contract";
import { connectionStore } from "./connection";
import { keys, LIST_LOCKS_MAX } from "./keys";
import { LiveStream } from "./live-stream";
import { type LockSet, lockSetOfList, lockSetOfSnapshot, mergeLocks, sizeOf } from "./lock-set";
import { received } from "./received";
import { request } from "./request";
import { FIRST_PLACE, placeOfUrl, streamTarget } from "./stream-target";

const EVENT_NAMES = [
  "snapshot",
  "locks",
  "cluster",
  "action",
  "incident",
  "ping",
] as const satisfies readonly StreamEventName[];

/** A glance at another tab and back should not cost a reconnect. */
const REST_AFTER_HIDDEN_MS = 20_000;
const REVIEW_MS = 1000;
/** Somebody who types or scrolls names other rows with every key and every turn of the wheel; the stream changes so often at most. */
const RETARGET_MS = 150;

/** The stream brings what changes; asking again on focus or remount would only race with it. */
const SWR_OPTIONS = { revalidateOnFocus: false, revalidateOnReconnect: false, errorRetryInterval: 3000 } as const;

/** Feeds every hook below it from one event stream, or by polling where the stream does not come through. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  useEffect(feed, []);
  return <SWRConfig value={SWR_OPTIONS}>{children}</SWRConfig>;
}

function feed(): () => void {
  const stream = new LiveStream<StreamEvents>({
    url: streamTarget.url,
    names: EVENT_NAMES,
    onEvent: applyEvent,
    onState: (state) => connectionStore.enter(state),
    poll,
  });
  const stopFollowing = followTarget(stream);
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) hiddenTimer = setTimeout(() => stream.rest(), REST_AFTER_HIDDEN_MS);
    else stream.start();
  };
  document.addEventListener("visibilitychange", onVisibility);
  const review = setInterval(() => connectionStore.review(), REVIEW_MS);
  stream.start();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hiddenTimer);
    clearInterval(review);
    stopFollowing();
    stream.rest();
  };
}

/** At once the first time, and then so that what was named last is what the stream brings in the end. */
function followTarget(stream: LiveStream<StreamEvents>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  let list: string | undefined;
  const change = () => {
    timer = undefined;
    changedAt = performance.now();
    const { url } = streamTarget;
    const before = list;
    list = placeOfUrl(url)?.place.list;
    // Rows of the same list that were on screen a moment ago are of use; those of another filter are not.
    stream.retarget(url, { isPatient: list === before });
  };
  const unsubscribe = streamTarget.subscribe(() => {
    timer ??= setTimeout(change, Math.max(0, changedAt + RETARGET_MS - performance.now()));
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Puts one event of the stream at `url` where the hooks look. Exported for tests. */
export function applyEvent<Name extends StreamEventName>(name: Name, payload: StreamEvents[Name], url: string): void {
  connectionStore.heard();
  const event = { name, payload } as NamedEvent;
  switch (event.name) {
    case "snapshot":
      put(keys.cluster, received(event.payload.cluster));
      putLocks(lockSetOfSnapshot(event.payload, url), event.payload.total);
      // What happened while there was no stream is in no event.
      askAgain(new Set([keys.incidents]));
      return;
    case "locks":
      void mutate<LockSet>(keys.locks, (set) => noted(mergeLocks(set, event.payload, url)), { revalidate: false });
      askAgain(new Set([...event.payload.changed.map((lock) => lock.id), ...event.payload.removed].map(keys.lock)));
      return;
    case "cluster":
      put(keys.cluster, received(event.payload));
      return;
    case "action":
      void mutate<AuditList>(
        keys.audit,
        (list) => list && { entries: [event.payload, ...list.entries.filter(({ id }) => id !== event.payload.id)] },
        { revalidate: false },
      );
      return;
    case "incident":
      void mutate<IncidentList>(
        keys.incidents,
        (list) => list && { ...list, incidents: [event.payload, ...list.incidents.filter(isOther(event.payload))] },
        { revalidate: false },
      );
      return;
    case "ping":
      return;
    default:
      event satisfies never;
  }
}

type NamedEvent = {
  [Name in StreamEventName]: { readonly name: Name; readonly payload: StreamEvents[Name] };
}[StreamEventName];

async function poll(): Promise<void> {
  const { isPaged, place } = streamTarget;
  const path = isPaged ? `${place.list}&offset=${place.offset}&limit=${place.limit}` : null;
  const [cluster, list] = await Promise.all([
    request<Cluster>(keys.cluster),
    request<LockList>(path === null ? keys.locks : keys.lockPage(path)),
  ]);
  put(keys.cluster, received(cluster));
  const set = lockSetOfList(list, isPaged ? place : FIRST_PLACE);
  put(keys.locks, set);
  streamTarget.noteSize(sizeOf(set), LIST_LOCKS_MAX);
  connectionStore.heard();
}

function isOther({ id }: Incident): (incident: Incident) => boolean {
  return (incident) => incident.id !== id;
}

function putLocks(set: LockSet, total: number): void {
  put(keys.locks, set);
  streamTarget.noteSize(total, SNAPSHOT_LOCKS_MAX);
}

function noted(set: LockSet | undefined): LockSet | undefined {
  if (set !== undefined) streamTarget.noteSize(sizeOf(set), SNAPSHOT_LOCKS_MAX);
  return set;
}

/** Only a lock that is open on this page has a key in the cache; the thousands of others cost nothing. */
function askAgain(paths: ReadonlySet<string>): void {
  void mutate((key) => typeof key === "string" && paths.has(key));
}

function put(key: string, value: unknown): void {
  void mutate(key, value, { revalidate: false });
}
