import { connect, createServer, type Server, type Socket } from "node:net";
import type { Direction } from "./plan";

type Way = Exclude<Direction, "both">;

/** Bytes on their way in one direction; null stands for the end of the stream. */
interface Lane {
  readonly to: Socket;
  queue: { readonly dueAt: number; readonly bytes: Buffer | null }[];
  timer: NodeJS.Timeout | null;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly lanes: Readonly<Record<Way, Lane>>;
  /** Bytes of it were lost, so it must not carry any more: a stream never continues behind a gap. */
  isTorn: boolean;
  /** Requests sent after the first reply stay behind, on this connection only. */
  isHeldAfterReply: boolean;
  isHeld: boolean;
}

/**
 * The way from one worker to one node, with the faults of a network in it.
 *
 * hold: bytes wait and arrive later, in order. hole: bytes vanish while the sockets stay open; a connection that lost some is reset
 * when the hole is healed, as TCP gives up in the end. delay: each piece is late. reset: connections break.
 */
export class FaultLink {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #held = { requests: false, replies: false };
  readonly #lost = { requests: false, replies: false };
  #delayMs = 0;
  #isArmed = false;
  #target: number;

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    this.#target = target;
  }

  /** @param target port of the node on 127.0.0.1 */
  static async start(target: number): Promise<FaultLink> {
    let accept: (client: Socket) => void = () => {};
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => accept(client));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const link = new FaultLink(server, address.port, target);
    accept = (client) => link.#accept(client);
    return link;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  hold(direction: Direction): void {
    for (const way of waysOf(direction)) this.#held[way] = true;
  }

  hole(direction: Direction): void {
    for (const way of waysOf(direction)) this.#lost[way] = true;
  }

  delay(ms: number): void {
    this.#delayMs = ms;
  }

  reset(): void {
    for (const pair of this.#pairs) tear(pair);
  }

  /** Another server takes the address over, as after a failover: connections break, and new ones lead to it. */
  retarget(port: number): void {
    this.#target = port;
    this.reset();
  }

  /** From now on each present connection lets the next reply pass and then keeps all requests that follow it. */
  holdRequestsAfterReply(): void {
    this.#isArmed = true;
    for (const pair of this.#pairs) pair.isHeldAfterReply = true;
  }

  /** The client loses its present connections; the server is not told, and what is held for it stays held. */
  cutClients(): void {
    this.#isArmed = false;
    for (const pair of this.#pairs) {
      pair.isHeldAfterReply = false;
      pair.client.destroy();
    }
  }

  /** Everything is well again, and what was held arrives. */
  heal(): void {
    this.#delayMs = 0;
    for (const way of waysOf("both")) {
      this.#held[way] = false;
      this.#lost[way] = false;
    }
    for (const pair of [...this.#pairs]) {
      pair.isHeld = false;
      pair.isHeldAfterReply = false;
      if (pair.isTorn) tear(pair);
      else for (const way of waysOf("both")) this.#pump(pair, way);
    }
  }

  close(): void {
    this.#server.close();
    for (const pair of [...this.#pairs]) tear(pair);
  }

  #accept(client: Socket): void {
    const server = connect({ port: this.#target, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const lane = (to: Socket): Lane => ({ to, queue: [], timer: null });
    const pair: Pair = {
      client,
      server,
      lanes: { requests: lane(server), replies: lane(client) },
      isTorn: false,
      isHeldAfterReply: this.#isArmed,
      isHeld: false,
    };
    this.#pairs.add(pair);
    const carry = (from: Socket, way: Way): void => {
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) this.#take(pair, way, null);
        hasEnded = true;
      };
      from.on("data", (bytes: Buffer) => this.#take(pair, way, bytes));
      from.on("end", end);
      from.on("close", () => {
        end();
        if (client.destroyed && server.destroyed) this.#pairs.delete(pair);
      });
    };
    carry(client, "requests");
    carry(server, "replies");
    client.on("error", () => {
      // A reset is one of the faults; the close that follows is passed on.
    });
    // Refused, or reset by the node: passed on as what it is.
    server.on("error", () => client.resetAndDestroy());
  }

  #take(pair: Pair, way: Way, bytes: Buffer | null): void {
    if (this.#lost[way]) {
      pair.isTorn = true;
      return;
    }
    pair.lanes[way].queue.push({ dueAt: performance.now() + this.#delayMs, bytes });
    this.#pump(pair, way);
    if (way === "replies" && bytes !== null && pair.isHeldAfterReply) pair.isHeld = true;
  }

  #pump(pair: Pair, way: Way): void {
    const lane = pair.lanes[way];
    if (this.#held[way] || (way === "requests" && pair.isHeld)) return;
    for (let next = lane.queue[0]; next !== undefined; next = lane.queue[0]) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) {
        lane.timer ??= setTimeout(() => {
          lane.timer = null;
          this.#pump(pair, way);
        }, waitMs);
        return;
      }
      lane.queue.shift();
      if (next.bytes === null) lane.to.end();
      else if (lane.to.writable) lane.to.write(next.bytes);
    }
  }
}

function waysOf(direction: Direction): readonly Way[] {
  return direction === "both" ? ["requests", "replies"] : [direction];
}

function tear({ client, server, lanes }: Pair): void {
  for (const { timer } of [lanes.requests, lanes.replies]) if (timer !== null) clearTimeout(timer);
  for (const socket of [client, server]) if (!socket.destroyed) socket.resetAndDestroy();
}
