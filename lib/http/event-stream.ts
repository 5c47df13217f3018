import { STREAM_PING_MS } from "@/lib/contract";
import type { Runtime, StreamEvent } from "@/lib/runtime";

/** A browser that lost the stream comes back after so long, milliseconds. */
const RETRY_MS = 1000;
/** A client that lets so many bytes pile up is dropped: it comes back and gets a snapshot, which is less to read. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * The event stream: a snapshot first, then differences, a ping at least every `STREAM_PING_MS`.
 *
 * A reconnecting client is simply given a snapshot again, whatever its `Last-Event-ID`: that is never wrong, and needs no
 * memory of what each client has seen.
 *
 * @param signal fires when the client went away
 */
export function eventStream({ events, shutdownSignal }: Runtime, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let nextId = 1;
  let end = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const send = (text: string): void => {
          // A closed or overfull stream takes nothing more.
          if ((controller.desiredSize ?? 0) <= 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        const sendEvent = ({ name, data }: StreamEvent): void => {
          send(`id: ${nextId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
          nextId += 1;
        };
        // What happens while the snapshot is made comes after it, not before.
        let backlog: StreamEvent[] | null = [];
        const unsubscribe = events.subscribe((event) => {
          if (backlog === null) sendEvent(event);
          else backlog.push(event);
        });
        const pings = setInterval(() => {
          send(": ping\n");
          sendEvent({ name: "ping", data: { readAt: Date.now() } });
        }, STREAM_PING_MS);
        let isEnded = false;
        end = () => {
          if (isEnded) return;
          isEnded = true;
          clearInterval(pings);
          unsubscribe();
          signal.removeEventListener("abort", end);
          shutdownSignal.removeEventListener("abort", end);
          closeQuietly(controller);
        };
        signal.addEventListener("abort", end);
        shutdownSignal.addEventListener("abort", end);
        if (signal.aborted || shutdownSignal.aborted) {
          end();
          return;
        }
        send(`retry: ${RETRY_MS}\n\n`);
        sendEvent({ name: "snapshot", data: await events.snapshot() });
        const missed = backlog;
        backlog = null;
        for (const event of missed) sendEvent(event);
      },
      cancel() {
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BACKLOG_BYTES_MAX }),
  );
  return new Response(stream, { headers: HEADERS });
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The client closed it first.
  }
}
