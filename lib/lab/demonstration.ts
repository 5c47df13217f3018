import { createMasters, type Guard, type Master } from "@/lib/redis";
import { type Clock, type Random, RedlockEngine } from "@/lib/redlock";
import { HABITS, type Habit } from "./habits";
import { connected, giveBack, type Worker } from "./worker";

/** How long stopping may take, milliseconds: a hung node must not keep the button busy. */
const STOP_MS_MAX = 2000;

export interface DemonstrationOptions {
  /** Of the embedded nodes: each client connects by itself. */
  readonly urls: readonly string[];
  /** As the console uses it: a node that forgot votes has none for them either. */
  readonly guard: Guard;
  readonly nodeTimeoutMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

interface Crew {
  readonly stopping: AbortController;
  readonly masters: readonly Master[];
  readonly work: Promise<unknown>;
}

/** Real clients with this engine that take, hold, extend and sometimes forget locks, so that a new console shows life. */
export class Demonstration {
  readonly #options: DemonstrationOptions;
  readonly #listeners = new Set<() => void>();
  #crew: Crew | null = null;

  constructor(options: DemonstrationOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#crew !== null;
  }

  get clients(): number {
    return this.#crew === null ? 0 : HABITS.length;
  }

  /** Calls back after each start and stop. @returns unsubscribes */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Without effect when they run already. */
  async start(): Promise<void> {
    if (this.#crew !== null) return;
    const stopping = new AbortController();
    const crew = HABITS.map((habit) => ({ habit, worker: this.#hire(stopping.signal) }));
    this.#crew = {
      stopping,
      masters: crew.flatMap(({ worker }) => worker.masters),
      // One client that fails must not take the others along, nor the console.
      work: Promise.allSettled(crew.map(({ habit, worker }) => live(habit, worker))),
    };
    this.#notify();
  }

  /** Ends their work; what they hold is given back. Resolves in bounded time. */
  async stop(): Promise<void> {
    const crew = this.#crew;
    if (crew === null) return;
    this.#crew = null;
    crew.stopping.abort();
    await this.#atMost(STOP_MS_MAX, crew.work);
    await this.#atMost(STOP_MS_MAX, Promise.allSettled(crew.masters.map((master) => master.close())));
    this.#notify();
  }

  #hire(signal: AbortSignal): Worker {
    const { urls, guard, nodeTimeoutMs, clock, random } = this.#options;
    const masters = createMasters(urls, { guard, nodeTimeoutMs, probeEveryMs: 0 });
    const engine = new RedlockEngine(masters, { clock, random, settings: { nodeTimeoutMs } });
    return { engine, masters, clock, random, signal, held: new Set() };
  }

  #atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.schedule(limitMs, resolve);
      void work.finally(() => {
        cancel();
        resolve();
      });
    });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function live(habit: Habit, worker: Worker): Promise<void> {
  await connected(worker);
  try {
    while (!worker.signal.aborted) await habit(worker);
  } finally {
    await giveBack(worker);
  }
}
