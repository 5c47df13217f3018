import type { Scan } from "@/lib/contract";
import { type Layouts, prefixesOf } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import { type ColumnListener, NodeColumn } from "./column";
import { Follower } from "./follower";
import { type PassEnd, Scanner } from "./scanner";
import type { Budget } from "./stride";
import type { SightingTable } from "./table";

/** Reading everything, because it is not known: without a rest while the node answers as if idle; two thirds of the time of a busy one. */
const READING: Budget = { restFactor: 0.5, ignoresIdle: true };
/** Looking whether a change was missed: hardly noticed by the node. */
const VERIFYING: Budget = { restFactor: 19, ignoresIdle: false };
/** The first such look comes so many times sooner than the others follow each other. */
const FIRST_VERIFY_SOONER = 6;
/** Where changes are not followed: between two readings while somebody watches, and while nobody does, milliseconds. */
const POLL_WATCHED_MS = 500;
const POLL_IDLE_MS = 5000;
/** A reading that takes long is followed by a longer pause: so many times its own length. */
const PAUSE_FACTOR = 4;
/** A reading that failed is tried again after this, milliseconds. */
const RETRY_MS = 250;
/** The first reading waits so long for the feed, which would void it, milliseconds. */
const FEED_WITHIN_MS = 200;

export interface WatchSetup {
  readonly master: Master;
  readonly clock: Clock;
  readonly table: SightingTable;
  readonly place: number;
  readonly layouts: Layouts;
  readonly patterns: readonly string[];
  keeps(resource: string): boolean;
  readonly listener: ColumnListener & {
    /** How far the node is read, or how it is followed, is another now. */
    scanChanged(): void;
  };
  /** Between two looks whether a change was missed, milliseconds. */
  readonly verifyEveryMs: number;
  /** Somebody looks: readings at intervals may be frequent. */
  isActive(): boolean;
}

/** Keeps one node's column current, by following its changes or by asking at intervals; a node that hangs delays only this. */
export class NodeWatch {
  readonly column: NodeColumn;
  readonly #setup: WatchSetup;
  readonly #scanner: Scanner;
  readonly #follower: Follower;
  /** The reading under way is worth nothing; or another one has to follow it. */
  #stale: "no" | "again" | "now" = "now";
  /** A whole reading that began after the feed was armed has ended. */
  #isRead = false;
  #verifications = 0;
  #wake: () => void = () => undefined;
  #waiting: (() => void)[] = [];
  #isStopped = false;

