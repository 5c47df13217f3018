import type { Scan, StreamEvents } from "@/lib/contract";
import type { Clock } from "@/lib/redlock";
import { Backlog } from "./backlog";
import type { NodeColumn } from "./column";
import { type Ledger, SECOND_LOOK_MS } from "./ledger";
import { membershipOf } from "./shown";
import type { ViewContext } from "./view";

/** Changes that arrive within this time are published together, milliseconds: about as long as an acquire takes on all nodes. */
const SETTLE_MS = 3;
/** So many resources are judged at a stretch, in a few milliseconds; then others have their turn. */
const CHUNK = 500;
/** So many changed resources are read again where nobody tells of changes; more go out as they came. */
const CONFIRM_MAX = 200;

export type LockDifference = StreamEvents["locks"];

export interface PublisherOptions {
  readonly clock: Clock;
  readonly columns: readonly NodeColumn[];
  readonly ledger: Ledger;
  /** Every resource that any node showed or that is published, and how many these are, about. */
  everything(): Iterable<string>;
  count(): number;
  /** A change was told that is not read yet. */
  isComing(resource: string): boolean;
  context(): ViewContext;
  scan(): Scan;
  /** Reads resources again, at the same time, on the nodes that do not tell of changes. Never rejects. */
  confirm(resources: readonly string[]): Promise<void>;
}

