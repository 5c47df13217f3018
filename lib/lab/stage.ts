import { type ClientLinks, type EmbeddedCluster, openLinks, startEmbeddedCluster } from "@/lib/cluster";
import { nodeId, quorumOf, SeededRandom } from "@/lib/redlock";
import type { AcquireNews } from "./client-task";
import { LabClient } from "./lab-client";
import { Observer, type Sight } from "./observer";
import type { LabRecord } from "./record";

/** Wide, for a busy machine: a hung node is seen to cost this and no more. */
export const LAB_NODE_TIMEOUT_MS = 300;

const LOOK_AGAIN_MS = 15;
const TRUE_WITHIN_MS = 15_000;

/** The locks that scenarios are about, below a prefix of their own. */
export const DOOR = "lab:door";
export const SECOND_DOOR = "lab:second-door";

export interface StageOptions {
  readonly n: number;
  readonly seed: number;
  /** For the data of the servers; made when it is missing. */
  readonly folder: string;
  /** The bundled client. */
  readonly clientProgram: string;
  readonly record: LabRecord;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** One client on the stage. */
export interface Actor {
  readonly name: string;
  readonly client: LabClient;
  readonly links: ClientLinks;
}

/** What a scenario plays on: redis-servers, links and clients of its own, and the record of what happens to them. */
export class Stage {
  /** Names of the nodes, in order. */
  readonly nodes: readonly string[];
  readonly quorum: number;
  readonly #options: StageOptions;
  readonly #cluster: EmbeddedCluster;
  readonly #observer: Observer;
  readonly #random: SeededRandom;
  readonly #actors: Actor[] = [];
  #locks = 0;

  private constructor(options: StageOptions, cluster: EmbeddedCluster) {
    this.#options = options;
    this.#cluster = cluster;
    this.#random = new SeededRandom(options.seed);
    this.nodes = cluster.nodes.map(({ id }) => id);
    this.quorum = quorumOf(this.nodes.length);
    const resources = [DOOR, SECOND_DOOR];
    this.#observer = new Observer({ cluster, record: options.record, resources, nodeTimeoutMs: LAB_NODE_TIMEOUT_MS });
  }

  /** @throws Error with a sentence for the operator */
  static async open(options: StageOptions): Promise<Stage> {
    // Nothing on disk: what a crash takes away is gone.
    const serverArgs = ["--appendonly", "no"];
    const { n: size, folder } = options;
    const cluster = await startEmbeddedCluster({ size, folder, serverArgs, hasRandomPorts: true });
    return new Stage(options, cluster);
  }

  /** One sentence for whoever watches. To be called when what it says has been observed. */
  tell(text: string): void {
    this.#options.record.note({ kind: "told", text });
  }

  /** Some of the nodes, by the seed. */
  pick(count: number): readonly string[] {
    const left = [...this.nodes];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [node] = left.splice(Math.floor(this.#random.fraction() * left.length), 1);
      return node ?? "";
    }).sort();
  }

  /**
   * A client in a process of its own, with links of its own.
   *
   * @param guardTtlMs longest TTL in use, for the restart guard; null = no guard
   */
  async enter(name: string, text: string, guardTtlMs: number | null = null): Promise<Actor> {
    this.#options.signal.throwIfAborted();
    const ports = this.#cluster.nodes.map(({ address }) => Number(address.slice(address.lastIndexOf(":") + 1)));
    const links = await openLinks(ports);
    const client = new LabClient(name, this.#options.clientProgram, {
      urls: links.ports.map((port, index) => `redis://127.0.0.1:${port}#${this.nodes[index]}`),
      guard:
        guardTtlMs === null ? null : { members: this.#cluster.nodes.map((each) => each.address), maxTtlMs: guardTtlMs },
      nodeTimeoutMs: LAB_NODE_TIMEOUT_MS,
    });
    const actor = { name, client, links };
    this.#actors.push(actor);
    await this.#wait(client.ready());
    this.#options.record.note({ kind: "client", client: name, text, pid: client.pid });
    return actor;
  }

  /** Lets a client try once. */
  async acquire(
    { name, client }: Actor,
    resource: string,
    ttlMs: number,
  ): Promise<AcquireNews & { readonly id: string }> {
    this.#locks += 1;
    const id = `${name}:${this.#locks}`;
    const news = await this.#wait(client.ask({ verb: "acquire", id, resource, ttlMs }));
    const { record } = this.#options;
    const common = { client: name, id, resource, askedMs: record.msOf(news.askedUs), votes: [...news.votes] };
    if (news.kind === "refused") record.note({ kind: "refused", ...common, text: news.text }, news.atUs);
    else {
      const { holder } = news;
      record.note({ kind: "granted", ...common, untilMs: record.msOf(news.untilUs), holder }, news.atUs);
    }
    return { ...news, id };
  }

