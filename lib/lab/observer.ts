import type { EmbeddedCluster, ProcessView } from "@/lib/cluster";
import type { LabEvent } from "@/lib/contract";
import { createMasters, fingerprintOf, type Master } from "@/lib/redis";
import type { LabRecord } from "./record";

const LOOK_EVERY_MS = 40;
/** An end that moved by less did not move: how long an answer took is known, how long this process was kept from reading it is not. */
const END_MOVED_MS = 200;
/** Clocks are asked for at every so many looks. */
const LOOKS_PER_CLOCK = 10;
/** A clock that moved by less did not move: it is read no more exactly than an answer takes. */
const CLOCK_MOVED_MS = 100;

type NodeState = Extract<LabEvent, { readonly kind: "node" }>["state"];

/** One node as it was last seen. */
export interface Sight {
  readonly state: NodeState;
  /** Fingerprints of the tokens, by resource. */
  readonly holders: Readonly<Record<string, string>>;
}

/** A key as it was first seen with its present holder and end; a node's keys by resource. */
interface SeenKey {
  readonly holder: string;
  /** On the clock of this process; null = it has no end. */
  readonly expiry: { readonly endsMs: number; readonly ofMs: number } | null;
}

type SeenKeys = ReadonlyMap<string, SeenKey>;

/** Asks every node, past the links of the clients, what it has, and notes each change. It believes nobody. */
export class Observer {
  readonly #cluster: EmbeddedCluster;
  readonly #masters: readonly Master[];
  readonly #record: LabRecord;
  readonly #resources: readonly string[];
  readonly #lookEveryMs: number;
  readonly #emulatedAheadMs: (node: string) => number;
  readonly #noted = new Map<string, string>();
  readonly #states = new Map<string, NodeState>();
  readonly #keys = new Map<string, SeenKeys>();
  readonly #offsets = new Map<string, number>();
  #looks = 0;
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(options: {
    readonly cluster: EmbeddedCluster;
    readonly record: LabRecord;
    readonly resources: readonly string[];
    readonly nodeTimeoutMs: number;
    /** Between two looks, milliseconds. */
    readonly lookEveryMs?: number;
    /** What the emulation of a clock adds to the server's own. */
    readonly emulatedAheadMs?: (node: string) => number;
  }) {
    const { cluster, record, resources, nodeTimeoutMs, lookEveryMs = LOOK_EVERY_MS } = options;
    this.#lookEveryMs = lookEveryMs;
    this.#emulatedAheadMs = options.emulatedAheadMs ?? (() => 0);
    this.#cluster = cluster;
    this.#record = record;
    this.#resources = resources;
    const urls = cluster.nodes.map(({ id, address }) => `redis://${address}#${id}`);
    this.#masters = createMasters(urls, { nodeTimeoutMs, probeEveryMs: 0 });
    this.#unsubscribe = cluster.onChange(() => this.#noteStates());
    this.#noteStates();
    void this.#go();
  }

