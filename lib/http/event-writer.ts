import { STREAM_PING_MS } from "@/lib/contract";

/** A browser that lost the stream comes back after so long, milliseconds. */
const RETRY_MS = 1000;
/** A client that lets so many bytes pile up is dropped: it comes back and gets a snapshot, which is less to read. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024;
/** From so many bytes on a client counts as behind. */
const BEHIND_BYTES = 64 * 1024;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Writes events to one client until it leaves or lets too much pile up. */
export interface EventWriter {
  send(event: { readonly name: string; readonly data: object }): void;
  /** The client has not read yet what it was sent. */
  readonly isBehind: boolean;
  /** Calls back once, when nothing can be sent any more. */
  onEnd(listener: () => void): void;
}

/** The same difference goes to many tabs: it is spelled once, with its number, and they share the bytes. */
const spelled = new WeakMap<object, { readonly name: string; readonly bytes: Uint8Array }>();
const encoder = new TextEncoder();
let nextId = 1;
const PING = encoder.encode(": ping\n");

/**
 * Server-sent events, with a ping at least every `STREAM_PING_MS`.
 *
 * @param leaving each fires when the client or the console goes away
 * @param begin starts writing; what it throws ends the stream
 */
export function serverSentEvents(
  leaving: readonly AbortSignal[],
  begin: (writer: EventWriter) => Promise<void>,
): Response {
  const gone = AbortSignal.any([...leaving]);
  const listeners: (() => void)[] = [];
  let isEnded = false;
  let end = (): void => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        end = () => {
          if (isEnded) return;
          isEnded = true;
          gone.removeEventListener("abort", end);
          for (const listener of listeners.splice(0)) listener();
          closeQuietly(controller);
        };
        const free = () => controller.desiredSize ?? 0;
        const send = (bytes: Uint8Array): void => {
          // A closed or overfull stream takes nothing more.
          if (isEnded || free() <= 0) end();
          else controller.enqueue(bytes);
        };
        gone.addEventListener("abort", end);
        if (gone.aborted) {
          end();
          return;
        }
        send(encoder.encode(`retry: ${RETRY_MS}\n\n`));
        const writer = writerOf(send, { free, listeners, isEnded: () => isEnded });
        writer.onEnd(startPings(send, writer));
        await begin(writer);
      },
      cancel() {
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BACKLOG_BYTES_MAX }),
  );
  return new Response(body, { headers: HEADERS });
}

/** What HEAD answers where GET is a stream: Next would answer with one that nobody reads. */
export function streamHead(): Response {
  return new Response(null, { headers: { "content-type": HEADERS["content-type"] } });
}

interface Body {
  free(): number;
  readonly listeners: (() => void)[];
  isEnded(): boolean;
}

function writerOf(send: (bytes: Uint8Array) => void, { free, listeners, isEnded }: Body): EventWriter {
  return {
    send({ name, data }) {
      send(bytesOf(name, data));
    },
    get isBehind() {
      return free() < BACKLOG_BYTES_MAX - BEHIND_BYTES;
    },
    onEnd(listener) {
      if (isEnded()) listener();
      else listeners.push(listener);
    },
  };
}

function bytesOf(name: string, data: object): Uint8Array {
  const known = spelled.get(data);
  if (known?.name === name) return known.bytes;
  const bytes = encoder.encode(`id: ${nextId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  nextId += 1;
  spelled.set(data, { name, bytes });
  return bytes;
}

/** @returns ends them */
function startPings(send: (bytes: Uint8Array) => void, writer: EventWriter): () => void {
  const pings = setInterval(() => {
    send(PING);
    writer.send({ name: "ping", data: { readAt: Date.now() } });
  }, STREAM_PING_MS);
  return () => clearInterval(pings);
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The client closed it first.
  }
}
