import type { Clock } from "../ports";
import type { Fingerprint, NodeId } from "../units";
import { SimulatedNode } from "./simulated-node";
import { SimulatedStore } from "./simulated-store";
import type { VirtualClock } from "./virtual-clock";

export interface SimulatedServerOptions {
  readonly id: NodeId;
  readonly clock: VirtualClock;
  /** As for `SimulatedStore`. */
  readonly fingerprint: (token: string) => Fingerprint;
  /** Speed of this server's clock against `clock`, for example 1.003. */
  readonly clockRate?: number;
  /** Restart guard: a server that comes back empty does not vote for so long. 0 = none. */
  readonly quarantineMs?: number;
}

/** One Redis master in memory, with the faults that happen to a real one. Clients come in by `connect`. */
export class SimulatedServer {
  readonly id: NodeId;
  readonly store: SimulatedStore;
  readonly #clock: VirtualClock;
  readonly #quarantineMs: number;
  readonly #connections: SimulatedNode[] = [];
  #state: "up" | "hung" | "down" = "up";
  #knowsScripts = true;
  #steppedMs = 0;

  constructor({ id, clock, fingerprint, clockRate = 1, quarantineMs = 0 }: SimulatedServerOptions) {
    this.id = id;
    this.#clock = clock;
    this.#quarantineMs = quarantineMs;
    this.store = new SimulatedStore(() => clock.now() * clockRate + this.#steppedMs, fingerprint);
    this.store.onHandOver = (waiter, round) => {
      for (const { handOver } of this.#connections) handOver.tell(waiter, round);
    };
  }

  /**
   * @param clientClock clock of the client process, when it can be paused apart from the rest
   * @param roundTripMs time from sending a request to its answer
   */
  connect({
    clientClock = this.#clock,
    roundTripMs = 1,
  }: {
    readonly clientClock?: Clock;
    readonly roundTripMs?: number;
  } = {}): SimulatedNode {
    const connection = new SimulatedNode(this, { network: this.#clock, clientClock, roundTripMs });
    this.#connections.push(connection);
    return connection;
  }

  /** What its clock shows, milliseconds. */
  now(): number {
    return this.store.now();
  }

  get state(): "up" | "hung" | "down" {
    return this.#state;
  }

  get knowsScripts(): boolean {
    return this.#knowsScripts;
  }

  /** Stops answering, as SIGSTOP does: requests pile up and are executed in order when it wakes. */
  hang(): void {
    if (this.#state === "up") this.#state = "hung";
  }

  wake(): void {
    if (this.#state !== "hung") return;
    this.#state = "up";
    for (const connection of this.#connections) connection.serve();
  }

  /** Dies: connections close, what was not executed never will be, answers under way are lost. */
  stop(): void {
    this.#state = "down";
    for (const connection of this.#connections) connection.reset();
  }

  /** Comes back with its keys, or empty: it has forgotten its votes then. */
  start({ isEmpty = false }: { readonly isEmpty?: boolean } = {}): void {
    if (this.#state !== "down") return;
    this.#state = "up";
    this.#knowsScripts = false;
    if (isEmpty) this.forgetVotes();
    for (const connection of this.#connections) connection.resume();
  }

  /** Loses every key, as FLUSHALL does; the guard, where there is one, notices. */
  forgetVotes(): void {
    this.store.clear();
    if (this.#quarantineMs > 0) this.store.quarantine(this.#quarantineMs);
  }

  /** Sets its clock forward, or back: keys there end earlier or later than asked. */
  stepClock(ms: number): void {
    this.#steppedMs += ms;
  }

  forgetScripts(): void {
    this.#knowsScripts = false;
  }

  learnScripts(): void {
    this.#knowsScripts = true;
  }
}