  /** Asks all nodes now. A node that does not answer keeps the keys it was last seen with, unless its process is gone. */
  async look(): Promise<ReadonlyMap<string, Sight>> {
    await Promise.all(this.#masters.map((master) => this.#lookAt(master)));
    return new Map([...this.#states].map(([node, state]) => [node, { state, holders: this.#holdersOf(node) }]));
  }

  /** Compares on every node with the token that is there now, as an operator's action does, and deletes or swaps it. */
  operate(
    action: "force-expire" | "revoke",
    resource: string,
    replacement: string,
  ): Promise<readonly { readonly node: string; readonly outcome: string }[]> {
    const act = async (master: Master) => {
      const answer = await master.read([resource]);
      const seen = answer.kind === "readings" ? (answer.readings[0]?.value ?? null) : null;
      if (seen === null) return { node: master.id, outcome: "has no such lock" };
      const { kind } =
        action === "revoke"
          ? await master.compareAndSwap(resource, seen, Buffer.from(replacement))
          : await master.carryOut({
              key: resource,
              expects: [{ kind: "value", key: resource, value: seen.toString("latin1") }],
              steps: [{ kind: "delete", key: resource }],
            });
      return { node: master.id, outcome: kind };
    };
    return Promise.all(this.#masters.map(act));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#unsubscribe();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.all(this.#masters.map((master) => master.close()));
  }

  async #go(): Promise<void> {
    await this.look();
    if (this.#looks % LOOKS_PER_CLOCK === 0) await Promise.all(this.#masters.map((master) => this.#readClock(master)));
    this.#looks += 1;
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#go(), this.#lookEveryMs);
  }

  async #lookAt(master: Master): Promise<void> {
    const answer = await master.read(this.#resources);
    const state = this.#stateOf(master.id);
    if (answer.kind !== "readings" || state !== "up") return;
    const before = this.#keys.get(master.id);
    const keys = answer.readings.flatMap(
      ({ resource, value, remainingMs }): readonly (readonly [string, SeenKey])[] => {
        if (value === null) return [];
        const endsMs = remainingMs === null ? null : performance.now() + remainingMs;
        const seen = seenKey(before?.get(resource), fingerprintOf(value), endsMs, answer.roundTripMs);
        return [[resource, seen]];
      },
    );
    this.#note(master.id, state, new Map(keys));
  }

  async #readClock(master: Master): Promise<void> {
    const { clockOffsetMs } = await master.probe();
    const noted = this.#offsets.get(master.id);
    if (this.#isOver || this.#stateOf(master.id) !== "up" || clockOffsetMs === null) return;
    const offsetMs = clockOffsetMs + this.#emulatedAheadMs(master.id);
    if (noted !== undefined && Math.abs(offsetMs - noted) < CLOCK_MOVED_MS) return;
    this.#offsets.set(master.id, offsetMs);
    this.#record.note({ kind: "clock", node: master.id, offsetMs });
  }

  #noteStates(): void {
    for (const { id } of this.#cluster.nodes) {
      const state = this.#stateOf(id);
      this.#note(id, state, state === "down" ? new Map() : (this.#keys.get(id) ?? new Map()));
    }
  }

  #note(node: string, state: NodeState, seen: SeenKeys): void {
    this.#states.set(node, state);
    this.#keys.set(node, seen);
    const text = JSON.stringify([state, ...seen]);
    if (this.#isOver || this.#noted.get(node) === text) return;
    this.#noted.set(node, text);
    const now = performance.now();
    const keys = [...seen].map(([resource, { holder, expiry }]) => {
      if (expiry === null) return { resource, holder, expiry };
      return { resource, holder, expiry: { leftMs: Math.max(0, expiry.endsMs - now), ofMs: expiry.ofMs } };
    });
    this.#record.note({ kind: "node", node, state, keys });
  }

  #holdersOf(node: string): Sight["holders"] {
    return Object.fromEntries([...(this.#keys.get(node) ?? [])].map(([resource, { holder }]) => [resource, holder]));
  }

  #stateOf(node: string): NodeState {
    const process = this.#cluster.nodes.find(({ id }) => id === node)?.process();
    return process === undefined ? "down" : stateOf(process.state);
  }
}

/** The key as it was seen before, if nothing about it is new but the time that has passed. */
function seenKey(before: SeenKey | undefined, holder: string, endsMs: number | null, roundTripMs: number): SeenKey {
  if (endsMs === null) return { holder, expiry: null };
  const ofMs = endsMs - performance.now();
  if (before?.holder !== holder || before.expiry === null) return { holder, expiry: { endsMs, ofMs } };
  const laterMs = endsMs - before.expiry.endsMs;
  if (Math.abs(laterMs) < END_MOVED_MS + roundTripMs) return before;
  return { holder, expiry: { endsMs, ofMs: laterMs > 0 ? ofMs : before.expiry.ofMs } };
}

function stateOf(state: ProcessView["state"]): NodeState {
  if (state === "running") return "up";
  return state === "paused" ? "paused" : "down";
}
