import type { ChildProcess } from "node:child_process";
import type { ServerShim } from "@/lib/cluster";
import { nowUs } from "@/lib/lab";
import type { InflictedFault } from "./checker";
import type { FaultLink } from "./fault-link";
import type { FaultNode } from "./fault-nodes";
import { describeFault, mustTakeTurns, type PlannedFault } from "./plan";

/** One worker process with its own way to every node. */
export interface FaultWorker {
  readonly name: string;
  readonly process: ChildProcess;
  /** In node order. */
  readonly links: readonly FaultLink[];
}

/** Does to real processes and connections what a plan says, and writes down when. */
export class Nemesis {
  readonly log: InflictedFault[] = [];
  readonly #nodes: readonly FaultNode[];
  readonly #workers: readonly FaultWorker[];
  /** Under way or waiting for their turn: on a busy machine a restart may take longer than planned. */
  readonly #turns = new Map<PlannedFault, Promise<void>>();

  constructor(nodes: readonly FaultNode[], workers: readonly FaultWorker[]) {
    this.#nodes = nodes;
    this.#workers = workers;
  }

  /** Resolves when the last fault has healed. */
  async run(plan: readonly PlannedFault[]): Promise<void> {
    const startedUs = nowUs();
    await Promise.all(
      plan.map(async (fault) => {
        await pauseMs(Math.max(0, fault.atMs - (nowUs() - startedUs) / 1000));
        const before = [...this.#turns].flatMap(([other, turn]) => (mustTakeTurns(fault, other) ? [turn] : []));
        let fromUs = nowUs();
        const turn = (async () => {
          await Promise.all(before);
          fromUs = nowUs();
          await this.#inflict(fault);
        })();
        this.#turns.set(fault, turn);
        await turn;
        this.#turns.delete(fault);
        const stoppedWorker = fault.kind === "pause-client" ? (this.#workers[fault.worker ?? 0]?.name ?? null) : null;
        this.log.push({ what: describeFault(fault), stoppedWorker, fromUs, untilUs: nowUs() });
      }),
    );
  }

  /** Each fault has healed itself; this is for a run that is broken off. */
  healAll(): void {
    for (const { server, shim } of this.#nodes) {
      server.resume();
      shim?.stepClock(0);
      shim?.delayFsync(0);
    }
    for (const worker of this.#workers) {
      worker.process.kill("SIGCONT");
      for (const link of worker.links) link.heal();
    }
  }

  async #inflict(fault: PlannedFault): Promise<void> {
    const node = this.#nodes[fault.node];
    if (node === undefined) throw new RangeError(`no node ${fault.node}`);
    const { server, shim } = node;
    switch (fault.kind) {
      case "pause-node":
        server.pause();
        await pauseMs(fault.forMs);
        server.resume();
        break;
      case "pause-client": {
        const child = this.#workers[fault.worker ?? 0]?.process;
        child?.kill("SIGSTOP");
        await pauseMs(fault.forMs);
        child?.kill("SIGCONT");
        break;
      }
      case "kill-aof":
      case "kill-empty":
        await server.kill();
        if (fault.kind === "kill-empty") node.forget();
        await pauseMs(fault.forMs);
        await server.restart();
        break;
      case "flush":
        await server.client.flushall();
        break;
      case "clock-step":
        shimOf(shim, fault).stepClock(fault.byMs);
        await pauseMs(fault.forMs);
        shim?.stepClock(0);
        break;
      case "slow-fsync":
        shimOf(shim, fault).delayFsync(fault.byMs);
        await pauseMs(fault.forMs);
        shim?.delayFsync(0);
        break;
      case "reset":
        for (const link of this.#linksOf(fault)) link.reset();
        break;
      case "hold":
      case "hole":
      case "delay":
        for (const link of this.#linksOf(fault)) {
          if (fault.kind === "delay") link.delay(fault.byMs);
          else link[fault.kind](fault.direction);
        }
        await pauseMs(fault.forMs);
        for (const link of this.#linksOf(fault)) link.heal();
        break;
      default:
        fault.kind satisfies never;
    }
  }

  #linksOf({ worker, node }: PlannedFault): readonly FaultLink[] {
    return this.#workers.flatMap(({ links }, index) => {
      const link = links[node];
      return link !== undefined && (worker === null || worker === index) ? [link] : [];
    });
  }
}

function shimOf(shim: ServerShim | null, { kind }: PlannedFault): ServerShim {
  if (shim === null) throw new TypeError(`${kind} needs nodes that were started with the shim`);
  return shim;
}

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
