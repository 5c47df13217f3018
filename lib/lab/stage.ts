import { type EmbeddedCluster, openLinks, startEmbeddedCluster } from "@/lib/cluster";
import { AppError, type LabCommandBody, type LabCrowd, type LabEvent } from "@/lib/contract";
import { quorumOf, SeededRandom } from "@/lib/redlock";
import { Actor } from "./actor";
import type { ClientTask } from "./client-task";
import { LabClient } from "./lab-client";
import { Ledger } from "./ledger";
import { Machines } from "./machines";
import { Observer, type Sight } from "./observer";
import { Patience } from "./patience";
import type { Happening, LabRecord } from "./record";
import { WallClocks } from "./wall-clocks";
import { Ways } from "./ways";

/** Wide, for a busy machine: a hung node is seen to cost this and no more. */
export const LAB_NODE_TIMEOUT_MS = 1000;

const LOOK_AGAIN_MS = 15;
const TRUE_WITHIN_MS = 15_000;

/** The locks that scenarios are about, below a prefix of their own. */
export const DOOR = "lab:door";
export const SECOND_DOOR = "lab:second-door";

/** What the redis-servers of a scenario are started with. */
export interface ServerNeeds {
  /** Over the usual ones. */
  readonly args?: readonly string[];
  /** For clocks and disks: the shim, where it can be compiled. */
  readonly hasShim?: boolean;
}

export interface StageOptions {
  readonly n: number;
  readonly seed: number;
  readonly servers?: ServerNeeds;
  /** For the data of the servers; made when it is missing. */
  readonly folder: string;
  /** The bundled client. */
  readonly clientProgram: string;
  readonly record: LabRecord;
  /** As the viewer wants it, where the scenario has one. */
  readonly crowd?: LabCrowd | null;
  /** Between two looks at the nodes, milliseconds. */
  readonly lookEveryMs?: number;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** What sets a client apart from the others. */
export interface EnterOptions {
  /** Longest TTL in use, for the restart guard; null = no guard. */
  readonly guardTtlMs?: number | null;
  /** The nodes it knows, all unless said otherwise; by a name that stays when a failover puts another node in their place. */
  readonly nodes?: readonly string[];
  readonly nodeTimeoutMs?: number;
}

/** What a scenario plays on: redis-servers, links and clients of its own, and the record of what happens to them. */
export class Stage {
  /** Names of the nodes, in order. */
  readonly nodes: readonly string[];
  readonly quorum: number;
  readonly machines: Machines;
  /** Of the servers. */
  readonly clocks: WallClocks;
  /** What ends every wait with the run. */
  readonly patience: Patience;
  readonly #options: StageOptions;
  readonly #cluster: EmbeddedCluster;
  readonly #observer: Observer;
  readonly #random: SeededRandom;
  readonly #actors: Actor[] = [];
  readonly #ledgers: Ledger[] = [];
  #obey: ((command: LabCommandBody) => Promise<string>) | null = null;

