import {
  type AuditEntry,
  type LockDetail,
  type LockList,
  type LocksQuery,
  type Scan,
  SNAPSHOT_LOCKS_MAX,
  type StreamEvents,
} from "@/lib/contract";
import { globMatcher, isHelperKey, KNOWN_LAYOUTS } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import type { Clock, NodeId } from "@/lib/redlock";
import { contextOf } from "./context";
import { detailOf } from "./detail";
import { Ledger, type LedgerOptions } from "./ledger";
import { Pace } from "./pace";
import { pageOf } from "./page";
import { PageFeed, type PageView } from "./page-feed";
import { type LockDifference, Publisher } from "./publisher";
import { earliestEnd, type NodeStand } from "./sighting";
import { SightingTable } from "./table";
import type { ViewContext } from "./view";
import { NodeWatch } from "./watch";

/** How long a list waits for a fresher reading, and the console's first answer for the first one, milliseconds. */
const FRESHEN_MS_MAX = 250;
const FIRST_READING_MS_MAX = 2000;
/** How long a list, and the start, waits in all for what was read to be judged; then it shows what is. */
const SETTLE_MS_MAX = 1000;
/** Nodes that tell their changes are read again so often, slowly, in case one was missed, milliseconds. */
const VERIFY_EVERY_MS = 30_000;

export interface InventoryOptions extends LedgerOptions {
  readonly masters: readonly Master[];
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly wallClock: () => number;
  readonly patterns: readonly string[];
  /** Between two slow readings of a node that tells its changes, in case one was missed, milliseconds; 30 s when not given. */
  readonly verifyEveryMs?: number;
  /** What this console holds under a name. */
  readonly ownedByConsole: (resource: string) => LockDetail["ownedByConsole"];
  /** Whether a token is this console's own; none is when left out. */
  readonly isOwn?: (fingerprint: string) => boolean;
}

/** The live mirror: what every node says, as one list of locks with verdicts, kept fresh by one loop per node. */
export class Inventory {
  readonly #options: InventoryOptions;
  readonly #table: SightingTable;
  readonly #watches: readonly NodeWatch[];
  readonly #ledger: Ledger;
  readonly #pace: Pace;
  readonly #matchers: readonly ((key: string) => boolean)[];
  readonly #publisher: Publisher;
  readonly #unsubscribes: (() => void)[] = [];
  #isStopped = false;

  constructor(options: InventoryOptions) {
    this.#options = options;
    const { masters, clock, patterns, layouts = KNOWN_LAYOUTS, verifyEveryMs = VERIFY_EVERY_MS } = options;
    this.#matchers = patterns.map(globMatcher);
    this.#table = new SightingTable(masters.length, clock.now());
    this.#ledger = new Ledger(options);
    const listener = {
      keyChanged: (resource: string) => this.#publisher.markDirty(resource),
      wordChanged: () => this.#publisher.markAllDirty(),
      scanChanged: () => this.#publisher.markScan(),
    };
    const keeps = (resource: string) => this.#keeps(resource);
    const isActive = () => this.#pace.isActive();
    const common = { clock, table: this.#table, layouts, patterns, listener, keeps, isActive, verifyEveryMs };
    this.#watches = masters.map((master, place) => new NodeWatch({ ...common, master, place }));
    this.#pace = new Pace(clock, this.#watches, () => this.#sweep());
    this.#publisher = new Publisher({
      clock,
      columns: this.#watches.map(({ column }) => column),
      ledger: this.#ledger,
      everything: () => this.#everything(),
      count: () => Math.max(this.#table.size, this.#ledger.size),
      isComing: (resource) => this.#watches.some((watch) => watch.isReading(resource)),
      context: () => this.#context(),
      scan: () => this.scan(),
      confirm: async (resources) => {
        const polled = this.#polled();
        if (polled.length > 0) await this.#readNow(resources, polled);
      },
    });
  }

  /**
   * Starts reading. Resolves after the first reading of every node, or when the slow ones have had their time. What is not read by then is
   * judged later and at once: judging locks while they are read would judge each several times.
   */
  async start(): Promise<void> {
    for (const watch of this.#watches) {
      this.#unsubscribes.push(watch.column.master.onChange(() => this.#statusChanged(watch)));
    }
    await this.#pace.soon(this.#begin(), FIRST_READING_MS_MAX);
    await this.#pace.soon(this.#publisher.settle(), SETTLE_MS_MAX);
  }

