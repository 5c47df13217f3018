import { dependsOnTime, type EventsQuery, STREAM_PING_MS } from "@/lib/contract";
import type { Runtime, StreamEvent } from "@/lib/runtime";
import { type EventWriter, eventWriter, HEADERS } from "./event-writer";

/** Differences of a page are told so often at most, milliseconds: soon enough to look immediate, seldom enough to be drawn. */
const PAGE_MS = 100;
/** A page whose filter comes true by waiting is looked at so often, milliseconds. */
const PAGE_TIMED_MS = 1000;

/**
 * The event stream: a snapshot first, then differences, a ping at least every `STREAM_PING_MS`; of every lock, or, with a `limit` in
 * the query, of what one page shows.
 *
 * A reconnecting client is simply given a snapshot again, whatever its `Last-Event-ID`: that is never wrong, and needs no
 * memory of what each client has seen.
 *
 * @param signal fires when the client went away
 */
export function eventStream({ events, shutdownSignal }: Runtime, query: EventsQuery, signal: AbortSignal): Response {
  const leaving = AbortSignal.any([signal, shutdownSignal]);
  const stream = eventWriter(leaving, async (writer) => {
    const { limit } = query;
    const page = limit === undefined ? null : events.follow({ ...query, limit });
    const tellPage = page === null ? null : throttled(writer, () => page.next(), dependsOnTime(query.q));
    // What happens while the snapshot is made comes after it, not before.
    let backlog: StreamEvent[] | null = [];
    const tell = (event: StreamEvent): void => {
      if (event.name === "locks" && tellPage !== null) tellPage();
      else writer.sendEvent(event);
    };
    const unsubscribe = events.subscribe((event) => {
      if (backlog === null) tell(event);
      else backlog.push(event);
    });
    const pings = setInterval(() => {
      writer.send(": ping\n");
      writer.sendEvent({ name: "ping", data: { readAt: Date.now() } });
    }, STREAM_PING_MS);
    writer.onEnd(() => {
      clearInterval(pings);
      unsubscribe();
    });
    writer.sendEvent({ name: "snapshot", data: await events.snapshot(page) });
    const missed = backlog;
    backlog = null;
    for (const event of missed) tell(event);
  });
  return new Response(stream, { headers: HEADERS });
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
    if (data !== null) writer.sendEvent({ name: "locks", data });
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
