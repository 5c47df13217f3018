import { AppError, type LabCommandBody } from "@/lib/contract";
import type { Actor } from "./actor";
import { DOOR, type Stage } from "./stage";

const TTL_MS = 3000;
const HOLD_MS = 1000;
const REST_MS = 1500;
const STEP_MS = 50;
const CLIENTS_MAX = 6;
const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

type Work = Extract<LabCommandBody, { readonly on: "work" }>["act"];

interface Player {
  readonly actor: Actor;
  work: Work;
  isDead: boolean;
}

/** A run without a script: clients work as they are told, and viewers do to everything what they like. */
export class Sandbox {
  readonly #stage: Stage;
  readonly #players = new Map<string, Player>();
  #entered = 0;
  #isOver = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** A new client, which works from now on. @returns its name @throws AppError invalid_request when there are enough */
  async enter(isGuarded: boolean): Promise<string> {
    const living = [...this.#players.values()].filter(({ isDead }) => !isDead).length;
    if (living >= CLIENTS_MAX || this.#entered >= NAMES.length) {
      throw invalid("isGuarded", isGuarded, `there are ${living} clients, and no more can enter`);
    }
    const name = NAMES[this.#entered] ?? "";
    this.#entered += 1;
    const text = isGuarded ? "has the restart guard" : "is without the restart guard";
    const actor = await this.#stage.enter(name, text, { guardTtlMs: isGuarded ? TTL_MS : null });
    const player: Player = { actor, work: "short", isDead: false };
    this.#players.set(name, player);
    void this.#live(player);
    return name;
  }

  /** A viewer has ended it, or the run is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Lets nobody work any more. */
  close(): void {
    this.#isOver = true;
  }

  /**
   * Does what a viewer wants.
   *
   * @returns what was done, in words
   * @throws AppError invalid_request for a node or client that is not there, lab_unavailable for what this machine cannot do
   */
  async obey(command: LabCommandBody): Promise<string> {
    const { clocks } = this.#stage;
    switch (command.on) {
      case "node":
        return this.#signalNode(this.#node(command.node), command.act);
      case "clock":
        await this.#setClock(this.#node(command.node), command.aheadMs);
        return `clock of ${command.node}: ${command.aheadMs} ms ahead${clocks.emulatedBecause === null ? "" : ", emulated"}`;
      case "link":
        await this.#link(this.#player(command.client).actor, this.#node(command.node), command.act);
        return `link of ${command.client} to ${command.node}: ${command.act}`;
      case "distance":
        this.#player(command.client).actor.ways.putAway(new Map([[this.#node(command.node), command.ms]]));
        return `link of ${command.client} to ${command.node}: ${command.ms} ms`;
      case "client":
        return this.#signal(this.#player(command.client), command.act);
      case "work":
        this.#player(command.client).work = command.act;
        return `client ${command.client} works from now on: ${command.act}`;
      case "entrance":
        return `client ${await this.enter(command.isGuarded)} has entered`;
      case "lock":
        await this.#stage.operate(command.act, DOOR);
        return `${command.act} of ${DOOR}`;
      case "run":
        if (command.act === "heal") await this.#heal();
        else this.close();
        return command.act === "heal" ? "every fault is undone" : "the run ends";
      default:
        return command satisfies never;
    }
  }

  async #signalNode(node: string, act: "kill" | "pause" | "resume" | "restart"): Promise<string> {
    const { machines } = this.#stage;
    const state = machines.stateOf(node);
    if (act === "pause" && state !== "running") throw invalid("act", act, `node ${node} does not run, it is ${state}`);
    if (act === "resume" && state !== "paused") throw invalid("act", act, `node ${node} is not paused, it is ${state}`);
    // With nothing on disk a process that ends forgets everything.
    if (act === "restart") await machines.kill(node);
    await machines[act](node);
    return `node ${node}: ${act}`;
  }

  async #setClock(node: string, aheadMs: number): Promise<void> {
    const { clocks } = this.#stage;
    await clocks.set(node, aheadMs);
    if (clocks.emulatedBecause === null) return;
    // No vote of theirs is late by it. One that is paused or dead reads no clock, and is not waited for.
    for (const { actor, isDead } of this.#players.values()) if (!isDead) actor.readClocks().catch(() => {});
  }

  async #signal(player: Player, act: "pause" | "resume" | "kill"): Promise<string> {
    if (act === "kill") player.isDead = true;
    await player.actor[act]();
    return `client ${player.actor.name}: ${act}`;
  }

  async #link(actor: Actor, node: string, act: "cut" | "deafen" | "refuse" | "mend"): Promise<void> {
    // One that refuses holds nothing, and one that holds refuses nothing: the latest word counts.
    if (act === "cut" || act === "refuse") await actor.ways.mend([node]);
    await actor.ways[act]([node]);
  }

  async #heal(): Promise<void> {
    const { machines, nodes } = this.#stage;
    for (const node of nodes) {
      if (machines.stateOf(node) !== "running") await machines.restart(node, "healed: resumed, or started again");
      await this.#setClock(node, 0);
    }
    for (const { actor, isDead } of this.#players.values()) {
      if (isDead) continue;
      await actor.ways.mend(nodes);
      actor.ways.putAway(new Map(nodes.map((node) => [node, 0])));
      actor.resume();
    }
  }

  /** Round after round, until it is dead or the run is over. */
  async #live(player: Player): Promise<void> {
    while (!player.isDead && !this.#isOver) {
      try {
        await this.#round(player);
      } catch {
        // Its process was paused for too long to answer, or killed: that is on record, and the next round tries again.
      }
      await this.#stage.pauseMs(REST_MS).catch(() => this.close());
    }
  }

  async #round({ actor, work }: Player): Promise<void> {
    if (work === "idle") return;
    const taken = await actor.acquire(DOOR, TTL_MS);
    if (taken.kind === "refused" || work === "forget") return;
    if (work === "long") await actor.work(taken.id, TTL_MS, STEP_MS);
    await this.#stage.pauseMs(work === "long" ? 2 * TTL_MS : HOLD_MS);
    await actor.release(taken.id);
  }

  #node(node: string): string {
    if (this.#stage.nodes.includes(node)) return node;
    throw invalid("node", node, `must be one of ${this.#stage.nodes.join(", ")}`);
  }

  #player(client: string): Player {
    const player = this.#players.get(client);
    if (player !== undefined && !player.isDead) return player;
    const living = [...this.#players].filter(([, { isDead }]) => !isDead).map(([name]) => name);
    throw invalid("client", client, `must be one of ${living.join(", ")}`);
  }
}

function invalid(field: string, value: unknown, rule: string): AppError {
  return new AppError("invalid_request", `The command was refused. ${field}: ${rule}`, {
    details: [{ field, value, rule }],
  });
}
