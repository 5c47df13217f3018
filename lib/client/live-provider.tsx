"use client";

import { type ReactNode, useEffect } from "react";
import { mutate, SWRConfig } from "swr";
import type {
  AuditList,
  Cluster,
  Incident,
  IncidentList,
  LockList,
  StreamEventName,
  StreamEvents,
} from "@/lib/contract";
import { connectionStore } from "./connection";
import { keys } from "./keys";
import { LiveStream } from "./live-stream";
import { type LockSet, lockSetOfList, lockSetOfSnapshot, mergeLocks } from "./lock-set";
import { received } from "./received";
import { request } from "./request";

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

/** The stream brings what changes; asking again on focus or remount would only race with it. */
const SWR_OPTIONS = { revalidateOnFocus: false, revalidateOnReconnect: false, errorRetryInterval: 3000 } as const;

/** Feeds every hook below it from one event stream, or by polling where the stream does not come through. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  useEffect(feed, []);
  return <SWRConfig value={SWR_OPTIONS}>{children}</SWRConfig>;
}

function feed(): () => void {
  const stream = new LiveStream<StreamEvents>({
    url: keys.events,
    names: EVENT_NAMES,
    onEvent: applyEvent,
    onState: (state) => connectionStore.enter(state),
    poll,
  });
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
    stream.rest();
  };
}

/** Puts one event of the stream where the hooks look. Exported for tests. */
export function applyEvent<Name extends StreamEventName>(name: Name, payload: StreamEvents[Name]): void {
  connectionStore.heard();
  const event = { name, payload } as NamedEvent;
  switch (event.name) {
    case "snapshot":
      put(keys.cluster, received(event.payload.cluster));
      put(keys.locks, lockSetOfSnapshot(event.payload));
      // What happened while there was no stream is in no event.
      askAgain(new Set([keys.incidents]));
      return;
    case "locks":
      void mutate<LockSet>(keys.locks, (set) => mergeLocks(set, event.payload), { revalidate: false });
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
  const [cluster, locks] = await Promise.all([request<Cluster>(keys.cluster), request<LockList>(keys.locks)]);
  put(keys.cluster, received(cluster));
  put(keys.locks, lockSetOfList(locks));
  connectionStore.heard();
}

function isOther({ id }: Incident): (incident: Incident) => boolean {
  return (incident) => incident.id !== id;
}

/** Only a lock that is open on this page has a key in the cache; the thousands of others cost nothing. */
function askAgain(paths: ReadonlySet<string>): void {
  void mutate((key) => typeof key === "string" && paths.has(key));
}

function put(key: string, value: unknown): void {
  void mutate(key, value, { revalidate: false });
}
