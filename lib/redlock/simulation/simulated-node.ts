import type {
  AcquireRequest,
  AcquireVote,
  Clock,
  ExtendRequest,
  ExtendVote,
  Fault,
  FenceReading,
  HealRequest,
  HealVote,
  LockNode,
  RaiseFenceRequest,
  RaiseFenceVote,
  ReleaseRequest,
  ReleaseVote,
  RestoreFenceRequest,
  RestoreFenceVote,
} from "../ports";
import type { NodeId } from "../units";
import { SimulatedHandOver } from "./simulated-hand-over";
import type { SimulatedServer } from "./simulated-server";
import type { SimulatedStore } from "./simulated-store";
import type { VirtualClock } from "./virtual-clock";

const CLOSED: Fault = { kind: "unreachable", reason: "connection closed" };
const CANCELLED: Fault = { kind: "error", reason: "given up before its script could be sent" };

type Cancellable = Partial<Pick<AcquireRequest, "isCancelled">>;

interface Entry {
  /** Executes on the server and prepares the answer. */
  readonly execute: (store: SimulatedStore) => void;
  /** Delivers the prepared answer, or the given fault. */
  readonly settle: (fault?: Fault) => void;
  readonly isCancelled: () => boolean;
  isSettled: boolean;
}

interface Link {
  readonly network: VirtualClock;
  readonly clientClock: Clock;
  readonly roundTripMs: number;
}

/** One client's connection to a simulated server: first in, first out, both ways, like TCP. */
export class SimulatedNode implements LockNode {
  readonly id: NodeId;
  /** Requests sent, by verb. */
  readonly sent = { acquire: 0, extend: 0, heal: 0, release: 0, raiseFence: 0 };
  readonly handOver: SimulatedHandOver;
  readonly #server: SimulatedServer;
  readonly #link: Link;
  /** Milliseconds added each way. */
  #extraMs = 0;
  #lastArrivalAt = 0;
  #lastAnswerAt = 0;
  /** Sent and not yet settled. */
  readonly #outstanding = new Set<Entry>();
  /** Arrived at the server and not yet executed. */
  #inbox: Entry[] = [];
  /** The head of the inbox is fetching its script; the others wait, or a release would overtake its acquire. */
  #isLoading = false;
  /** Releases to repeat when the server comes back, with the time until which that makes sense. */
  #owed: { readonly request: ReleaseRequest; readonly until: number }[] = [];
  /** What arrives while the link is held. */
  #held: (() => void)[] | null = null;

  constructor(server: SimulatedServer, link: Link) {
    this.id = server.id;
    this.#server = server;
    this.#link = link;
    this.handOver = new SimulatedHandOver({
      now: () => server.now(),
      clientClock: link.clientClock,
      delayMs: () => (this.#held === null ? link.roundTripMs / 2 + this.#extraMs : null),
    });
  }

  acquire(request: AcquireRequest): Promise<AcquireVote> {
    this.sent.acquire += 1;
    return this.#send((store) => store.acquire(request), request);
  }

  extend(request: ExtendRequest): Promise<ExtendVote> {
    this.sent.extend += 1;
    return this.#send((store) => store.extend(request), request);
  }

  heal(request: HealRequest): Promise<HealVote> {
    this.sent.heal += 1;
    return this.#send((store) => store.heal(request), request);
  }

  async release(request: ReleaseRequest): Promise<ReleaseVote> {
    this.sent.release += 1;
    const until = this.#link.network.now() + request.keepTryingForMs;
    const vote = await this.#send((store) => store.release(request));
    if (vote.kind === "unreachable") this.#owe(request, until);
    return vote;
  }

  raiseFence(request: RaiseFenceRequest): Promise<RaiseFenceVote> {
    this.sent.raiseFence += 1;
    return this.#send((store) => store.raiseFence(request), request);
  }

  readFence(): Promise<FenceReading> {
    return this.#send((store) => store.readFence());
  }

  restoreFence(request: RestoreFenceRequest): Promise<RestoreFenceVote> {
    return this.#send((store) => store.restoreFence(request), request);
  }

  /** Slows the connection down, each way by `ms`. */
  delay(ms: number): void {
    this.#extraMs = ms;
  }

  /** Nothing passes in either direction, and no side notices: a black hole, until `deliver` or `reset`. */
  hold(): void {
    this.#held ??= [];
  }

  /** What was held arrives now, in order. */
  deliver(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const pass of held) pass();
  }

