import { type ClientFactory, Connection, type Reply, type Send } from "./connection";
import { HANDED_CHANNEL } from "./queue-scripts";

type Heard = (round: number | null) => void;

/** A subscription of which nothing was heard for so long is asked whether it lives, milliseconds. */
const QUIET_MS = 1000;

/**
 * Hears which keys were handed to the waiters of this process on one node. One connection for all of them, opened by the first.
 *
 * What is published while there is no connection is lost: whoever listens is told so when it is back, and looks by itself.
 */
export class HandOverListener {
  readonly #setup: { readonly createClient: ClientFactory; readonly nodeTimeoutMs: number };
  readonly #listeners = new Map<string, Heard>();
  readonly #channels = new Set<string>();
  #connection: Connection | null = null;
  #wasOpen = false;
  /** Monotonic; when something was published. */
  #toldAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(setup: { readonly createClient: ClientFactory; readonly nodeTimeoutMs: number }) {
    this.#setup = setup;
  }

  /** @returns ends it */
  listen(waiter: string, heard: Heard): () => void {
    if (this.#isClosed) return () => {};
    this.#listeners.set(waiter, heard);
    const channel = `${HANDED_CHANNEL}:${waiter.split("-", 1)[0]}`;
    const isNew = !this.#channels.has(channel);
    this.#channels.add(channel);
    const connection = this.#connection;
    if (connection === null) this.#connection = this.#open();
    else if (isNew) void this.#subscribe(connection.send, [channel]).then(() => this.#tellAll());
    else this.#lookAfter(connection);
    return () => this.#listeners.delete(waiter);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    await this.#connection?.close();
  }

  #open(): Connection {
    return new Connection({
      createClient: (safe) => {
        const client = this.#setup.createClient(safe);
        client.on("message", (_channel: unknown, message: unknown) => this.#heard(String(message)));
        return client;
      },
      nodeTimeoutMs: this.#setup.nodeTimeoutMs,
      greet: (send) => this.#subscribe(send, [...this.#channels]),
      onChange: () => this.#changed(),
    });
  }

  /** In lower case: ioredis knows `subscribe` and `ping` by these only. */
  #subscribe(send: Send, channels: readonly string[]): Promise<Reply> {
    return send("subscribe", ...channels);
  }

  #changed(): void {
    const isOpen = this.#connection?.isOpen ?? false;
    if (isOpen && !this.#wasOpen) this.#tellAll();
    this.#wasOpen = isOpen;
  }

  #tellAll(): void {
    for (const heard of [...this.#listeners.values()]) heard(null);
  }

  #heard(message: string): void {
    this.#toldAt = performance.now();
    const [waiter = "", round] = message.split(" ");
    this.#listeners.get(waiter)?.(Number(round));
  }

  /** A peer that vanished tells nothing, and nothing is sent here that would show it. */
  #lookAfter(connection: Connection): void {
    const isQuiet = performance.now() - Math.max(this.#toldAt, connection.lastAnswerAt ?? 0) > QUIET_MS;
    if (isQuiet && !connection.hasUnanswered) void connection.send("ping");
  }
}
