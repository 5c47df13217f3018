import { type ClientFactory, Connection, type Reply, type Send } from "./connection";
import { resourceOf } from "./key-bytes";

/** What a feed of changes tells. */
export interface ChangeListener {
  /** From now on every change is told. What was read before may be old: read it again. */
  armed(): void;
  /** These keys changed, whatever their database; null: all of them may have (FLUSHALL, FLUSHDB). */
  changed(resources: readonly string[] | null): void;
  /**
   * Changes are not told any more.
   * @param isRefused the server will not: the feed has ended. Otherwise it connects again by itself.
   */
  lost(reason: string, isRefused: boolean): void;
}

/** A feed of the changes on one master. */
export interface ChangeFeed {
  /** Resolves to true when everything that changed before the call was told; to false when that cannot be known in time. */
  fence(): Promise<boolean>;
  close(): Promise<void>;
}

export interface TrackingSetup {
  readonly createClient: ClientFactory;
  /** Milliseconds. */
  readonly nodeTimeoutMs: number;
  /** Keys that begin with one of these are told of; none of them may begin with another. None: every key. */
  readonly prefixes: readonly string[];
  readonly listener: ChangeListener;
}

/** Where a server tells a RESP2 connection of changes. */
const CHANNEL = "__redis__:invalidate";

/**
 * The changes on one master by `CLIENT TRACKING … BCAST`, on a connection of its own that redirects to itself.
 *
 * So there is no second connection whose death the first would not notice, and the answer to a ping proves that what changed before
 * was told. RESP2, because ioredis 6 drops the pushes of RESP3. After the connection was lost it connects and arms itself again.
 */
export class Tracking implements ChangeFeed {
  readonly #setup: TrackingSetup;
  readonly #connection: Connection;
  #isArmed = false;
  #refusal: string | null = null;
  #isClosed = false;
  /** Counts armings, so that a fence cannot span two. */
  #epoch = 0;

  constructor(setup: TrackingSetup) {
    this.#setup = setup;
    this.#connection = new Connection({
      createClient: (safe) => {
        const client = setup.createClient(safe);
        client.on("messageBuffer", (_channel: unknown, message: unknown) => this.#heard(message));
        return client;
      },
      nodeTimeoutMs: setup.nodeTimeoutMs,
      greet: (send) => this.#arm(send),
      onChange: () => this.#review(),
    });
  }

  async fence(): Promise<boolean> {
    const epoch = this.#epoch;
    // The server tells of changes before it waits for the next requests, so perhaps just after the answer to the first ping.
    for (let ping = 0; ping < 2; ping += 1) {
      if (!this.#isArmed || this.#epoch !== epoch) return false;
      const reply = await this.#connection.send("ping");
      if (reply.kind !== "answer") return false;
    }
    return this.#isArmed && this.#epoch === epoch;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isArmed = false;
    await this.#connection.close();
  }

  /** Names in lower case: ioredis knows `subscribe` and `ping` by these only. */
  async #arm(send: Send): Promise<Reply> {
    this.#refusal = null;
    const id = await send("client", "ID");
    if (id.kind !== "answer") return this.#unarmed(id, "CLIENT ID");
    const prefixes = this.#setup.prefixes.flatMap((prefix) => ["PREFIX", prefix]);
    const tracking = await send("client", "TRACKING", "ON", "REDIRECT", Number(id.value), "BCAST", ...prefixes);
    if (tracking.kind !== "answer") return this.#unarmed(tracking, "CLIENT TRACKING");
    const subscribed = await send("subscribe", CHANNEL);
    return subscribed.kind === "answer" ? subscribed : this.#unarmed(subscribed, `SUBSCRIBE ${CHANNEL}`);
  }

  #unarmed(reply: Reply, command: string): Reply {
    if (reply.kind === "error") this.#refusal = `${command} is refused: ${reply.reason}`;
    return reply;
  }

  #review(): void {
    if (this.#isClosed) return;
    if (this.#refusal !== null) {
      const reason = this.#refusal;
      void this.close();
      this.#setup.listener.lost(reason, true);
    } else if (this.#connection.isOpen && !this.#isArmed) {
      this.#isArmed = true;
      this.#epoch += 1;
      this.#setup.listener.armed();
    } else if (!this.#connection.isOpen) {
      this.#isArmed = false;
      this.#setup.listener.lost(this.#connection.reason, false);
    }
  }

  #heard(message: unknown): void {
    if (!this.#isArmed) return;
    if (message === null) this.#setup.listener.changed(null);
    // Anything else was published by somebody to this channel, and is not the server's word.
    if (!Array.isArray(message)) return;
    this.#setup.listener.changed(message.filter((key) => key instanceof Buffer).map(resourceOf));
  }
}
