import { type ClientLinks, type EmbeddedCluster, type EmbeddedNode, openLinks, type ProcessView } from "@/lib/cluster";
import type { LabFault } from "@/lib/contract";
import { nodeId } from "@/lib/redlock";
import type { Patience } from "./patience";
import { sendRaw } from "./raw-command";
import type { LabRecord } from "./record";

const ANSWER_WITHIN_MS = 2000;

/** The redis-servers of a run, what is done to them, and the record of it. */
export class Machines {
  /** Names of the nodes, in order. */
  readonly names: readonly string[];
  readonly #cluster: EmbeddedCluster;
  readonly #record: LabRecord;
  readonly #patience: Patience;
  readonly #links: ClientLinks[] = [];

  constructor(cluster: EmbeddedCluster, record: LabRecord, patience: Patience) {
    this.names = cluster.nodes.map(({ id }) => id);
    this.#cluster = cluster;
    this.#record = record;
    this.#patience = patience;
  }

  /** How its process stands. @throws RangeError when there is no such node */
  stateOf(node: string): ProcessView["state"] {
    return this.#nodeOf(node).process().state;
  }

  /** SIGKILL. */
  kill(node: string): Promise<void> {
    return this.#fault(node, "killed (SIGKILL)", "kill", () => this.#cluster.apply(nodeId(node), "kill"));
  }

  /** SIGSTOP. */
  pause(node: string): Promise<void> {
    return this.#fault(node, "paused (SIGSTOP)", "pause", () => this.#cluster.apply(nodeId(node), "pause"));
  }

  /** SIGCONT. */
  resume(node: string): Promise<void> {
    return this.#fault(node, "resumed (SIGCONT)", "heal", () => this.#cluster.heal(nodeId(node)));
  }

  /** A new process with what the disk has. */
  restart(node: string, text = "started again, empty"): Promise<void> {
    return this.#fault(node, text, "heal", () => this.#cluster.heal(nodeId(node)));
  }

  /** Puts the wall clock of a node's server forward or back, from within it. @throws Error without the shim, see `shimProblem` */
  stepClock(node: string, aheadMs: number): void {
    this.#cluster.shimOf(nodeId(node)).stepClock(aheadMs);
    this.noteClock(node, aheadMs);
  }

  /** Puts on record that a node's clock is wrong from now on, or right. @param how when it is not the real one */
  noteClock(node: string, aheadMs: number, how = ""): void {
    const text = aheadMs === 0 ? "has its clock set right" : `has its clock set ${aheadMs} ms ahead`;
    this.#note(node, `${text}${how}`, aheadMs === 0 ? "heal" : "clock");
  }

  /** Makes each fsync of a node's server take so long, from within it. @throws Error without the shim, see `shimProblem` */
  slowDisk(node: string, ms: number): void {
    this.#cluster.shimOf(nodeId(node)).delayFsync(ms);
    const text = ms === 0 ? "has a quick disk again" : `has a disk that takes ${ms} ms for each fsync`;
    this.#note(node, text, ms === 0 ? "heal" : "disk");
  }

  /** Why real clocks and disks cannot be had here; null = they can. */
  get shimProblem(): string | null {
    return this.#cluster.shimProblem;
  }

  /** Sends bare words to a node, past all links, as an administrator with redis-cli does. @returns the first line of the answer */
  async administer(node: string, words: readonly string[]): Promise<string> {
    const answer = await this.ask(node, words);
    this.#record.note({ kind: "raw", client: "administrator", node, command: words.join(" "), answer });
    if (answer === null || answer.startsWith("-"))
      throw new Error(`Node ${node} refused ${words.join(" ")}: ${answer}.`);
    return answer;
  }

  /** The same without a word on record, for what only the lab wants to know. @returns null when there was no answer */
  ask(node: string, words: readonly string[]): Promise<string | null> {
    return this.#patience.wait(sendRaw(this.portOf(node), words, ANSWER_WITHIN_MS));
  }

  /** A link that belongs to no client, for what nodes say to each other. Closed with the machines. */
  async linkTo(node: string): Promise<ClientLinks> {
    const links = await openLinks([this.portOf(node)]);
    this.#links.push(links);
    return links;
  }

  /** Port of a node's server itself. @throws RangeError when there is no such node */
  portOf(node: string): number {
    const { address } = this.#nodeOf(node);
    return Number(address.slice(address.lastIndexOf(":") + 1));
  }

  /** Closes its links; the servers belong to the cluster. */
  close(): void {
    for (const links of this.#links) links.close();
  }

  async #fault(node: string, text: string, act: LabFault, inflict: () => Promise<void>): Promise<void> {
    this.#note(node, text, act);
    await this.#patience.wait(inflict());
  }

  #nodeOf(name: string): EmbeddedNode {
    const node = this.#cluster.nodes.find(({ id }) => id === name);
    if (node === undefined) throw new RangeError(`node must be one of ${this.names.join(", ")}, got ${name}`);
    return node;
  }

  #note(node: string, text: string, act: LabFault): void {
    this.#record.note({ kind: "fault", target: `node ${node}`, text, act, links: [] });
  }
}