  constructor(setup: WatchSetup) {
    const { clock, patterns, listener } = setup;
    this.#setup = setup;
    this.column = new NodeColumn(setup);
    this.#scanner = new Scanner(this.column, clock, patterns);
    this.#follower = new Follower({
      column: this.column,
      clock,
      prefixes: prefixesOf(patterns),
      keeps: setup.keeps,
      onStale: (why, when) => this.#noteStale(why, when),
      onChange: () => {
        listener.scanChanged();
        this.wake();
        // A node that answers again is believed at once, not only at the next beat.
        if (this.isFollowing) void this.#prove();
      },
    });
  }

  /** How far the node has been read, and how its changes are learnt. */
  get scan(): Scan["nodes"][number] {
    const { reason } = this.#follower;
    const { asOf } = this.column;
    return {
      node: this.column.master.id,
      ...this.column.scan,
      mode: reason === null ? "tracking" : "polling",
      modeReason: reason,
      keys: this.column.keys,
      progress: this.#isRead ? null : this.#scanner.progress,
      keysPerSecond: this.#scanner.keysPerSecond,
      ageMs: asOf === null ? null : Math.max(0, Math.round(this.#setup.clock.now() - asOf)),
    };
  }

  get isFollowing(): boolean {
    return this.#follower.isFollowing;
  }

  /** The node told of a change that is not read yet. */
  isReading(resource: string): boolean {
    return !this.column.isSilent && this.#follower.isReading(resource);
  }

  /** Reads and follows until `stop`. */
  async run(): Promise<void> {
    this.#follower.open();
    if (!this.isFollowing) await this.#pause(FEED_WITHIN_MS);
    while (!this.#isStopped) {
      const startedAt = this.#setup.clock.now();
      const end = await this.#pass();
      if (end === "void") continue;
      for (const resolve of this.#waiting.splice(0)) resolve();
      await this.#pause(this.#delayAfter(end, this.#setup.clock.now() - startedAt));
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#follower.stop();
    this.#wake();
  }

  /** Reads now instead of after the pause. */
  wake(): void {
    this.#wake();
  }

  /** Keeps in touch with the node while nothing changes. */
  async beat(): Promise<void> {
    await this.#follower.beat();
    this.#confirm();
  }

  async #prove(): Promise<void> {
    await this.#follower.prove();
    this.#confirm();
  }

  /** Resolves when the column shows everything as it was at the time of the call; where it is polled, up to `maxAgeMs` before. */
  async freshen(maxAgeMs: number): Promise<void> {
    const calledAt = this.#setup.clock.now();
    // The proof under way may have begun before the call; the next one cannot.
    for (let proofs = 0; proofs < 2 && this.isFollowing && this.#isRead; proofs += 1) {
      if (!(await this.#follower.prove())) break;
      this.#confirm();
      if ((this.#follower.provedAt ?? 0) >= calledAt) return;
    }
    const { asOf } = this.column;
    if (asOf !== null && calledAt - asOf <= maxAgeMs) return;
    const read = this.nextReading();
    if (!this.isFollowing) this.wake();
    await read;
  }

  /** Resolves at the end of the next whole reading. */
  nextReading(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #pass(): Promise<PassEnd> {
    const isVerification = this.isFollowing && this.#stale === "no";
    this.#stale = "no";
    this.#follower.forgetSuspects();
    const isVoid = () => this.#isStopped || this.#stale === "now" || (isVerification && !this.isFollowing);
    const end = await this.#scanner.pass(isVerification ? VERIFYING : READING, isVoid, (others) => {
      if (isVerification) this.#follower.suspect(others);
    });
    if (end === "failed" && !this.#isRead) this.#stale = "now";
    if (end !== "ended") return end;
    if (isVerification) {
      this.#verifications += 1;
      await this.#follower.judgeSuspects();
    } else if (this.isFollowing && this.#stale === "no") this.#isRead = true;
    return end;
  }

  #delayAfter(end: PassEnd, tookMs: number): number {
    if (this.isFollowing) {
      if (this.#stale === "again") return PAUSE_FACTOR * tookMs;
      if (this.#stale === "now") return this.column.isSilent ? RETRY_MS : 0;
      const { verifyEveryMs } = this.#setup;
      return this.#verifications === 0 ? verifyEveryMs / FIRST_VERIFY_SOONER : verifyEveryMs;
    }
    const pollMs = this.#setup.isActive() ? POLL_WATCHED_MS : POLL_IDLE_MS;
    return end === "ended" ? Math.max(pollMs, PAUSE_FACTOR * tookMs) : pollMs;
  }

  #noteStale(why: string, when: "now" | "again"): void {
    if (this.#stale !== "now") this.#stale = when;
    this.#isRead = false;
    this.column.doubt(`reading everything again: ${why}`);
    this.#setup.listener.scanChanged();
    this.#wake();
  }

  /** What was proved to have been told and read is current; a node that was silent meanwhile is heard again. */
  #confirm(): void {
    const { provedAt } = this.#follower;
    const { asOf } = this.column;
    if (!this.isFollowing || !this.#isRead || this.#stale !== "no" || provedAt === null) return;
    if (asOf === null || provedAt > asOf) this.column.confirm(provedAt);
  }

  #pause(delayMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#setup.clock.schedule(delayMs, () => this.#wake());
      this.#wake = () => {
        cancel();
        this.#wake = () => undefined;
        resolve();
      };
    });
  }
}