  private constructor(options: StageOptions, cluster: EmbeddedCluster) {
    this.#options = options;
    this.#cluster = cluster;
    this.patience = new Patience(options.signal);
    this.machines = new Machines(cluster, options.record, this.patience);
    this.clocks = new WallClocks(this.machines);
    this.#random = new SeededRandom(options.seed);
    this.nodes = cluster.nodes.map(({ id }) => id);
    this.quorum = quorumOf(this.nodes.length);
    const resources = [DOOR, SECOND_DOOR];
    const { record, lookEveryMs } = options;
    this.#observer = new Observer({
      cluster,
      record,
      resources,
      nodeTimeoutMs: LAB_NODE_TIMEOUT_MS,
      lookEveryMs,
      emulatedAheadMs: (node) => this.clocks.emulatedAheadMs(node),
    });
  }

  /** @throws Error with a sentence for the operator */
  static async open(options: StageOptions): Promise<Stage> {
    const { n: size, folder, servers: { args = [], hasShim } = {} } = options;
    // Nothing on disk: what a crash takes away is gone.
    const serverArgs = ["--appendonly", "no", ...args];
    const cluster = await startEmbeddedCluster({ size, folder, serverArgs, hasRandomPorts: true, hasShim });
    return new Stage(options, cluster);
  }

  /** One sentence for whoever watches. To be called when what it says has been observed. */
  tell(text: string): void {
    this.note({ kind: "told", text });
  }

  /** What the viewer wants of the crowd; null where the scenario has none. */
  get crowd(): LabCrowd | null {
    return this.#options.crowd ?? null;
  }

  /** How far the run has come, on the clock of its record. */
  get nowMs(): number {
    return this.#options.record.tookMs;
  }

  /** The record has little room left: a run that is as long as somebody likes ends now. */
  get isNearlyFull(): boolean {
    return this.#options.record.isNearlyFull;
  }

  /** From now on viewers may command. @param obey does what they want, and says in words what that was */
  takeCommands(obey: (command: LabCommandBody) => Promise<string>): void {
    this.#obey = obey;
  }

  /** @throws AppError lab_busy when this run takes no commands, or none now; or what carrying it out throws */
  async command(command: LabCommandBody): Promise<string> {
    if (this.#obey === null) throw new AppError("lab_busy", "This run takes no commands, or none yet.");
    return this.patience.wait(this.#obey(command));
  }

  /** Something that happened, now. */
  note(happening: Happening): void {
    this.#options.record.note(happening);
  }

  /** Some of the nodes, by the seed. */
  pick(count: number): readonly string[] {
    const left = [...this.nodes];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [node] = left.splice(Math.floor(this.#random.fraction() * left.length), 1);
      return node ?? "";
    }).sort();
  }

  /** A number from 0 up to `most`, by the seed. */
  upTo(most: number): number {
    return most * this.#random.fraction();
  }

  /** A client in a process of its own, with links of its own. */
  async enter(name: string, text: string, options: EnterOptions = {}): Promise<Actor> {
    this.patience.throwIfOver();
    const { guardTtlMs = null, nodes = this.nodes, nodeTimeoutMs = LAB_NODE_TIMEOUT_MS } = options;
    const links = await openLinks(nodes.map((node) => this.machines.portOf(node)));
    const members =
      options.nodes?.map((_, index) => `seat-${index}:6379`) ?? this.#cluster.nodes.map((each) => each.address);
    const task: ClientTask = {
      urls: links.ports.map((port, index) => `redis://127.0.0.1:${port}#${nodes[index]}`),
      guard: guardTtlMs === null ? null : { members, maxTtlMs: guardTtlMs },
      nodeTimeoutMs,
    };
    const { record, clientProgram } = this.#options;
    const client = new LabClient(
      name,
      (listeners) => this.#cluster.startClient(clientProgram, task, listeners),
      (what) => actor.hear(what),
    );
    const ways = new Ways({ client: name, nodes, links, record });
    this.clocks.show(ways);
    const actor = new Actor({ client, ways, record, patience: this.patience });
    this.#actors.push(actor);
    await this.patience.wait(client.ready());
    record.note({ kind: "client", client: name, text, pid: client.pid });
    return actor;
  }

  /** Something that a lock protects; every write that reaches it is on record. */
  async ledger(name: string, isFenced: boolean): Promise<Ledger> {
    const { record } = this.#options;
    const ledger = await Ledger.open(name, isFenced, (write) => record.note({ kind: "write", ledger: name, ...write }));
    this.#ledgers.push(ledger);
    return ledger;
  }

  /** Does to a lock what an operator can do to it in this console, on every node. */
  async operate(action: "force-expire" | "revoke", resource: string): Promise<void> {
    const outcomes = await this.patience.wait(this.#observer.operate(action, resource, this.#token()));
    for (const { node, outcome } of outcomes) {
      this.note({ kind: "operator", node, resource, action, outcome });
    }
  }

  /**
   * Waits for something to be seen on the nodes.
   *
   * @param what names it in the error
   * @throws Error when it is not seen in time
   */
  async until(
    isSo: (sights: ReadonlyMap<string, Sight>) => boolean,
    what: string,
    withinMs = TRUE_WITHIN_MS,
  ): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (!isSo(await this.patience.wait(this.#observer.look()))) {
      if (performance.now() > deadline) throw new Error(`The lab waited ${withinMs} ms in vain for ${what}.`);
      await this.pauseMs(LOOK_AGAIN_MS);
    }
  }

  /** Waits for something to be on record. @throws Error when it is not in time */
  async heard<Event extends LabEvent>(
    find: (events: readonly LabEvent[]) => Event | undefined,
    what: string,
    withinMs = TRUE_WITHIN_MS,
  ): Promise<Event> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const found = find(this.#options.record.events);
      if (found !== undefined) return found;
      if (performance.now() > deadline) throw new Error(`The lab waited ${withinMs} ms in vain for ${what}.`);
      await this.pauseMs(LOOK_AGAIN_MS);
    }
  }

  /** Lets time pass between two tries. */
  pauseMs(ms: number): Promise<void> {
    return this.patience.pauseMs(ms);
  }

  /** Ends every process the stage has started, whatever state it is in. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#observer.stop(), ...this.#actors.map((actor) => actor.close())]);
    for (const part of [this.machines, ...this.#ledgers]) part.close();
    await Promise.allSettled([this.#cluster.stop()]);
  }

  /** One of an operator: belongs to no client. */
  #token(): string {
    return `operator-${this.#options.seed}`;
  }
}
