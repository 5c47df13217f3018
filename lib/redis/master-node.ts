import type { ReleaseRecipe, WaiterSource } from "@/lib/layouts";
import {
  type AcquireRequest,
  type AcquireVote,
  type DirectVerbs,
  type ExtendRequest,
  type ExtendVote,
  type FenceReading,
  type HandOver,
  type HealRequest,
  type HealVote,
  keyFromBytes,
  type NodeId,
  type RaiseFenceRequest,
  type RaiseFenceVote,
  type ReleaseRequest,
  type ReleaseVote,
  type RestoreFenceRequest,
  type RestoreFenceVote,
} from "@/lib/redlock";
import { bootstrap, type GuardedSetup } from "./bootstrap";
import { changeLock } from "./change-lock";
import { Clocks } from "./clocks";
import { type ClientFactory, Connection } from "./connection";
import { drain, undrain } from "./drain";
import { FenceVerbs } from "./fence-verbs";
import { noGuard } from "./guard";
import { Health } from "./health";
import { keyArgument } from "./key-bytes";
import { LockVerbs } from "./lock-verbs";
import type {
  BootstrapAnswer,
  ChangeAnswer,
  DrainAnswer,
  Master,
  MasterStatus,
  ReadAnswer,
  ScanAnswer,
  ScanStep,
  WaiterAnswer,
} from "./master";
import { type MasterNodeOptions, NODE_TIMEOUT_MS, PROBE_EVERY_MS } from "./master-node-options";
import { QueueVerbs } from "./queue-verbs";
import { readKeys, readSwaps, scanKeys } from "./reader";
import { RELEASE_BY_RECIPE, recipeInput } from "./recipe-script";
import { promised, RoutedVerbs } from "./routed-verbs";
import type { VotingSetup } from "./run-voting";
import { COMPARE_AND_SWAP } from "./scripts";
import { ServerIds } from "./server-ids";
import { withinLimit } from "./time-limit";
import { type ChangeFeed, type ChangeListener, Tracking } from "./tracking";
import { readWaiters } from "./waiter-reader";

/**
 * One Redis or Valkey master through ioredis.
 *
 * Two connections: one carries what changes locks, whose order matters; the other carries questions (readings, scans, probes), so
 * that a slow answer to one never delays a vote.
 */
export class MasterNode implements Master {
  readonly id: NodeId;
  readonly address: string;
  readonly database: number;
  readonly #nodeTimeoutMs: number;
  readonly #createClient: ClientFactory;
  readonly #health: Health;
  readonly #locks: Connection;
  readonly #reads: Connection;
  readonly #verbs: LockVerbs;
  readonly #fences: FenceVerbs;
  readonly #queues: QueueVerbs;
  readonly direct: DirectVerbs;
  readonly #probing: NodeJS.Timeout | null;
  #onFirstContact: () => void = () => {};
  /** Resolves when the first attempt to reach the node has succeeded or failed: from then on `status()` means something. */
  readonly firstContact = new Promise<void>((resolve) => {
    this.#onFirstContact = resolve;
  });

