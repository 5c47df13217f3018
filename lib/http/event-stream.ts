import { dependsOnTime, type EventsQuery } from "@/lib/contract";
import type { Runtime, StreamEvent } from "@/lib/runtime";
import { type EventWriter, serverSentEvents } from "./event-writer";

/** Differences of a page are told so often at most, milliseconds: soon enough to look immediate, seldom enough to be drawn. */
const PAGE_MS = 100;
/** A page whose filter comes true by waiting is looked at so often, milliseconds. */
const PAGE_TIMED_MS = 1000;

/**
 * The event stream: a snapshot first, then differences; of every lock, or, with a `limit` in the query, of what one page shows.
 *
 * A reconnecting client is simply given a snapshot again, whatever its `Last-Event-ID`: that is never wrong, and needs no
 * memory of what each client has seen.
 *
 * @param signal fires when the client went away
 */
export function eventStream({ events, shutdownSignal }: Runtime, query: EventsQuery, signal: AbortSignal): Response {
  return serverSentEvents([signal, shutdownSignal], async (writer) => {
    const { limit } = query;
    const page = limit === undefined ? null : events.follow({ ...query, limit });
    const tellPage = page === null ? null : throttled(writer, () => page.next(), dependsOnTime(query.q));
    // What happens while the snapshot is made comes after it, not before.
    let backlog: StreamEvent[] | null = [];
    const tell = (event: StreamEvent): void => {
      if (event.name === "locks" && tellPage !== null) tellPage();
      else writer.send(event);
    };
    const unsubscribe = events.subscribe((event) => {
      if (backlog === null) tell(event);
      else backlog.push(event);
    });
    writer.onEnd(unsubscribe);
    writer.send({ name: "snapshot", data: await events.snapshot(page) });
    const missed = backlog;
    backlog = null;
    for (const event of missed) tell(event);
  });
}

/**
 * The event stream of the Quorum Lab: the run that is on or the last one, then what is added. A page that reads it is in the
 * audience until it goes away.
 */
export function labStream({ lab, shutdownSignal }: Runtime, signal: AbortSignal, viewer: string | null): Response {
  return serverSentEvents([signal, shutdownSignal], async (writer) => {
    writer.onEnd(lab.watch(viewer, (event) => writer.send(event)));
  });
}

type Locks = Extract<StreamEvent, { readonly name: "locks" }>["data"];

/**
 * Tells a page what changed, soon after it did and never faster than it reads: while the client is behind nothing is put into its
 * queue, and what it missed is one difference afterwards.
 *
 * @returns to be called after each change
 */
function throttled(writer: EventWriter, next: () => Locks | null, isTimed: boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    timer = null;
    lastAt = performance.now();
    if (writer.isBehind) {
      later();
      return;
    }
    const data = next();
    if (data !== null) writer.send({ name: "locks", data });
  };
  const later = (): void => {
    timer ??= setTimeout(look, Math.max(0, lastAt + PAGE_MS - performance.now()));
  };
  const ticks = isTimed ? setInterval(later, PAGE_TIMED_MS) : undefined;
  writer.onEnd(() => {
    if (timer !== null) clearTimeout(timer);
    clearInterval(ticks);
  });
  return later;
}
