import type { NodeId } from "@/lib/redlock";
import type { Clocks } from "./clocks";
import type { Send } from "./connection";
import { hasAnswered } from "./connection-reason";
import { ServerTime, timeOf } from "./server-time";

export interface ClockWatchOptions {
  readonly id: NodeId;
  readonly nodeTimeoutMs: number;
  /** Shared by the nodes of one membership. */
  readonly clocks: Clocks;
  /** Whether a wrong clock costs a quarantine. */
  readonly isGuarded: boolean;
}

/** Reads the clock of one node, compares it with the others', and says when its votes must not be asked for because of it. */
export class ClockWatch {
  readonly time: ServerTime;
  /** Node's clock minus the wall clock here, milliseconds; null before the first reading. */
  offsetMs: number | null = null;
  /** It was seen wrong, and no quarantine was begun since it is right: keys granted meanwhile may have gone with the step. */
  wasWrong = false;
  readonly #options: ClockWatchOptions;
  /** Of the last two questions, newest first: one late answer alone makes no slow node. */
  #roundTripsMs: readonly number[] = [];

  constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.time = new ServerTime(options.clocks.vagueMs, options.nodeTimeoutMs);
  }

  /** Of the last question, milliseconds. */
  get roundTripMs(): number | null {
    return this.#roundTripsMs[0] ?? null;
  }

  /** The quicker of the last two, milliseconds. */
  get quickRoundTripMs(): number | null {
    return this.#roundTripsMs.length === 0 ? null : Math.min(...this.#roundTripsMs);
  }

  get isWrong(): boolean {
    return this.#options.clocks.isWrong(this.#options.id);
  }

  get deviationMs(): number {
    return this.#options.clocks.deviationOf(this.#options.id);
  }

  /** Why votes must not be asked for, beyond a clock that is wrong at the moment. */
  get reason(): string | null {
    const { doubt } = this.time;
    if (doubt === "slow") return "it was too slow to tell its clock, and is asked again";
    if (doubt === "moved") return "its clock was put forward or back, and is being read again";
    return this.wasWrong ? "its clock was wrong, and its quarantine has not begun yet" : null;
  }

  /** Reads the node's clock; again at once while no answer was quick, since nobody else asks where probing is off. */
  async ask(send: Send): Promise<void> {
    const wallAt = Date.now();
    const sentAt = performance.now();
    const reply = await send("TIME");
    if (!hasAnswered(reply)) return;
    const receivedAt = performance.now();
    const roundTripMs = receivedAt - sentAt;
    this.#roundTripsMs = [roundTripMs, ...this.#roundTripsMs.slice(0, 1)];
    const nodeTime = reply.kind === "answer" ? timeOf(reply.value) : null;
    if (nodeTime === null) return;
    // The node read its clock somewhere within the round trip; the middle is wrong by half of it at most.
    this.offsetMs = nodeTime - (wallAt + roundTripMs / 2);
    this.time.learn(nodeTime, { sentAt, receivedAt });
    this.report();
    // Not a tight loop: what is slow took long.
    if (this.time.doubt === "slow") void this.ask(send);
  }

  /** Tells the others what is known of this clock. */
  report(): void {
    const { offset } = this.time;
    const { clocks, id, isGuarded } = this.#options;
    if (offset !== null) clocks.report(id, offset);
    if (isGuarded && this.isWrong) this.wasWrong = true;
  }
}
