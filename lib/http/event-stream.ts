import type { Runtime, StreamEvent } from "@/lib/runtime";
import { serverSentEvents } from "./stream";

/**
 * The event stream: a snapshot first, then differences.
 *
 * A reconnecting client is simply given a snapshot again, whatever its `Last-Event-ID`: that is never wrong, and needs no
 * memory of what each client has seen.
 *
 * @param signal fires when the client went away
 */
export function eventStream({ events, shutdownSignal }: Runtime, signal: AbortSignal): Response {
  return serverSentEvents({
    signal,
    shutdownSignal,
    async feed(send, ended) {
      // What happens while the snapshot is made comes after it, not before.
      let backlog: StreamEvent[] | null = [];
      const unsubscribe = events.subscribe((event) => {
        if (backlog === null) send(event);
        else backlog.push(event);
      });
      ended.addEventListener("abort", unsubscribe, { once: true });
      send({ name: "snapshot", data: await events.snapshot() });
      const missed = backlog;
      backlog = null;
      for (const event of missed) send(event);
    },
  });
}

/**
 * The event stream of the Quorum Lab: the run that is on or the last one, then what is added. A page that reads it is in the
 * audience until it goes away.
 */
export function labStream({ lab, shutdownSignal }: Runtime, signal: AbortSignal, viewer: string | null): Response {
  return serverSentEvents({
    signal,
    shutdownSignal,
    feed(send, ended) {
      ended.addEventListener("abort", lab.watch(viewer, send), { once: true });
    },
  });
}
