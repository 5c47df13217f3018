import { access } from "node:fs/promises";
import { findServer } from "@/lib/cluster";
import {
  AppError,
  type LabCommandAnswer,
  type LabCommandBody,
  type LabRun,
  type LabRunBody,
  type Lab as LabView,
} from "@/lib/contract";
import { Run } from "./run";
import { SCENARIOS } from "./scenarios/table";

/** Longest run, milliseconds. */
const LIMIT_MS = 60_000;

export interface LabOptions {
  /** For the data of the servers. */
  readonly folder: string;
  /** The bundled client. */
  readonly clientProgram: string;
  readonly isReadOnly: boolean;
  readonly newId: () => string;
}

/** The Quorum Lab of one console: one run at a time, and the last one kept to be looked at. */
export class Lab {
  readonly #options: LabOptions;
  #run: Run | null = null;
  /** Set while what a run needs is looked for, so that two cannot start together. */
  #isStarting = false;
  #isClosed = false;
  #hasServer = false;

  constructor(options: LabOptions) {
    this.#options = options;
  }

  async view(): Promise<LabView> {
    const run = this.#run;
    return {
      unavailableBecause: await this.#unavailableBecause(),
      scenarios: Object.values(SCENARIOS).map(({ id, title, question, steps, expected, n }) => ({
        ...{ id, title, question, expected, n },
        steps: [...steps],
      })),
      run: run === null ? null : { id: run.id, scenario: run.scenario.id, isOn: run.isOn },
    };
  }

  /** @throws AppError not_found */
  run(id: string): LabRun {
    return this.#runOf(id).view();
  }

  /** Starts a run. @throws AppError lab_unavailable, lab_busy, invalid_request */
  async start({ scenario: name, seed, n }: LabRunBody): Promise<LabRun> {
    if (this.#isStarting || this.#run?.isOn === true) {
      throw new AppError("lab_busy", "Another run is on. Wait for its end, or stop it.");
    }
    const scenario = SCENARIOS[name];
    if (n !== undefined && (n < scenario.n.least || n > scenario.n.most)) {
      const rule = `from ${scenario.n.least} to ${scenario.n.most} for this scenario`;
      throw new AppError("invalid_request", `The body was refused. n: ${rule}`, {
        details: [{ field: "n", value: n, rule }],
      });
    }
    this.#isStarting = true;
    try {
      const reason = await this.#unavailableBecause();
      if (reason !== null) throw new AppError("lab_unavailable", reason);
      const { folder, clientProgram, newId } = this.#options;
      this.#run = new Run({
        id: newId(),
        scenario,
        seed,
        n,
        folder,
        clientProgram,
        limitMs: scenario.limitMs ?? LIMIT_MS,
      });
      return this.#run.view();
    } finally {
      this.#isStarting = false;
    }
  }

  /** Ends a run and everything it started; one that is over already stays as it is. @throws AppError not_found */
  async stop(id: string): Promise<LabRun> {
    const run = this.#runOf(id);
    run.stop();
    await run.over;
    return run.view();
  }

  /**
   * Does what a viewer wants in a run that takes commands, as the sandbox does.
   *
   * @throws AppError not_found, also when it is over; lab_busy when it takes none; invalid_request, lab_unavailable
   */
  async command(id: string, command: LabCommandBody): Promise<LabCommandAnswer> {
    const run = this.#runOf(id);
    if (!run.isOn) throw new AppError("not_found", "This run is over, and everything it had started has ended.");
    return { text: await run.command(command) };
  }

  /** Ends the present run and allows no other. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#run?.stop();
    await this.#run?.over;
  }

  #runOf(id: string): Run {
    if (this.#run?.id === id) return this.#run;
    throw new AppError("not_found", "There is no such run: only the last one is kept. Start it again with its seed.");
  }

  async #unavailableBecause(): Promise<string | null> {
    if (this.#options.isReadOnly)
      return "This console is read-only: REDLOCK_READ_ONLY is set, so it starts no processes.";
    if (this.#isClosed) return "This console is ending.";
    try {
      await access(this.#options.clientProgram);
    } catch {
      return "The lab's client program is missing: build the console (npm run build) and start it again.";
    }
    try {
      if (!this.#hasServer) await findServer();
      this.#hasServer = true;
      return null;
    } catch {
      return "The lab starts redis-servers of its own, and neither redis-server nor valkey-server is on the PATH: install one.";
    }
  }
}
