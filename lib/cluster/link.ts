import { connect, createServer, type Server, type Socket } from "node:net";
import { Flow, type Valve } from "./flow";
import { withToldTime } from "./told-time";

/** How much later a reply arrives over a slow link, milliseconds: felt, but within the usual time limit of a node (50). */
export const SLOW_REPLY_MS = 30;

const LISTEN_ATTEMPTS = 20;
const LISTEN_AGAIN_MS = 50;

export type LinkMode = "open" | "slow" | "partitioned";

/**
 * The way from the console to one node, through which it can be slowed or cut.
 *
 * open: bytes pass. slow: each piece of a reply is SLOW_REPLY_MS late. partitioned: bytes are held in both directions and new
 * connections are accepted but silent; when it opens again everything held arrives, late and in order, as on a real network.
 */
export class Link {
  /** Port the console connects to. */
  readonly port: number;
  readonly #target: number;
  readonly #pairs = new Set<{ start(): void; review(): void; end(): void }>();
  /** Null while connections are refused. */
  #server: Promise<Server> | null = null;
  #mode: LinkMode = "open";
  #holdsReplies = false;
  #requestDelayMs = 0;
  #toldAheadMs = 0;

  /** @param target port of the node on 127.0.0.1 */
  constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  get mode(): LinkMode {
    return this.#mode;
  }

  setMode(mode: LinkMode): void {
    this.#mode = mode;
    for (const pair of this.#pairs) {
      if (mode !== "partitioned") pair.start();
      pair.review();
    }
  }

  /** Whether replies wait while requests pass: the node does what it is told, and is not heard. */
  holdReplies(isHeld: boolean): void {
    this.#holdsReplies = isHeld;
    for (const pair of this.#pairs) pair.review();
  }

  /** How late each piece of a request arrives, milliseconds: how far away the node is. */
  delayRequests(ms: number): void {
    this.#requestDelayMs = ms;
  }

  /** By how much answers to TIME are moved: to whoever asks the node over this link, its clock seems to be wrong. */
  moveTime(aheadMs: number): void {
    this.#toldAheadMs = aheadMs;
  }

  /**
   * Accepts connections from now on.
   *
   * @throws Error when the port is taken
   */
  async listen(): Promise<void> {
    this.#server ??= this.#listen();
    const server = this.#server;
    try {
      await server;
    } catch (error) {
      if (this.#server === server) this.#server = null;
      throw error;
    }
  }

  /** Refuses new connections, as a host does on which nothing listens; existing ones end when the node ends them. */
  refuse(): void {
    this.#server?.then(
      (server) => server.close(),
      () => {}, // It never listened; whoever asked for it was told.
    );
    this.#server = null;
  }

  close(): void {
    this.refuse();
    for (const pair of [...this.#pairs]) pair.end();
  }

  async #listen(): Promise<Server> {
    // After a refusal the port may still be in somebody's hands for a moment.
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await listening(this.port, (client) => this.#accept(client));
      } catch (cause) {
        if (attempt === LISTEN_ATTEMPTS) {
          throw new Error(`The link to an embedded node cannot listen on port ${this.port}: it is taken.`, { cause });
        }
        await new Promise((resolve) => setTimeout(resolve, LISTEN_AGAIN_MS));
      }
    }
  }

  #accept(client: Socket): void {
    const requests: Valve = { isHeld: () => this.#mode === "partitioned", delayMs: () => this.#requestDelayMs };
    const isHeld = (): boolean => requests.isHeld() || this.#holdsReplies;
    const replies: Valve = {
      isHeld,
      delayMs: () => (this.#mode === "slow" ? SLOW_REPLY_MS : 0),
      rewrite: (bytes) => withToldTime(bytes, this.#toldAheadMs),
    };
    client.pause();
    client.setNoDelay(true);
    let flows: readonly Flow[] = [];
    let upstream: Socket | null = null;
    const pair = {
      start: () => {
        if (upstream !== null) return;
        upstream = connect({ port: this.#target, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
        flows = [new Flow(client, upstream, requests), new Flow(upstream, client, replies)];
        // Refused, or reset by the node: pass it on as what it is.
        upstream.on("error", () => client.resetAndDestroy());
        upstream.on("close", () => client.destroyed && pair.end());
        for (const flow of flows) flow.review();
      },
      review: () => {
        for (const flow of flows) flow.review();
      },
      end: () => {
        this.#pairs.delete(pair);
        for (const flow of flows) flow.stop();
        client.destroy();
        upstream?.destroy();
      },
    };
    this.#pairs.add(pair);
    client.on("error", () => upstream?.resetAndDestroy());
    client.on("close", () => (upstream === null || upstream.destroyed) && pair.end());
    if (this.#mode !== "partitioned") pair.start();
  }
}

function listening(port: number, onConnection: (client: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onConnection);
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.removeListener("error", reject);
      // The cluster alone does not keep a process alive.
      server.unref();
      resolve(server);
    });
  });
}
