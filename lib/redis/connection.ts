import type { Redis, RedisOptions } from "ioredis";
import { SAFE_OPTIONS } from "./client-options";
import { DOWN_AFTER_MS } from "./condition";
import { connectionReason, hasAnswered, isSelectRefused, isServerError, serverWords } from "./connection-reason";
import { ConnectPauses, disconnected } from "./reconnecting";
import { SilenceWatch } from "./silence-watch";
import { type Argument, commandText, WireCommand } from "./wire";

/** What became of one command. */
export type Reply =
  | { readonly kind: "answer"; readonly value: unknown }
  /** The server refused; its own words. */
  | { readonly kind: "error"; readonly reason: string }
  /** There was no usable connection: certainly not executed. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** Sent, but the connection ended before the reply: executed or not, now or when a hung server wakes. */
  | { readonly kind: "lost"; readonly reason: string };

/** Sends one command; never rejects. */
export type Send = (command: string, ...args: readonly Argument[]) => Promise<Reply>;

export interface ConnectionSetup {
  /** Makes the ioredis client with these options on top of where the node is and how to log in. */
  readonly createClient: ClientFactory;
  /** A command unanswered for so long makes the connection silent, milliseconds. */
  readonly nodeTimeoutMs: number;
  /**
   * Talks on a fresh connection before anybody else may: what it sends is executed first. The connection opens when the server
   * has answered what is returned here; until then a hung server that merely accepts connections is not taken for alive.
   */
  greet(send: Send): Promise<Reply>;
  /** Called when the connection opens, ends, falls silent or is heard again. */
  onChange(): void;
  /** Called before a command is sent: what was asked for earlier and not written yet is to be sent first. */
  beforeSend?(): void;
}

export type ClientFactory = (options: RedisOptions) => Redis;

/** A command unanswered for so long ends the connection: TCP alone would wait a quarter of an hour for a vanished peer. */
const GIVE_UP_AFTER_MS = 5000;

const CLOSED = "connection closed by the server";

/**
 * One connection to one server that says at any moment whether it is any use, and what became of every command.
 *
 * Promises: a command is written at once or not at all, at most once, in the order of the calls; nothing rejects; it connects
 * again by itself for ever, at most about once a second.
 */
export class Connection {
  readonly #client: Redis;
  readonly #setup: ConnectionSetup;
  readonly #silence: SilenceWatch;
  #state: "connecting" | "greeting" | "open" | "closed" = "connecting";
  /** Counts connections, so that a late greeting of an earlier one cannot open a later one. */
  #epoch = 0;
  readonly #pauses = new ConnectPauses();
  /** Why there is no connection. */
  #lastFailure = "connecting";
  /** What has gone wrong on the present connection; it becomes the last failure when the connection ends. */
  #failure: string | null = null;
  #lastAnswerAt: number | null = null;

