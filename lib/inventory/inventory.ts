import type { AuditEntry, LockDetail, LockList, LocksQuery, Scan, StreamEvents } from "@/lib/contract";
import { globMatcher, isHelperKey, KNOWN_LAYOUTS } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import type { Clock, NodeId } from "@/lib/redlock";
import { NodeColumn } from "./column";
import { contextOf } from "./context";
import { detailOf } from "./detail";
import { Ledger, type LedgerOptions, SECOND_LOOK_MS } from "./ledger";
import { Pace } from "./pace";
import { pageOf } from "./page";
import { earliestEnd, type NodeStand } from "./sighting";
import type { ViewContext } from "./view";

/** Changes that arrive within this time are read and published together, milliseconds. */
const SETTLE_MS = 15;
/** So many changed resources are read again on every node before they are published; more go out as they came. */
const CONFIRM_MAX = 200;
/** How long a list waits for a fresher reading, and the console's first answer for the first one, milliseconds. */
const FRESHEN_MS_MAX = 250;
const FIRST_READING_MS_MAX = 2000;
/** Locks in a snapshot; the rest is to be had page by page. */
const SNAPSHOT_MAX = 5000;

export interface InventoryOptions extends LedgerOptions {
  readonly masters: readonly Master[];
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly wallClock: () => number;
  readonly patterns: readonly string[];
  /** What this console holds under a name. */
  readonly ownedByConsole: (resource: string) => LockDetail["ownedByConsole"];
}

export type LockDifference = StreamEvents["locks"];

/** The live mirror: what every node says, as one list of locks with verdicts, kept fresh by one loop per node. */
export class Inventory {
  readonly #options: InventoryOptions;
  readonly #columns: readonly NodeColumn[];
  readonly #ledger: Ledger;
  readonly #pace: Pace;
  readonly #matchers: readonly ((key: string) => boolean)[];
  readonly #listeners = new Set<(difference: LockDifference) => void>();
  readonly #dirty = new Set<string>();
  readonly #unsubscribes: (() => void)[] = [];
  #cancelSettle: (() => void) | null = null;
  #settling: Promise<void> | null = null;
  #isOpen = false;
  #publishedScan = "";

  constructor(options: InventoryOptions) {
    this.#options = options;
    const listener = {
      keyChanged: (resource: string) => this.#markDirty(resource),
      wordChanged: () => this.#markAllDirty(),
    };
    const { clock, patterns, layouts = KNOWN_LAYOUTS } = options;
    this.#columns = options.masters.map((master) => new NodeColumn(master, clock, patterns, listener, layouts));
    this.#ledger = new Ledger(options);
    this.#matchers = options.patterns.map(globMatcher);
    this.#pace = new Pace(options.clock, this.#columns, () => this.#sweep());
  }

  /** Starts reading. Resolves after the first reading of every node, or when the slow ones have had their time. */
  async start(): Promise<void> {
    for (const column of this.#columns) {
      this.#unsubscribes.push(column.master.onChange(() => this.#statusChanged(column)));
    }
    await this.#pace.start(FIRST_READING_MS_MAX);
    this.#isOpen = true;
    this.#markAllDirty();
    await this.#settle();
  }

  stop(): void {
    this.#pace.stop();
    this.#cancelSettle?.();
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe();
    this.#listeners.clear();
  }

  /** Differences from now on; while anybody listens the nodes are read often. @returns unsubscribes */
  subscribe(listener: (difference: LockDifference) => void): () => void {
    this.#listeners.add(listener);
    this.#pace.setWatched(true);
    return () => {
      this.#listeners.delete(listener);
      this.#pace.setWatched(this.#listeners.size > 0);
    };
  }