  /** The connection breaks and comes back at once: what was executed keeps its effect, its answer is lost. */
  reset(): void {
    this.#inbox = [];
    this.#isLoading = false;
    if (this.#held !== null) this.#held = [];
    this.handOver.reconnected();
    for (const entry of [...this.#outstanding]) {
      // From now on it can neither arrive nor be answered.
      this.#outstanding.delete(entry);
      // The client hears of it through its own event loop, which may be stopped.
      this.#link.clientClock.schedule(0, () => entry.settle(CLOSED));
    }
  }

  /** The server is back: what it is owed goes out first. */
  resume(): void {
    const owed = this.#owed;
    this.#owed = [];
    for (const { request, until } of owed) {
      const leftMs = until - this.#link.network.now();
      if (leftMs > 0) void this.release({ ...request, keepTryingForMs: leftMs });
    }
  }

  /** Executes what has arrived, as far as the server does. */
  serve(): void {
    while (this.#server.state === "up" && !this.#isLoading) {
      const entry = this.#inbox[0];
      if (entry === undefined) return;
      if (!this.#server.knowsScripts) {
        this.#isLoading = true;
        this.#answer(() => this.#sendScript(entry));
        return;
      }
      this.#inbox.shift();
      this.#execute(entry);
    }
  }

  #owe(request: ReleaseRequest, until: number): void {
    this.#owed.push({ request, until });
    if (this.#server.state !== "down") this.resume();
  }

  #send<Vote>(execute: (store: SimulatedStore) => Vote, request: Cancellable = {}): Promise<Vote | Fault> {
    if (this.#server.state === "down") return Promise.resolve({ kind: "unreachable", reason: "connection refused" });
    return new Promise((resolve) => {
      let answer: Vote | Fault = CLOSED;
      const entry: Entry = {
        execute: (store) => {
          answer = execute(store);
        },
        settle: (fault) => {
          this.#outstanding.delete(entry);
          if (entry.isSettled) return;
          entry.isSettled = true;
          resolve(fault ?? answer);
        },
        isCancelled: () => request.isCancelled?.() ?? false,
        isSettled: false,
      };
      this.#outstanding.add(entry);
      this.#travel(() => {
        this.#inbox.push(entry);
        this.serve();
      }, entry);
    });
  }

  /** Second step of a request whose script the server did not know. */
  #sendScript(entry: Entry): void {
    if (!this.#outstanding.has(entry)) return;
    if (entry.isCancelled()) {
      entry.settle(CANCELLED);
      this.#inbox = this.#inbox.filter((other) => other !== entry);
      this.#isLoading = false;
      this.serve();
      return;
    }
    this.#travel(() => this.#loadScript(), entry);
  }

  #loadScript(): void {
    this.#isLoading = false;
    this.#server.learnScripts();
    this.serve();
  }

  #execute(entry: Entry): void {
    entry.execute(this.#server.store);
    this.#answer(() => entry.settle());
  }

  /** To the server: never before what was sent earlier; lost when the connection breaks meanwhile. */
  #travel(arrive: () => void, entry: Entry): void {
    const { network, roundTripMs } = this.#link;
    this.#lastArrivalAt = Math.max(this.#lastArrivalAt, network.now() + roundTripMs / 2 + this.#extraMs);
    const pass = (): void => {
      if (this.#held !== null) this.#held.push(pass);
      else if (this.#outstanding.has(entry)) arrive();
    };
    // A server only executes and schedules its answer: whoever waits for that hears of it later.
    network.scheduleQuietly(this.#lastArrivalAt - network.now(), pass);
  }

  /** To the client, through its event loop. */
  #answer(arrive: () => void): void {
    const { clientClock, roundTripMs } = this.#link;
    this.#lastAnswerAt = Math.max(this.#lastAnswerAt, clientClock.now() + roundTripMs / 2 + this.#extraMs);
    const pass = (): void => {
      if (this.#held !== null) this.#held.push(() => clientClock.schedule(0, pass));
      else arrive();
    };
    clientClock.schedule(this.#lastAnswerAt - clientClock.now(), pass);
  }
}