  stop(): void {
    this.#isStopped = true;
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
      this.#pace.setWatched(this.#publisher.hasListeners);
    };
  }

  /** One page of the list. Waits a moment for a fresh reading when the last one is old; never longer. */
  async list(query: LocksQuery): Promise<LockList> {
    await this.#freshen();
    const context = this.#context();
    const page = pageOf(this.#ledger, query, context);
    return { readAt: context.readAt, ...page, scan: this.scan() };
  }

  /** Everything the stream begins with. */
  async snapshot(): Promise<Omit<StreamEvents["snapshot"], "cluster">> {
    await this.#freshen();
    const context = this.#context();
    const { locks, total } = pageOf(this.#ledger, { q: "", sort: "verdict", limit: SNAPSHOT_LOCKS_MAX }, context);
    return { readAt: context.readAt, locks, total, scan: this.scan() };
  }

  /** What one page shows, to be asked again after each difference. Waits for nothing: differences bring what is fresher. */
  follow(view: PageView): PageFeed {
    return new PageFeed(this.#ledger, view, { context: () => this.#context(), scan: () => this.scan() });
  }

  /** One lock, asked of every node now; also when it is free. */
  async detail(resource: string): Promise<LockDetail> {
    this.#pace.noteRequest();
    const stands = (await this.#readNow([resource], this.#watches)).get(resource) ?? [];
    if (this.#publisher.isOpen && this.#keeps(resource)) this.#publisher.publish([resource], false);
    const { history } = this.#ledger;
    return detailOf(this.#ledger.viewOf(resource, stands, this.#context()), history, this.#options);
  }

  /** Reads resources again at once, because the console just acted on them, and publishes what came of it. */
  async refresh(resources: readonly string[]): Promise<void> {
    const kept = resources.filter((resource) => this.#keeps(resource));
    if (kept.length === 0) return;
    await this.#readNow(kept, this.#heard());
    this.#publisher.publish(kept, true);
  }

  /** Takes in what an operator did through this console, for the timeline and the incidents. */
  noteAction(entry: AuditEntry): void {
    this.#ledger.noteAction(entry);
  }

  /** When the key that a node showed last dies by itself, milliseconds from now; null = never, or nothing is known. */
  lastKnownRemaining(node: NodeId, resource: string): number | null {
    const column = this.#watches.find((watch) => watch.column.master.id === node)?.column;
    const sighting = column?.standOf(resource, null).sighting ?? null;
    if (sighting === null || sighting.remainingMs === null) return null;
    return Math.max(0, earliestEnd(sighting) - this.#options.clock.now());
  }

  /** What the locks of a fingerprint have in common on all nodes, by the word of any of them, also of one that is silent now. */
  lastKnownGroup(resource: string, fingerprint: string): string | null {
    return this.#table.row(resource).find((one) => one?.fingerprint === fingerprint)?.recognition?.group ?? null;
  }

  /** How complete the list is. */
  scan(): Scan {
    const nodes = this.#watches.map(({ scan }) => scan);
    const complete = nodes.filter(({ state }) => state === "complete").length;
    const { backlog } = this.#publisher;
    return { complete, n: nodes.length, nodes, ...(backlog > 0 ? { unjudged: backlog } : {}) };
  }

  async #begin(): Promise<void> {
    await this.#pace.start();
    if (!this.#isStopped) this.#publisher.open();
  }

  *#everything(): Iterable<string> {
    yield* this.#table.resources();
    for (const resource of this.#ledger.resources()) if (this.#table.row(resource).length === 0) yield resource;
  }

  #context(): ViewContext {
    const { masters, clock, wallClock, isOwn } = this.#options;
    return { ...contextOf(masters, { now: clock.now(), readAt: Math.round(wallClock()) }), isOwn };
  }

  #heard(): readonly NodeWatch[] {
    return this.#watches.filter(({ column }) => column.scan.state === "complete");
  }

  /** The nodes that answer but do not tell of changes: what was read of them is as old as their last reading. */
  #polled(): readonly NodeWatch[] {
    return this.#heard().filter(({ isFollowing }) => !isFollowing);
  }

  #keeps(resource: string): boolean {
    return !isHelperKey(resource) && this.#matchers.some((matches) => matches(resource));
  }

  async #readNow(
    resources: readonly string[],
    watches: readonly NodeWatch[],
  ): Promise<ReadonlyMap<string, readonly NodeStand[]>> {
    const answers = await Promise.all(watches.map(({ column }) => column.readNow(resources)));
    return new Map(
      resources.map((resource) => [resource, answers.flatMap((answer) => answer.get(resource) ?? [])] as const),
    );
  }

  async #freshen(): Promise<void> {
    this.#pace.noteRequest();
    // Judging a hundred thousand locks anew, because a node's word changed, takes longer than anybody waits for a list.
    await this.#pace.soon(this.#settled(), SETTLE_MS_MAX);
  }

  async #settled(): Promise<void> {
    await this.#pace.freshen(FRESHEN_MS_MAX);
    await this.#publisher.settle();
    // Without a second look the list would lack what was found just now and is startling.
    await this.#publisher.secondLook();
  }

  #statusChanged(watch: NodeWatch): void {
    const { state, faults } = watch.column.master.status();
    if (state === "down") watch.column.noteDown(faults[0] ?? "the node is down");
    else if (!watch.isFollowing) watch.wake();
    this.#publisher.noteStatus();
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    for (const resource of this.#table.expire(now)) this.#publisher.markDirty(resource);
    for (const resource of this.#ledger.due(now, this.#options.wallClock())) this.#publisher.markDirty(resource);
  }
}
