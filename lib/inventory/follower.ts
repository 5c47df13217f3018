import type { ChangeFeed, Master } from "@/lib/redis";
import type { Clock, MonotonicMs } from "@/lib/redlock";
import { ChangeQueue } from "./changes";
import type { NodeColumn } from "./column";
import { refusalSentence, retryAfterMs } from "./refusal";

/** More told changes a second than this, on the average of `RATE_OVER_MS`, cost more than asking at intervals. */
const CHANGES_PER_SECOND_MAX = 25_000;
const RATE_OVER_MS = 5000;
/** Then, and after a change that was not told of, the feed is tried again after so long, milliseconds. */
const TRY_AGAIN_MS = 60_000;
const DISTRUST_MS = 5 * 60_000;
/** A feed that proves nothing within this is asked no more: the node itself is, milliseconds. */
const PROOF_WITHIN_MS = 1000;
/** Answers that had arrived before a time limit are read within this after it, milliseconds. */
const GRACE_MS = 5;
/** Whether databases were exchanged is asked at every so many beats. */
const BEATS_PER_SWAP_LOOK = 2;

export interface FollowerSetup {
  readonly column: NodeColumn;
  readonly clock: Clock;
  /** See `Master.follow`. */
  readonly prefixes: readonly string[];
  keeps(resource: string): boolean;
  /** What was read is worth nothing any more: read everything, from the beginning. `again`: only once more, afterwards. */
  onStale(why: string, when: "now" | "again"): void;
  /** Whether changes are told is another now. */
  onChange(): void;
}

/** Follows the changes on one node where the node tells of them, and says so where it does not. */
export class Follower {
  readonly #setup: FollowerSetup;
  readonly #queue: ChangeQueue;
  readonly #master: Master;
  #feed: ChangeFeed | null = null;
  #isArmed = false;
  /** Counts feeds, so that a late word of an earlier one is not taken for the present one's. */
  #epoch = 0;
  /** Why changes are not followed; null when they are. */
  #reason: string | null = "connecting";
  /** When the last proof that succeeded began. */
  #provedAt: MonotonicMs | null = null;
  #proving: Promise<boolean> | null = null;
  #beats = 0;
  #cancelRetry: () => void = () => undefined;
  #rate = { since: 0, changes: 0 };
  #swaps: number | null = null;
  /** Keys that a reading found changed and that nobody told of so far. */
  readonly #untold = new Set<string>();
  #isStopped = false;