  constructor(setup: ConnectionSetup) {
    this.#setup = setup;
    this.#silence = new SilenceWatch({
      noticeAfterMs: [setup.nodeTimeoutMs, DOWN_AFTER_MS],
      giveUpAfterMs: GIVE_UP_AFTER_MS,
      onSilent: () => setup.onChange(),
      onGiveUp: (silentMs) => this.#drop(`silent for ${silentMs} ms`),
    });
    this.#client = setup.createClient({ ...SAFE_OPTIONS, retryStrategy: () => this.#pauses.nextMs() });
    // Without an `error` listener ioredis prints every failed attempt.
    this.#client.on("error", (error: unknown) => this.#failed(error));
    this.#client.on("connect", () => this.#silence.begin(HANDSHAKE));
    this.#client.on("ready", () => this.#ready());
    this.#client.on("close", () => this.#ended());
  }

  /** True when the server answers on this connection. Not said of one that is silent at the moment. */
  get isUsable(): boolean {
    return this.#state === "open" && this.#silence.silentForMs === 0;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Age of the oldest unanswered command once that is beyond the node time limit, else 0, milliseconds. */
  get silentForMs(): number {
    return this.#silence.silentForMs;
  }

  get hasUnanswered(): boolean {
    return this.#silence.hasUnanswered;
  }

  /** Monotonic, milliseconds; null before the first answer ever. */
  get lastAnswerAt(): number | null {
    return this.#lastAnswerAt;
  }

  /** Why it is not usable, in a few words. */
  get reason(): string {
    if (this.#state === "closed") return "closed";
    const silentMs = this.silentForMs;
    if (silentMs > 0) return `silent for ${Math.round(silentMs)} ms`;
    return this.#state === "greeting" ? "connected, not answered yet" : this.#lastFailure;
  }

  /** Sends a command if the connection is open, also when it is silent: then it waits in order behind what is unanswered. */
  readonly send: Send = async (command, ...args) => {
    this.#setup.beforeSend?.();
    if (this.#state !== "open") return { kind: "not_sent", reason: this.reason };
    return this.#write(command, args);
  };

  /** As `send`, with a text that is made already, see `wire.ts`. The key prefix is the caller's affair. */
  sendText(command: string, text: string, tell: (reply: Reply) => void): void {
    if (this.#state === "open") this.#writeText(command, text, tell);
    else tell({ kind: "not_sent", reason: this.reason });
  }

  /** What the client puts before every key. */
  get keyPrefix(): string {
    const { keyPrefix = "" } = this.#client.options;
    return String(keyPrefix);
  }

  /** What is sent within `sends` leaves in one write. */
  together<Result>(sends: () => Result): Result {
    const { stream } = this.#client;
    stream?.cork();
    try {
      return sends();
    } finally {
      stream?.uncork();
    }
  }

  /** Ends the connection for good; what is unanswered is lost. Resolves when the socket is closed, or after a second. */
  async close(): Promise<void> {
    if (this.#state === "closed") return;
    const wasOpen = this.#state === "open";
    this.#state = "closed";
    this.#silence.stop();
    const hasSocket = this.#client.status !== "end" && this.#client.status !== "reconnecting";
    this.#client.disconnect();
    if (!hasSocket) return;
    await disconnected(this.#client, wasOpen);
  }

  #write(command: string, args: readonly Argument[]): Promise<Reply> {
    return new Promise((resolve) => {
      if (this.keyPrefix === "") {
        this.#writeText(command, commandText(command, args), resolve);
        return;
      }
      const sent = this.#begin(resolve);
      if (sent === null) return;
      // ioredis knows which of the words are keys.
      this.#client.callBuffer(command, ...args).then(
        (value) => resolve(this.#answered(sent, { kind: "answer", value })),
        (error: unknown) => resolve(this.#refused(sent, error)),
      );
    });
  }

  #writeText(name: string, text: string, tell: (reply: Reply) => void): void {
    const sent = this.#begin(tell);
    if (sent === null) return;
    const command = new WireCommand(name, text, (value, error) =>
      tell(error === null ? this.#answered(sent, { kind: "answer", value }) : this.#refused(sent, error)),
    );
    void this.#client.sendCommand(command);
  }

  /** Expects an answer. @returns null when nothing can be written, which is told */
  #begin(tell: (reply: Reply) => void): object | null {
    if (this.#client.status !== "ready" || !this.#client.stream?.writable) {
      tell({ kind: "not_sent", reason: this.#lastFailure });
      return null;
    }
    const sent = {};
    this.#silence.begin(sent);
    return sent;
  }

  #refused(sent: object, error: unknown): Reply {
    if (isServerError(error)) return this.#answered(sent, { kind: "error", reason: serverWords(error) });
    this.#silence.end(sent);
    // ioredis says so before it tells that the connection has ended.
    const why = this.#state === "connecting" ? this.#lastFailure : (this.#failure ?? CLOSED);
    return { kind: "lost", reason: `connection lost before the reply: ${why}` };
  }

  #answered(sent: object, reply: Reply): Reply {
    const wasSilent = this.silentForMs > 0;
    this.#lastAnswerAt = performance.now();
    this.#silence.end(sent);
    if (wasSilent && this.silentForMs === 0) this.#setup.onChange();
    return reply;
  }

  #ready(): void {
    this.#silence.end(HANDSHAKE);
    // A failed SELECT does not keep ioredis from being ready.
    if (this.#state !== "connecting" || this.#failure !== null) return;
    this.#state = "greeting";
    this.#epoch += 1;
    const epoch = this.#epoch;
    const write: Send = async (command, ...args) =>
      epoch === this.#epoch ? this.#write(command, args) : { kind: "not_sent", reason: this.reason };
    void this.#setup.greet(write).then((reply) => {
      if (!hasAnswered(reply) || epoch !== this.#epoch || this.#state !== "greeting") return;
      this.#state = "open";
      this.#pauses.reset();
      this.#setup.onChange();
    });
  }

  #failed(error: unknown): void {
    this.#failure = connectionReason(error);
    // ioredis goes on in database 0 when SELECT is refused: locks would land where nobody looks for them.
    if (isSelectRefused(error)) this.#drop(`the database could not be selected: ${serverWords(error)}`);
  }

  /** Ends this connection; ioredis makes the next one. */
  #drop(why: string): void {
    this.#failure = why;
    // Not `disconnect`, which would wait for the other side to close. The kernel still delivers what was written.
    this.#client.stream?.destroy();
  }

  #ended(): void {
    this.#silence.clear();
    this.#epoch += 1;
    this.#lastFailure = this.#failure ?? CLOSED;
    this.#failure = null;
    if (this.#state === "closed") return;
    this.#state = "connecting";
    this.#setup.onChange();
  }
}

/** Stands for ioredis' own AUTH and SELECT among the unanswered commands. */
const HANDSHAKE = {};