  /** One page of the list. Waits a moment for a fresh reading when the last one is old; never longer. */
  async list(query: LocksQuery): Promise<LockList> {
    await this.#freshen();
    const context = this.#context();
    const page = pageOf(this.#ledger.rows(context), query);
    return { readAt: context.readAt, ...page, scan: this.scan() };
  }

  /** Everything the stream begins with. */
  async snapshot(): Promise<Omit<StreamEvents["snapshot"], "cluster">> {
    await this.#freshen();
    const context = this.#context();
    const { locks } = pageOf(this.#ledger.rows(context), { q: "", sort: "verdict", limit: SNAPSHOT_MAX });
    return { readAt: context.readAt, locks, scan: this.scan() };
  }

  /** One lock, asked of every node now; also when it is free. */
  async detail(resource: string): Promise<LockDetail> {
    this.#pace.noteRequest();
    const stands = (await this.#readNow([resource], this.#columns)).get(resource) ?? [];
    if (this.#isOpen && this.#keeps(resource)) this.#publish([resource], false);
    const { history } = this.#ledger;
    return detailOf(this.#ledger.viewOf(resource, stands, this.#context()), history, this.#options);
  }

  /** Reads resources again at once, because the console just acted on them, and publishes what came of it. */
  async refresh(resources: readonly string[]): Promise<void> {
    const kept = resources.filter((resource) => this.#keeps(resource));
    if (kept.length === 0) return;
    await this.#readNow(kept, this.#heard());
    this.#publish(kept, true);
  }

  /** Takes in what an operator did through this console, for the timeline and the incidents. */
  noteAction(entry: AuditEntry): void {
    this.#ledger.noteAction(entry);
  }

  /** When the key that a node showed last dies by itself, milliseconds from now; null = never, or nothing is known. */
  lastKnownRemaining(node: NodeId, resource: string): number | null {
    const sighting = this.#columns.find((column) => column.master.id === node)?.standOf(resource).sighting ?? null;
    if (sighting === null || sighting.remainingMs === null) return null;
    return Math.max(0, earliestEnd(sighting) - this.#options.clock.now());
  }

  /** What the locks of a fingerprint have in common on all nodes, by the word of any of them, also of one that is silent now. */
  lastKnownGroup(resource: string, fingerprint: string): string | null {
    const sightings = this.#columns.map((column) => column.standOf(resource).sighting);
    return sightings.find((one) => one?.fingerprint === fingerprint)?.recognition?.group ?? null;
  }

  /** How complete the list is. */
  scan(): Scan {
    const nodes = this.#columns.map((column) => ({ node: column.master.id, ...column.scan }));
    return { complete: nodes.filter(({ state }) => state === "complete").length, n: nodes.length, nodes };
  }

  #context(): ViewContext {
    const { masters, clock, wallClock } = this.#options;
    return contextOf(masters, { now: clock.now(), readAt: Math.round(wallClock()) });
  }

  #heard(): readonly NodeColumn[] {
    return this.#columns.filter((column) => column.scan.state === "complete");
  }

  #keeps(resource: string): boolean {
    return !isHelperKey(resource) && this.#matchers.some((matches) => matches(resource));
  }

  async #readNow(
    resources: readonly string[],
    columns: readonly NodeColumn[],
  ): Promise<ReadonlyMap<string, readonly NodeStand[]>> {
    const answers = await Promise.all(columns.map((column) => column.readNow(resources, (key) => this.#keeps(key))));
    return new Map(
      resources.map((resource) => [resource, answers.flatMap((answer) => answer.get(resource) ?? [])] as const),
    );
  }

  async #freshen(): Promise<void> {
    this.#pace.noteRequest();
    await this.#pace.freshen(FRESHEN_MS_MAX);
    await this.#settle();
    if (this.#dirty.size === 0) return;
    // A startling finding is published at the second look; without it the list would lack what was found just now.
    await new Promise<void>((resolve) => this.#options.clock.schedule(SECOND_LOOK_MS, resolve));
    await this.#settle();
  }

  #statusChanged(column: NodeColumn): void {
    const { state, faults } = column.master.status();
    if (state === "down") column.noteDown(faults[0] ?? "the node is down");
    else this.#pace.wake(column);
    this.#markAllDirty();
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    for (const resource of this.#ledger.overdue(now)) this.#markDirty(resource);
    for (const resource of this.#ledger.due(now, this.#options.wallClock())) this.#markDirty(resource);
  }

  #markAllDirty(): void {
    for (const resource of this.#ledger.resources()) this.#dirty.add(resource);
    for (const column of this.#columns) for (const resource of column.resources()) this.#dirty.add(resource);
    this.#settleIn(SETTLE_MS);
  }

  #markDirty(resource: string): void {
    this.#dirty.add(resource);
    this.#settleIn(SETTLE_MS);
  }

  #settleIn(delayMs: number): void {
    if (!this.#isOpen || this.#settling !== null || this.#cancelSettle !== null) return;
    this.#cancelSettle = this.#options.clock.schedule(delayMs, () => void this.#settle());
  }

  /** Looks once more at everything that changed, on all nodes at the same time, and publishes it. Never rejects. */
  #settle(): Promise<void> {
    this.#cancelSettle?.();
    this.#cancelSettle = null;
    if (!this.#isOpen) return Promise.resolve();
    this.#settling ??= this.#lookAgain().finally(() => {
      this.#settling = null;
      if (this.#dirty.size > 0) this.#settleIn(SECOND_LOOK_MS);
    });
    return this.#settling;
  }

  async #lookAgain(): Promise<void> {
    const batch = [...this.#dirty];
    if (batch.length > 0 && batch.length <= CONFIRM_MAX) await this.#readNow(batch, this.#heard());
    // What changed again meanwhile is in this reading already.
    for (const resource of batch) this.#dirty.delete(resource);
    this.#publish(batch, false);
  }

  #publish(resources: readonly string[], isCertain: boolean): void {
    const context = this.#context();
    const changed: LockDifference["changed"][number][] = [];
    const removed: string[] = [];
    for (const resource of resources) {
      for (const column of this.#columns) column.dropEnded(resource, context.now);
      const stands = this.#columns.map((column) => column.standOf(resource));
      const judgement = this.#ledger.judge(resource, stands, context, isCertain);
      if (judgement.kind === "changed") changed.push(judgement.view);
      else if (judgement.kind === "removed") removed.push(judgement.id);
      else if (judgement.kind === "doubtful") this.#dirty.add(resource);
    }
    if (this.#dirty.size > 0) this.#settleIn(SECOND_LOOK_MS);
    const scan = this.scan();
    const scanText = JSON.stringify(scan);
    if (changed.length === 0 && removed.length === 0 && scanText === this.#publishedScan) return;
    this.#publishedScan = scanText;
    for (const listener of this.#listeners) listener({ readAt: context.readAt, changed, removed, scan });
  }
}
