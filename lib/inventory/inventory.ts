import type { LockDetail, LockList, LocksQuery, Scan, StreamEvents } from "@/lib/contract";
import { isHelperKey } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import { type Clock, type NodeId, quorumOf } from "@/lib/redlock";
import { NodeColumn } from "./column";
import { contextOf } from "./context";
import { hintsOf, obstaclesOf } from "./explain";
import { globMatcher } from "./glob";
import { Ledger, SECOND_LOOK_MS } from "./ledger";
import { Pace } from "./pace";
import { pageOf } from "./page";
import { type LockDifference, Publisher } from "./publisher";
import { earliestEnd, type NodeStand } from "./sighting";
import { lockViewOf, type ViewContext } from "./view";

/** How long a list waits for a fresher reading, and the console's first answer for the first one, milliseconds. */
const FRESHEN_MS_MAX = 250;
const FIRST_READING_MS_MAX = 2000;
/** Locks in a snapshot; the rest is to be had page by page. */
const SNAPSHOT_MAX = 5000;

export interface InventoryOptions {
  readonly masters: readonly Master[];
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly wallClock: () => number;
  readonly patterns: readonly string[];
  /** List also keys that no layout recognises. */
  readonly listsEverything: boolean;
  /** What this console holds under a name. */
  readonly ownedByConsole: (resource: string) => LockDetail["ownedByConsole"];
}

/** The live mirror: what every node says, as one list of locks with verdicts, kept fresh by one loop per node. */
export class Inventory {
  readonly #options: InventoryOptions;
  readonly #columns: readonly NodeColumn[];
  readonly #ledger: Ledger;
  readonly #pace: Pace;
  readonly #matchers: readonly ((key: string) => boolean)[];
  readonly #publisher: Publisher;
  readonly #unsubscribes: (() => void)[] = [];

  constructor(options: InventoryOptions) {
    this.#options = options;
    const listener = {
      keyChanged: (resource: string) => this.#publisher.markDirty(resource),
      wordChanged: () => this.#publisher.markAllDirty(),
    };
    this.#columns = options.masters.map((master) => new NodeColumn(master, options.clock, options.patterns, listener));
    this.#ledger = new Ledger(options.listsEverything);
    this.#matchers = options.patterns.map(globMatcher);
    this.#pace = new Pace(options.clock, this.#columns, () => this.#sweep());
    this.#publisher = new Publisher({
      clock: options.clock,
      columns: this.#columns,
      ledger: this.#ledger,
      context: () => this.#context(),
      scan: () => this.scan(),
      confirm: async (resources) => void (await this.#readNow(resources, this.#heard())),
    });
  }

  /** Starts reading. Resolves after the first reading of every node, or when the slow ones have had their time. */
  async start(): Promise<void> {
    for (const column of this.#columns) {
      this.#unsubscribes.push(column.master.onChange(() => this.#statusChanged(column)));
    }
    await this.#pace.start(FIRST_READING_MS_MAX);
    this.#publisher.open();
    this.#publisher.markAllDirty();
    await this.#publisher.settle();
  }

  stop(): void {
    this.#pace.stop();
    this.#publisher.stop();
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe();
  }

  /** Differences from now on; while anybody listens the nodes are read often. @returns unsubscribes */
  subscribe(listener: (difference: LockDifference) => void): () => void {
    const unsubscribe = this.#publisher.subscribe(listener);
    this.#pace.setWatched(true);
    return () => {
      unsubscribe();
      this.#pace.setWatched(this.#publisher.isHeard);
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
    const stands = await this.#readNow([resource], this.#columns);
    if (this.#publisher.isOpen && this.#keeps(resource)) this.#publisher.publish([resource], false);
    const context = this.#context();
    const facts = this.#ledger.history.factsOf(resource);
    const lock = lockViewOf(resource, stands.get(resource) ?? [], facts, context);
    const quorum = quorumOf(this.#columns.length);
    return {
      ...lock,
      timeline: [...this.#ledger.history.timelineOf(resource)],
      hints: hintsOf(lock, quorum),
      obstacles: obstaclesOf(lock),
      ownedByConsole: this.#options.ownedByConsole(resource),
      quorum,
      n: this.#columns.length,
    };
  }

  /** Reads resources again at once, because the console just acted on them, and publishes what came of it. */
  async refresh(resources: readonly string[]): Promise<void> {
    const kept = resources.filter((resource) => this.#keeps(resource));
    if (kept.length === 0) return;
    await this.#readNow(kept, this.#heard());
    this.#publisher.publish(kept, true);
  }

  /** When the key that a node showed last dies by itself, milliseconds from now; null = never, or nothing is known. */
  lastKnownRemaining(node: NodeId, resource: string): number | null {
    const sighting = this.#columns.find((column) => column.master.id === node)?.standOf(resource).sighting ?? null;
    if (sighting === null || sighting.remainingMs === null) return null;
    return Math.max(0, earliestEnd(sighting) - this.#options.clock.now());
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
    await this.#publisher.settle();
    if (!this.#publisher.hasDirty) return;
    // A startling finding is published at the second look; without it the list would lack what was found just now.
    await new Promise<void>((resolve) => this.#options.clock.schedule(SECOND_LOOK_MS, resolve));
    await this.#publisher.settle();
  }

  #statusChanged(column: NodeColumn): void {
    const { state, faults } = column.master.status();
    if (state === "down") column.noteDown(faults[0] ?? "the node is down");
    else this.#pace.wake(column);
    this.#publisher.markAllDirty();
  }

  #sweep(): void {
    for (const resource of this.#ledger.overdue(this.#options.clock.now())) this.#publisher.markDirty(resource);
  }
}
