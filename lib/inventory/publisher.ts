import type { Scan, StreamEvents } from "@/lib/contract";
import type { Clock } from "@/lib/redlock";
import type { NodeColumn } from "./column";
import { type Ledger, SECOND_LOOK_MS } from "./ledger";
import type { ViewContext } from "./view";

/** Changes that arrive within this time are read and published together, milliseconds. */
const SETTLE_MS = 15;
/** So many changed resources are read again on every node before they are published; more go out as they came. */
const CONFIRM_MAX = 200;

export type LockDifference = StreamEvents["locks"];

export interface PublisherOptions {
  readonly clock: Clock;
  readonly columns: readonly NodeColumn[];
  readonly ledger: Ledger;
  context(): ViewContext;
  scan(): Scan;
  /** Reads resources again on every node that answers, all at the same time. Never rejects. */
  confirm(resources: readonly string[]): Promise<void>;
}

/** Collects what changed, has it judged once it has settled, and tells the listeners the differences. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #listeners = new Set<(difference: LockDifference) => void>();
  readonly #dirty = new Set<string>();
  #cancelSettle: (() => void) | null = null;
  #settling: Promise<void> | null = null;
  #isOpen = false;
  #publishedScan = "";

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Until then nothing is judged: a first reading in progress would look like locks on a minority. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasDirty(): boolean {
    return this.#dirty.size > 0;
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  open(): void {
    this.#isOpen = true;
  }

  stop(): void {
    this.#cancelSettle?.();
    this.#listeners.clear();
  }

  /** Differences from now on. @returns unsubscribes */
  subscribe(listener: (difference: LockDifference) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  markAllDirty(): void {
    const { ledger, columns } = this.#options;
    for (const resource of ledger.resources()) this.#dirty.add(resource);
    for (const column of columns) for (const resource of column.resources()) this.#dirty.add(resource);
    this.#settleIn(SETTLE_MS);
  }

  markDirty(resource: string): void {
    this.#dirty.add(resource);
    this.#settleIn(SETTLE_MS);
  }

  /** Looks once more at everything that changed, on all nodes at the same time, and publishes it. Never rejects. */
  settle(): Promise<void> {
    this.#cancelSettle?.();
    this.#cancelSettle = null;
    if (!this.#isOpen) return Promise.resolve();
    this.#settling ??= this.#lookAgain().finally(() => {
      this.#settling = null;
      if (this.#dirty.size > 0) this.#settleIn(SECOND_LOOK_MS);
    });
    return this.#settling;
  }

  /** Judges resources as the columns have them. @param isCertain without a second look: the console itself just acted */
  publish(resources: readonly string[], isCertain: boolean): void {
    const { columns, ledger } = this.#options;
    const context = this.#options.context();
    const changed: LockDifference["changed"][number][] = [];
    const removed: string[] = [];
    for (const resource of resources) {
      for (const column of columns) column.dropEnded(resource, context.now);
      const stands = columns.map((column) => column.standOf(resource));
      const judgement = ledger.judge(resource, stands, context, isCertain);
      if (judgement.kind === "changed") changed.push(judgement.view);
      else if (judgement.kind === "removed") removed.push(judgement.id);
      else if (judgement.kind === "doubtful") this.#dirty.add(resource);
    }
    if (this.#dirty.size > 0) this.#settleIn(SECOND_LOOK_MS);
    const scan = this.#options.scan();
    const scanText = JSON.stringify(scan);
    if (changed.length === 0 && removed.length === 0 && scanText === this.#publishedScan) return;
    this.#publishedScan = scanText;
    for (const listener of this.#listeners) listener({ readAt: context.readAt, changed, removed, scan });
  }

  #settleIn(delayMs: number): void {
    if (!this.#isOpen || this.#settling !== null || this.#cancelSettle !== null) return;
    this.#cancelSettle = this.#options.clock.schedule(delayMs, () => void this.settle());
  }

  async #lookAgain(): Promise<void> {
    const batch = [...this.#dirty];
    if (batch.length > 0 && batch.length <= CONFIRM_MAX) await this.#options.confirm(batch);
    // What changed again meanwhile is in this reading already.
    for (const resource of batch) this.#dirty.delete(resource);
    this.publish(batch, false);
  }
}