/** Collects what changed, has it judged once it has settled, and tells the listeners the differences. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #listeners = new Set<(difference: LockDifference) => void>();
  /** To be judged. */
  readonly #backlog: Backlog;
  /** To be looked at a second time. */
  readonly #doubtful = new Set<string>();
  #cancelSettle: (() => void) | null = null;
  #settleAt: number | null = null;
  #cancelSecondLook: (() => void) | null = null;
  #settling: Promise<void> | null = null;
  /** More waits than was judged at one stretch. */
  #isBehind = false;
  #isOpen = false;
  #publishedScan = "";
  /** What the nodes' states added to every lock when they were last looked at. */
  #word = "";

  constructor(options: PublisherOptions) {
    this.#options = options;
    const { clock } = options;
    this.#backlog = new Backlog({ ...options, now: () => clock.now() });
  }

  /** Until then nothing is judged: a first reading in progress would look like locks on a minority. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Locks that wait to be judged or looked at again, when that takes more than a moment: a list lacks what they have become. */
  get backlog(): number {
    const { changed, affected } = this.#backlog;
    return this.#isBehind || affected > CHUNK ? changed + affected : 0;
  }

  open(): void {
    this.#isOpen = true;
    this.#word = this.#wordNow();
    // As long as nobody's word counts there is nothing to be said of any lock.
    if (this.#options.columns.some(({ isSilent }) => !isSilent)) this.markAllDirty();
  }

  stop(): void {
    this.#isOpen = false;
    this.#cancelSettle?.();
    this.#cancelSecondLook?.();
    this.#listeners.clear();
  }

  /** Differences from now on. @returns unsubscribes */
  subscribe(listener: (difference: LockDifference) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A node's state is another now: most such changes say nothing about any lock. */
  noteStatus(): void {
    const word = this.#wordNow();
    if (word === this.#word) return;
    this.#word = word;
    this.markAllDirty();
  }

  /** The word of a node on everything counts no longer, or counts again. */
  markAllDirty(): void {
    this.#backlog.addEverything();
    this.#settleSoon(this.#backlog.affectedDelayMs);
  }

  markDirty(resource: string): void {
    this.#backlog.add(resource);
    this.#settleSoon();
  }

  /** How far the nodes are read is another now. */
  markScan(): void {
    this.#settleSoon();
  }

  /** Judges and publishes everything that changed. Never rejects. */
  settle(): Promise<void> {
    this.#cancelSettle?.();
    this.#cancelSettle = null;
    this.#settleAt = null;
    if (!this.#isOpen) return Promise.resolve();
    this.#settling ??= this.#work().finally(() => {
      this.#settling = null;
      this.#isBehind = false;
      const { changed, affected, affectedDelayMs } = this.#backlog;
      if (changed > 0) this.#settleSoon();
      else if (affected > 0) this.#settleSoon(affectedDelayMs);
    });
    return this.#settling;
  }

  /** Looks a second time at what was startling, when it is time to, and publishes what is confirmed. */
  async secondLook(): Promise<void> {
    if (this.#doubtful.size === 0) return;
    await new Promise<void>((resolve) => this.#options.clock.schedule(SECOND_LOOK_MS, resolve));
    this.#lookAgain();
    await this.settle();
  }

  /** Judges resources as the columns have them. @param isCertain without a second look: the console itself just acted */
  publish(resources: readonly string[], isCertain: boolean): void {
    const { columns, ledger } = this.#options;
    const context = this.#options.context();
    const heard = columns.map((column) => ({ column, roundTripMs: column.master.status().roundTripMs }));
    const changed: LockDifference["changed"][number][] = [];
    const removed: string[] = [];
    for (const resource of resources) {
      const stands = heard.map(({ column, roundTripMs }) => column.standOf(resource, roundTripMs));
      const judgement = ledger.judge(resource, stands, context, isCertain);
      if (judgement.kind === "changed") changed.push(judgement.view);
      else if (judgement.kind === "removed") removed.push(judgement.id);
      if (judgement.kind === "doubtful") this.#doubtful.add(resource);
      else this.#doubtful.delete(resource);
    }
    if (this.#doubtful.size > 0) {
      this.#cancelSecondLook ??= this.#options.clock.schedule(SECOND_LOOK_MS, () => this.#lookAgain());
    }
    this.#tell({ readAt: context.readAt, changed, removed, scan: this.#options.scan() });
  }

  #tell(difference: LockDifference): void {
    const { changed, removed, scan } = difference;
    const scanText = scanSignature(scan);
    if (changed.length === 0 && removed.length === 0 && scanText === this.#publishedScan) return;
    this.#publishedScan = scanText;
    for (const listener of this.#listeners) listener(difference);
  }

  #lookAgain(): void {
    this.#cancelSecondLook?.();
    this.#cancelSecondLook = null;
    for (const resource of this.#doubtful) this.#backlog.add(resource);
    this.#settleSoon();
  }

  #settleSoon(delayMs = SETTLE_MS): void {
    if (!this.#isOpen || this.#settling !== null) return;
    const at = this.#options.clock.now() + delayMs;
    if (this.#settleAt !== null && this.#settleAt <= at) return;
    this.#cancelSettle?.();
    this.#settleAt = at;
    this.#cancelSettle = this.#options.clock.schedule(delayMs, () => void this.settle());
  }

  async #work(): Promise<void> {
    for (;;) {
      const isFew = this.#backlog.changed + this.#backlog.affected <= CONFIRM_MAX;
      const batch = this.#backlog.take(CHUNK);
      if (isFew && batch.length > 0) await this.#options.confirm(batch);
      // What changed again meanwhile is in this reading already.
      for (const resource of batch) this.#backlog.drop(resource);
      if (!this.#isOpen) return;
      this.publish(batch, false);
      if (batch.length < CHUNK) return;
      this.#isBehind = true;
      // Between two chunks whatever else waits has its turn.
      await new Promise<void>((resolve) => this.#options.clock.schedule(0, resolve));
    }
  }

  #wordNow(): string {
    const { columns, context } = this.#options;
    const nodes = columns.map(({ master }) => ({ node: master.id }));
    const silences = columns.map(({ isSilent, scan }) => (isSilent ? scan.reason : null));
    return JSON.stringify([membershipOf(nodes, context()), silences]);
  }
}

/** What of a scan is worth telling when nothing else is: not its age, and its progress in coarse steps. */
function scanSignature({ nodes, unjudged = 0 }: Scan): string {
  return JSON.stringify([
    unjudged > 0,
    ...nodes.map(({ state, reason, mode, modeReason, progress }) => [
      state,
      reason,
      mode,
      modeReason,
      progress === null ? null : Math.round(progress * 10),
    ]),
  ]);
}