  /** Lets a client give back what it was granted; the engine compares the token before it deletes. */
  async release({ name, client }: Actor, id: string): Promise<void> {
    const { endedUs, atUs, outcome, votes } = await this.#wait(client.ask({ verb: "release", id }));
    this.#options.record.note({ kind: "ending", client: name, id }, endedUs);
    this.#options.record.note({ kind: "released", client: name, id, outcome, votes: [...votes] }, atUs);
  }

  /** Lets a client send bare words to a node, as one without this engine would. */
  async raw({ name, client }: Actor, node: string, words: readonly string[]): Promise<void> {
    const { answer, atUs } = await this.#wait(client.ask({ verb: "raw", node, words }));
    this.#options.record.note({ kind: "raw", client: name, node, command: words.join(" "), answer }, atUs);
  }

  /** Lets a client declare that no lock is held. */
  async bootstrap({ name, client }: Actor): Promise<void> {
    const { isDone } = await this.#wait(client.ask({ verb: "bootstrap" }));
    if (!isDone) throw new Error(`Client ${name} could not bootstrap the nodes.`);
  }

  /** Waits until the client is connected to these nodes again. */
  async reach({ name, client }: Actor, nodes: readonly string[]): Promise<void> {
    const { isReached } = await this.#wait(client.ask({ verb: "reach", nodes }));
    if (!isReached) throw new Error(`Client ${name} could not connect to ${nodes.join(", ")}.`);
  }

  /** SIGKILL. */
  kill(node: string): Promise<void> {
    return this.#fault(node, "killed (SIGKILL)", () => this.#cluster.apply(nodeId(node), "kill"));
  }

  /** SIGSTOP. */
  pause(node: string): Promise<void> {
    return this.#fault(node, "paused (SIGSTOP)", () => this.#cluster.apply(nodeId(node), "pause"));
  }

  /** SIGCONT. */
  resume(node: string): Promise<void> {
    return this.#fault(node, "resumed (SIGCONT)", () => this.#cluster.heal(nodeId(node)));
  }

  /** A new process with what the disk has: nothing. */
  restart(node: string): Promise<void> {
    return this.#fault(node, "started again, empty", () => this.#cluster.heal(nodeId(node)));
  }

  /** Holds every byte between a client and some nodes, both ways, until it is mended. */
  cut({ name, links }: Actor, nodes: readonly string[]): void {
    this.#link(name, links, nodes, "partitioned");
  }

  mend({ name, links }: Actor, nodes: readonly string[]): void {
    this.#link(name, links, nodes, "open");
  }

  /** Lets requests of a client reach some nodes while it hears nothing from them, until it is mended. */
  deafen({ name, links }: Actor, nodes: readonly string[], isDeaf: boolean): void {
    for (const node of nodes) links.holdReplies(this.nodes.indexOf(node), isDeaf);
    const text = isDeaf ? "loses replies: requests pass, replies are held" : "mended: held replies arrive";
    this.#options.record.note({ kind: "fault", target: `link of ${name} to ${nodes.join(", ")}`, text });
  }

  /** Does to a lock what an operator can do to it in this console, on every node. */
  async operate(action: "force-expire" | "revoke", resource: string): Promise<void> {
    const outcomes = await this.#wait(this.#observer.operate(action, resource, this.#token()));
    for (const { node, outcome } of outcomes) {
      this.#options.record.note({ kind: "operator", node, resource, action, outcome });
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
    while (!isSo(await this.#wait(this.#observer.look()))) {
      if (performance.now() > deadline) throw new Error(`The lab waited ${withinMs} ms in vain for ${what}.`);
      await this.#wait(new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS)));
    }
  }

  /** Lets time pass between two tries. */
  pauseMs(ms: number): Promise<void> {
    return this.#wait(new Promise((resolve) => setTimeout(resolve, ms)));
  }

  /** Ends every process the stage has started, whatever state it is in. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#observer.stop(), ...this.#actors.map(({ client }) => client.end())]);
    for (const { links } of this.#actors) links.close();
    await Promise.allSettled([this.#cluster.stop()]);
  }

  async #fault(target: string, text: string, act: () => Promise<void>): Promise<void> {
    this.#options.record.note({ kind: "fault", target: `node ${target}`, text });
    await this.#wait(act());
  }

  #link(client: string, links: ClientLinks, nodes: readonly string[], mode: "open" | "partitioned"): void {
    for (const node of nodes) links.setMode(this.nodes.indexOf(node), mode);
    const text = mode === "open" ? "mended: held bytes arrive" : "cut: bytes are held both ways";
    const target = `link of ${client} to ${nodes.join(", ")}`;
    this.#options.record.note({ kind: "fault", target, text });
  }

  /** One of an operator: belongs to no client. */
  #token(): string {
    return `operator-${this.#options.seed}`;
  }

  /** The work, or the end of the run, whichever comes first. */
  #wait<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      const end = (): void => reject(signal.reason);
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
    });
  }
}
