import { STREAM_PING_MS } from "@/lib/contract";

/** A browser that lost the stream comes back after so long, milliseconds. */
const RETRY_MS = 1000;
/** A client that lets so many bytes pile up is dropped: it comes back and gets everything from the beginning, which is less to read. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

export interface StreamOptions {
  /** Fires when the client went away. */
  readonly signal: AbortSignal;
  /** Fires when the console ends. */
  readonly shutdownSignal: AbortSignal;
  /** Sends events until `ended` fires; what it throws breaks the stream. */
  readonly feed: (
    send: (event: { readonly name: string; readonly data: unknown }) => void,
    ended: AbortSignal,
  ) => void | Promise<void>;
}

/** Server-sent events with a ping at least every `STREAM_PING_MS`. */
export function serverSentEvents({ signal, shutdownSignal, feed }: StreamOptions): Response {
  const encoder = new TextEncoder();
  const ending = new AbortController();
  let nextId = 1;
  let end = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const sendText = (text: string): void => {
          // A closed or overfull stream takes nothing more.
          if ((controller.desiredSize ?? 0) <= 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        const send = ({ name, data }: { readonly name: string; readonly data: unknown }): void => {
          sendText(`id: ${nextId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
          nextId += 1;
        };
        const pings = setInterval(() => {
          sendText(": ping\n");
          send({ name: "ping", data: { readAt: Date.now() } });
        }, STREAM_PING_MS);
        end = () => {
          if (ending.signal.aborted) return;
          ending.abort();
          clearInterval(pings);
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
        sendText(`retry: ${RETRY_MS}\n\n`);
        await feed(send, ending.signal);
      },
      cancel() {
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BACKLOG_BYTES_MAX }),
  );
  return new Response(stream, { headers: HEADERS });
}

/** What HEAD answers where GET is a stream: Next would answer with one that nobody reads. */
export function streamHead(): Response {
  return new Response(null, { headers: { "content-type": HEADERS["content-type"] } });
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The client closed it first.
  }
}
