import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { NodeId } from "@/lib/redlock";
import { type ClientListeners, type ClientProcess, startClientProcess } from "./client-process";
import { ClusterNode } from "./cluster-node";
import type { EmbeddedCluster, FaultKind } from "./embedded";
import { findServer } from "./find-server";
import { Keeper } from "./keeper-process";
import { randomPort } from "./ports";
import { buildServerShim, type ServerShim, type ShimBuild } from "./server-shim";

const NAMES = "abcdefghijklmnopqrstuvwxyz";
const SIZE = 5;

export interface EmbeddedClusterOptions {
  /** How many nodes; they are named a, b, c, … */
  readonly size?: number;
  /** Holds a folder per run; made when it is missing. */
  readonly folder: string;
  /** Of the servers, over the usual ones. */
  readonly serverArgs?: readonly string[];
  /** For clusters that come and go: ports anywhere, instead of those that are easy to remember and others look at too. */
  readonly hasRandomPorts?: boolean;
  /** For faults of clocks and disks: the servers run under the shim, where it can be compiled. */
  readonly hasShim?: boolean;
  /** Told in one line what happens to the processes. */
  readonly log?: (line: string) => void;
}

/**
 * Starts an embedded cluster; resolves when every node answers. Servers that an earlier, crashed console left behind under the same
 * folder are ended first; those of another living console are left alone.
 *
 * @throws RangeError when the size is not 1 to 26
 * @throws Error with a sentence for the operator: no server program, no free port, a folder that cannot be written
 */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { size = SIZE, log = () => {} } = options;
  if (!Number.isInteger(size) || size < 1 || size > NAMES.length) {
    throw new RangeError(`size must be an integer from 1 to ${NAMES.length}, got ${size}`);
  }
  const program = await findServer();
  const folder = await makeRunFolder(options.folder);
  const keeper = await Keeper.start(resolve(options.folder), folder);
  const cluster = new Cluster(keeper, folder, log);
  try {
    await cluster.start(program, size, options);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  log(`${size} embedded nodes: ${cluster.nodes.map(({ id, address }) => `${id} ${address}`).join(", ")}`);
  return cluster;
}

class Cluster implements EmbeddedCluster {
  readonly #keeper: Keeper;
  readonly #folder: string;
  readonly #log: (line: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #shims = new Map<string, ServerShim>();
  #shim: ShimBuild = { kind: "unavailable", reason: "nobody asked for it" };
  #nodes: readonly ClusterNode[] = [];
  #stopping: Promise<void> | null = null;

  constructor(keeper: Keeper, folder: string, log: (line: string) => void) {
    this.#keeper = keeper;
    this.#folder = folder;
    this.#log = log;
  }

  get nodes(): readonly ClusterNode[] {
    return this.#nodes;
  }

  async start(
    program: string,
    size: number,
    { serverArgs = [], hasRandomPorts = false, hasShim = false }: EmbeddedClusterOptions,
  ): Promise<void> {
    if (hasShim) this.#shim = await buildServerShim(join(this.#folder, "shim"));
    const common = {
      program,
      folder: this.#folder,
      keeper: this.#keeper,
      serverArgs,
      portsFrom: hasRandomPorts ? randomPort() : null,
    };
    const starts = [...NAMES.slice(0, size)].map((name) =>
      ClusterNode.start({ ...common, name, env: this.#shimmed(name), onChange: () => this.#changed(name) }),
    );
    const results = await Promise.allSettled(starts);
    this.#nodes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  async apply(node: NodeId, fault: FaultKind): Promise<void> {
    await this.#nodeOf(node).apply(fault);
    this.#log(`node ${node}: ${fault}`);
    this.#notify();
  }

  async heal(node: NodeId, options: { readonly data?: "keep" | "empty" } = {}): Promise<void> {
    await this.#nodeOf(node).heal(options.data ?? "keep");
    this.#log(`node ${node}: healed`);
    this.#notify();
  }

  startClient(program: string, task: object, listeners: ClientListeners): ClientProcess {
    return startClientProcess(program, task, listeners, this.#keeper);
  }

  get shimProblem(): string | null {
    return this.#shim.kind === "built" ? null : this.#shim.reason;
  }

  shimOf(id: NodeId): ServerShim {
    const shim = this.#shims.get(this.#nodeOf(id).id);
    if (shim === undefined) throw new Error(`The servers run without the shim: ${this.shimProblem}.`);
    return shim;
  }

  onChange(listener: () => void): () => void {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    // Ends what a failed start may have left, and removes the folder.
    await this.#keeper.finish();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Environment of a node's server. */
  #shimmed(name: string): Readonly<Record<string, string>> {
    if (this.#shim.kind !== "built") return {};
    const shim = this.#shim.forServer(name);
    this.#shims.set(name, shim);
    return shim.env;
  }

  #nodeOf(id: NodeId): ClusterNode {
    const node = this.#nodes.find((each) => each.id === id);
    if (node === undefined) {
      throw new RangeError(`no embedded node ${id}; there are ${this.#nodes.map((each) => each.id).join(", ")}`);
    }
    return node;
  }

  /** A process has changed its state. */
  #changed(name: string): void {
    const node = this.#nodes.find((each) => each.id === name);
    if (node === undefined || this.#stopping !== null) return;
    if (node.process().state === "dead") this.#log(`node ${name}: its server ended by itself`);
    node.reviewLink().catch((error: unknown) => this.#log(String(error)));
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

async function makeRunFolder(root: string): Promise<string> {
  try {
    await mkdir(root, { recursive: true });
    return await mkdtemp(join(resolve(root), "run-"));
  } catch (cause) {
    throw new Error(`The embedded cluster cannot write to its data folder ${root}.`, { cause });
  }
}
