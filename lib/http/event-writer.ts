import type { StreamEvent } from "@/lib/runtime";

/** A browser that lost the stream comes back after so long, milliseconds. */
const RETRY_MS = 1000;
/** A client that lets so many bytes pile up is dropped: it comes back and gets a snapshot, which is less to read. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024;
/** From so many bytes on a client counts as behind. */
const BEHIND_BYTES = 64 * 1024;

/** Of a stream of server-sent events. */
export const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Writes events to one client until it leaves or lets too much pile up. */
export interface EventWriter {
  send(text: string): void;
  sendEvent(event: StreamEvent): void;
  /** The client has not read yet what it was sent. */
  readonly isBehind: boolean;
  /** Calls back once, when nothing can be sent any more. */
  onEnd(listener: () => void): void;
}

/** The same difference goes to many tabs; it is spelled once. */
const spelled = new WeakMap<object, string>();

/**
 * A body of server-sent events.
 *
 * @param leaving fires when the client or the console goes away
 * @param begin starts writing; what it throws ends the stream
 */
export function eventWriter(
  leaving: AbortSignal,
  begin: (writer: EventWriter) => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const listeners: (() => void)[] = [];
  let isEnded = false;
  let end = (): void => undefined;
  return new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        end = () => {
          if (isEnded) return;
          isEnded = true;
          leaving.removeEventListener("abort", end);
          for (const listener of listeners.splice(0)) listener();
          closeQuietly(controller);
        };
        const free = () => controller.desiredSize ?? 0;
        const send = (text: string): void => {
          // A closed or overfull stream takes nothing more.
          if (isEnded || free() <= 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        let nextId = 1;
        leaving.addEventListener("abort", end);
        if (leaving.aborted) {
          end();
          return;
        }
        send(`retry: ${RETRY_MS}\n\n`);
        await begin({
          send,
          sendEvent({ name, data }) {
            const text = spelled.get(data) ?? JSON.stringify(data);
            spelled.set(data, text);
            send(`id: ${nextId}\nevent: ${name}\ndata: ${text}\n\n`);
            nextId += 1;
          },
          get isBehind() {
            return free() < BACKLOG_BYTES_MAX - BEHIND_BYTES;
          },
          onEnd(listener) {
            if (isEnded) listener();
            else listeners.push(listener);
          },
        });
      },
      cancel() {
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BACKLOG_BYTES_MAX }),
  );
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The client closed it first.
  }
}