  constructor(setup: FollowerSetup) {
    this.#setup = setup;
    this.#master = setup.column.master;
    this.#queue = new ChangeQueue({
      clock: setup.clock,
      read: (resources) => setup.column.read(resources),
      onOverflow: () => setup.onStale("changes came faster than they could be read", "again"),
    });
  }

  /** Why changes are not followed, a sentence without its full stop; null when they are. */
  get reason(): string | null {
    return this.#reason;
  }

  get isFollowing(): boolean {
    return this.#reason === null;
  }

  /** What a key has become is going to be known in a moment. */
  isReading(resource: string): boolean {
    return this.#queue.has(resource);
  }

  open(): void {
    if (this.#isStopped) return;
    this.#epoch += 1;
    const epoch = this.#epoch;
    const isPresent = () => epoch === this.#epoch && !this.#isStopped;
    this.#feed = this.#master.follow(this.#setup.prefixes, {
      armed: () => isPresent() && this.#armed(),
      changed: (resources) => isPresent() && this.#changed(resources),
      lost: (reason, isRefused) => isPresent() && this.#lost(reason, isRefused),
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
    this.#queue.stop();
    void this.#feed?.close();
  }

  /**
   * Proves that everything that changed before the call was told of, and reads it.
   * @returns false when that cannot be known now
   */
  prove(): Promise<boolean> {
    // One at a time, also when it takes long: a hung node must not find a heap of pings when it wakes.
    this.#proving ??= this.#prove().finally(() => {
      this.#proving = null;
    });
    return within(this.#setup.clock, PROOF_WITHIN_MS, this.#proving);
  }

  /** The column shows everything as it was then or later; null before the first proof. */
  get provedAt(): MonotonicMs | null {
    return this.#provedAt;
  }

  /** Notices a feed that fell silent, and databases that were exchanged: neither is told. */
  async beat(): Promise<void> {
    if (!this.#isArmed) return;
    this.#beats += 1;
    const looking = this.#beats % BEATS_PER_SWAP_LOOK === 0 ? this.#lookForSwap() : null;
    await Promise.all([this.prove(), looking]);
  }

  /** Keys that a reading found changed although they had been read: each must have been told of, or be told of at once. */
  suspect(resources: readonly string[]): void {
    for (const resource of resources) if (!this.#queue.has(resource)) this.#untold.add(resource);
  }

  /** Ends a reading that looked for changes nobody told of. */
  async judgeSuspects(): Promise<void> {
    if (!this.isFollowing || this.#untold.size === 0 || !(await this.prove())) return;
    const missed = this.#untold.size;
    this.#untold.clear();
    if (missed === 0) return;
    const what = missed === 1 ? "1 change was" : `${missed} changes were`;
    this.#giveUp(`${what} not told of: is there a proxy in between?`, DISTRUST_MS);
  }

  forgetSuspects(): void {
    this.#untold.clear();
  }

  #armed(): void {
    this.#isArmed = true;
    this.#swaps = null;
    this.#queue.clear();
    this.#rate = { since: this.#setup.clock.now(), changes: 0 };
    this.#setReason(null);
    this.#setup.onStale("the tracking connection is new", "now");
  }

  #changed(resources: readonly string[] | null): void {
    if (resources === null) {
      this.#queue.clear();
      this.#setup.onStale("the node was flushed", "now");
      return;
    }
    this.#count(resources.length);
    for (const resource of resources) {
      this.#untold.delete(resource);
      if (this.#setup.keeps(resource)) this.#queue.add(resource);
    }
  }

  #lost(reason: string, isRefused: boolean): void {
    this.#isArmed = false;
    this.#queue.clear();
    if (isRefused) {
      this.#setReason(refusalSentence(reason));
      this.#openIn(retryAfterMs(reason));
    } else this.#setReason(`the tracking connection is lost (${reason})`);
  }

  /** Ends the feed although it works. */
  #giveUp(reason: string, forMs: number): void {
    this.#epoch += 1;
    this.#isArmed = false;
    this.#queue.clear();
    void this.#feed?.close();
    this.#setReason(reason);
    this.#openIn(forMs);
  }

  #openIn(delayMs: number): void {
    this.#cancelRetry();
    this.#cancelRetry = this.#setup.clock.schedule(delayMs, () => this.open());
  }

  #count(changes: number): void {
    const now = this.#setup.clock.now();
    this.#rate.changes += changes;
    const overMs = now - this.#rate.since;
    if (overMs < RATE_OVER_MS) return;
    const perSecond = Math.round((this.#rate.changes / overMs) * 1000);
    this.#rate = { since: now, changes: 0 };
    if (perSecond <= CHANGES_PER_SECOND_MAX) return;
    this.#giveUp(`${perSecond} changes a second: asking at intervals costs the node less`, TRY_AGAIN_MS);
  }

  async #prove(): Promise<boolean> {
    const { clock } = this.#setup;
    const startedAt = clock.now();
    const feed = this.#feed;
    if (feed === null || !this.#isArmed) return false;
    const fence = feed.fence();
    const isInTime = await within(
      clock,
      PROOF_WITHIN_MS,
      fence.then(() => true),
    );
    if (!isInTime) this.#unproved(feed);
    const isCurrent = await fence;
    if (!isCurrent || feed !== this.#feed || !this.#isArmed) return false;
    this.#setReason(null);
    if (!(await this.#queue.caughtUp())) return false;
    this.#provedAt = startedAt;
    return true;
  }

  /** The feed does not answer: the node is asked at intervals, which tells whether it is the node or the feed. */
  #unproved(feed: ChangeFeed): void {
    if (feed !== this.#feed || !this.#isArmed) return;
    this.#setReason("the tracking connection does not answer");
  }

  async #lookForSwap(): Promise<void> {
    const swaps = await this.#master.swaps();
    if (swaps === null) return;
    if (this.#swaps !== null && swaps !== this.#swaps) this.#setup.onStale("databases were exchanged", "now");
    this.#swaps = swaps;
  }

  #setReason(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#setup.onChange();
  }
}

/** Stops waiting after a while, with `false`; after a stall of our own what arrived meanwhile is read first. */
function within(clock: Clock, limitMs: number, work: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(limitMs, () => clock.schedule(GRACE_MS, () => resolve(false)));
    void work.then(resolve).finally(cancel);
  });
}
