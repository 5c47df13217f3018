import type { ClientLinks } from "@/lib/cluster";
import type { LabFault, LabLink } from "@/lib/contract";
import type { LabRecord } from "./record";

type Way = Omit<LabLink, "client" | "node">;

const OPEN: Way = { way: "open", isDeaf: false, lateMs: 0 };

/** From one client to each node it knows: what is done to the connections between them, and the record of it. */
export class Ways {
  /** That the client knows, in the order of its links. */
  readonly nodes: readonly string[];
  readonly #client: string;
  readonly #links: ClientLinks;
  readonly #record: LabRecord;
  readonly #states = new Map<string, Way>();

  constructor(options: {
    readonly client: string;
    readonly nodes: readonly string[];
    readonly links: ClientLinks;
    readonly record: LabRecord;
  }) {
    this.#client = options.client;
    this.nodes = options.nodes;
    this.#links = options.links;
    this.#record = options.record;
  }

  /** Holds every byte both ways, until it is mended. */
  cut(nodes: readonly string[]): void {
    for (const node of nodes) this.#links.setMode(this.#index(node), "partitioned");
    this.#note("cut", nodes, { way: "cut" }, "cut: bytes are held both ways");
  }

  /** Breaks the connections and turns new ones away, as a host does on which nothing listens. */
  refuse(nodes: readonly string[]): void {
    for (const node of nodes) this.#links.refuse(this.#index(node));
    this.#note("refuse", nodes, { way: "refused" }, "refused: connections break, and new ones are turned away");
  }

  /** Lets requests pass while nothing is heard, until it is mended. */
  deafen(nodes: readonly string[]): void {
    for (const node of nodes) this.#links.holdReplies(this.#index(node), true);
    this.#note("deafen", nodes, { isDeaf: true }, "loses replies: requests pass, replies are held");
  }

  /** Undoes all that, where there is anything to undo; a distance stays. @throws Error when a port was taken meanwhile */
  async mend(nodes: readonly string[]): Promise<void> {
    const broken = nodes.filter((node) => this.#stateOf(node).way !== "open" || this.#stateOf(node).isDeaf);
    if (broken.length === 0) return;
    const states = broken.map((node) => this.#stateOf(node));
    const words = [
      ...(states.some(({ way }) => way === "cut") ? ["held bytes arrive"] : []),
      ...(states.some(({ isDeaf }) => isDeaf) ? ["held replies arrive"] : []),
      ...(states.some(({ way }) => way === "refused") ? ["connections are accepted"] : []),
    ];
    const refused = broken.filter((node) => this.#stateOf(node).way === "refused");
    for (const node of broken) {
      this.#links.setMode(this.#index(node), "open");
      this.#links.holdReplies(this.#index(node), false);
    }
    this.#note("heal", broken, { way: "open", isDeaf: false }, `mended: ${words.join(", ")}`);
    await Promise.all(refused.map((node) => this.#links.accept(this.#index(node))));
  }

  /** Puts nodes at a distance: every request to one is so many milliseconds late. */
  putAway(distances: ReadonlyMap<string, number>): void {
    const changed = [...distances].filter(([node, ms]) => this.#stateOf(node).lateMs !== ms);
    if (changed.length === 0) return;
    for (const [node, lateMs] of changed) {
      this.#links.delayRequests(this.#index(node), lateMs);
      this.#states.set(node, { ...this.#stateOf(node), lateMs });
    }
    const text = changed.map(([node, ms]) => `${round(ms)} ms to ${node}`).join(", ");
    const isOver = changed.every(([, ms]) => ms === 0);
    const nodes = changed.map(([node]) => node);
    this.#note(
      isOver ? "heal" : "delay",
      nodes,
      {},
      isOver ? "is short again" : `is long: requests are late by ${text}`,
    );
  }

  /** Lets a node's clock seem wrong to the client, without a word on record: what that stands for is there already. */
  moveTime(node: string, aheadMs: number): void {
    if (this.nodes.includes(node)) this.#links.moveTime(this.#index(node), aheadMs);
  }

  close(): void {
    this.#links.close();
  }

  #note(act: LabFault, nodes: readonly string[], change: Partial<Way>, text: string): void {
    const links = nodes.map((node): LabLink => {
      const state = { ...this.#stateOf(node), ...change };
      this.#states.set(node, state);
      return { client: this.#client, node, ...state };
    });
    const target = `link of ${this.#client} to ${nodes.join(", ")}`;
    this.#record.note({ kind: "fault", target, text, act, links });
  }

  #stateOf(node: string): Way {
    return this.#states.get(node) ?? OPEN;
  }

  #index(node: string): number {
    return this.nodes.indexOf(node);
  }
}

/** To a tenth. */
function round(ms: number): number {
  return Math.round(10 * ms) / 10;
}