  constructor(options: MasterNodeOptions) {
    this.id = options.id;
    this.address = options.address;
    this.database = options.database;
    this.#nodeTimeoutMs = options.nodeTimeoutMs ?? NODE_TIMEOUT_MS;
    this.#createClient = options.createClient;
    const { id, serverIds = new ServerIds(), clocks = new Clocks(), guard = noGuard() } = options;
    this.#health = new Health({ id, serverIds, clocks, guard, nodeTimeoutMs: this.#nodeTimeoutMs });
    const common = { createClient: options.createClient, nodeTimeoutMs: this.#nodeTimeoutMs };
    this.#locks = new Connection({
      ...common,
      greet: (send) => {
        this.#verbs.greet(send);
        this.#queues.greet(send);
        return this.#health.introduce(send);
      },
      onChange: () => {
        this.#onFirstContact();
        this.#verbs.connectionChanged();
        this.#queues.connectionChanged();
        this.#health.review();
      },
      beforeSend: () => this.#verbs.flush(),
    });
    this.#reads = new Connection({
      ...common,
      greet: (send) => send("TIME"),
      onChange: () => {
        this.#health.review();
        if (this.#reads.isOpen && !this.#reads.hasUnanswered) void this.#health.probe();
      },
    });
    const votingSetup: VotingSetup = {
      connection: this.#locks,
      nodeTimeoutMs: this.#nodeTimeoutMs,
      guard: this.#health.guard,
      time: this.#health.clock.time,
      unsafeReason: () => this.#health.unsafeReason(),
      onBarred: () => this.#health.barred(),
      denial: this.#health.denial,
    };
    this.#verbs = new LockVerbs(votingSetup, options.coalesce ?? true);
    this.#fences = new FenceVerbs({ ...votingSetup, onGuess: () => this.#health.fencesGuessed() });
    this.#queues = new QueueVerbs({ ...votingSetup, createClient: options.createClient });
    this.direct = new RoutedVerbs(this.#verbs, this.#queues);
    this.#health.watch(this.#locks, this.#reads);
    const everyMs = options.probeEveryMs ?? PROBE_EVERY_MS;
    this.#probing = everyMs > 0 ? setInterval(() => void this.#health.probe(true), everyMs) : null;
    this.#probing?.unref();
  }

  /** Releases that this node still has to be sent, or sent again. */
  get outstandingReleases(): number {
    return this.#verbs.outstanding + this.#queues.outstanding;
  }

  get handOver(): HandOver {
    return this.#queues;
  }

  acquire(request: AcquireRequest): Promise<AcquireVote> {
    return promised((sink) => this.direct.acquire(request, sink, 0));
  }

  extend(request: ExtendRequest): Promise<ExtendVote> {
    return promised((sink) => this.direct.extend(request, sink, 0));
  }

  heal(request: HealRequest): Promise<HealVote> {
    return promised((sink) => this.#verbs.heal(request, sink, 0));
  }

  release(request: ReleaseRequest): Promise<ReleaseVote> {
    return promised((sink) => this.direct.release(request, sink, 0));
  }

  raiseFence(request: RaiseFenceRequest): Promise<RaiseFenceVote> {
    return this.#fences.raise(request);
  }

  readFence(): Promise<FenceReading> {
    return this.#fences.read();
  }

  restoreFence(request: RestoreFenceRequest): Promise<RestoreFenceVote> {
    return this.#fences.restore(request);
  }

  status(): MasterStatus {
    return this.#health.status();
  }

  probe(): Promise<MasterStatus> {
    return this.#health.probe();
  }

  onChange(listener: () => void): () => void {
    return this.#health.onChange(listener);
  }

  async read(resources: readonly string[]): Promise<ReadAnswer> {
    if (resources.length === 0) return { kind: "readings", readings: [], roundTripMs: 0 };
    return withinLimit(readKeys(this.#reads, resources), this.#nodeTimeoutMs);
  }

  scan(step: ScanStep): Promise<ScanAnswer> {
    return withinLimit(scanKeys(this.#reads, step), this.#nodeTimeoutMs);
  }

  follow(prefixes: readonly string[], listener: ChangeListener): ChangeFeed {
    const [createClient, nodeTimeoutMs] = [this.#createClient, this.#nodeTimeoutMs];
    return new Tracking({ createClient, nodeTimeoutMs, prefixes, listener });
  }

  swaps(): Promise<number | null> {
    return readSwaps(this.#reads, this.#nodeTimeoutMs);
  }

  async carryOut(recipe: ReleaseRecipe): Promise<ChangeAnswer> {
    const change = changeLock(this.#locks, RELEASE_BY_RECIPE, recipeInput(recipe));
    const answer = await withinLimit(change, this.#nodeTimeoutMs);
    if (answer.kind === "done") await this.handOn(keyFromBytes(Buffer.from(recipe.key, "latin1")));
    return answer;
  }

  async handOn(resource: string): Promise<void> {
    await withinLimit(this.#queues.handOn(resource), this.#nodeTimeoutMs);
  }

  compareAndSwap(resource: string, seen: Buffer, replacement: Buffer): Promise<ChangeAnswer> {
    const input = { keys: [keyArgument(resource)], args: [seen, replacement] };
    return withinLimit(changeLock(this.#locks, COMPARE_AND_SWAP, input), this.#nodeTimeoutMs);
  }

  waiters(source: WaiterSource): Promise<WaiterAnswer> {
    return withinLimit(readWaiters(this.#reads, source), this.#nodeTimeoutMs);
  }

  async bootstrap(): Promise<BootstrapAnswer> {
    // So that the marker says from the start whether the node keeps its votes through a restart.
    await this.#health.probe();
    const answer = await bootstrap(this.#guarded);
    await this.#health.probe();
    return answer;
  }

  drain(): Promise<DrainAnswer> {
    return drain(this.#guarded).finally(() => this.#health.review());
  }

  undrain(): Promise<DrainAnswer> {
    return undrain(this.#guarded).finally(() => this.#health.review());
  }

  /** Waits for what is under way, no longer than the node time limit, then closes both connections. */
  async close(): Promise<void> {
    if (this.#probing !== null) clearInterval(this.#probing);
    this.#verbs.flush();
    if (this.#locks.isUsable && this.#locks.hasUnanswered) {
      // Replies come in order: when this one is here, so are the others.
      await withinLimit(this.#locks.send("PING"), this.#nodeTimeoutMs);
    }
    this.#verbs.stop();
    this.#queues.stop();
    await Promise.all([this.#locks.close(), this.#reads.close(), this.#queues.close()]);
  }

  get #guarded(): GuardedSetup {
    return { connection: this.#locks, guard: this.#health.guard, nodeTimeoutMs: this.#nodeTimeoutMs };
  }
}
