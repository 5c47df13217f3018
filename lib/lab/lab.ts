import { access } from "node:fs/promises";
import { findServer } from "@/lib/cluster";
import { AppError, type LabAudience, type LabRun, type LabRunBody, type Lab as LabView } from "@/lib/contract";
import { Audience } from "./audience";
import { Feed, type LabStreamEvent } from "./feed";
import { Run } from "./run";
import { SCENARIOS } from "./scenarios/table";

/** Longest run, milliseconds. */
const LIMIT_MS = 60_000;
const LEAVE_MS = 10_000;

const NOT_ALLOWED = "The lab is switched off in this console: REDLOCK_LAB is 0, so it starts no processes.";

export interface LabOptions {
  /** For the data of the servers. */
  readonly folder: string;
  /** The bundled client. */
  readonly clientProgram: string;
  readonly isReadOnly: boolean;
  /** Who reaches this console may play. */
  readonly isAllowed: boolean;
  readonly newId: () => string;
  /** A run that its driver has left, and that nobody else watches, is ended after so long, milliseconds. */
  readonly leaveMs?: number;
  /** Longest run, milliseconds. */
  readonly limitMs?: number;
}

/** The Quorum Lab of one console: one run at a time, and the last one kept to be looked at. */
export class Lab {
  readonly #options: LabOptions;
  readonly #audience: Audience;
  readonly #feeds = new Set<Feed>();
  #run: Run | null = null;
  /** Set while what a run needs is looked for, so that two cannot start together. */
  #isStarting = false;
  #isClosed = false;
  #hasServer = false;

  constructor(options: LabOptions) {
    this.#options = options;
    this.#audience = new Audience({
      leaveMs: options.leaveMs ?? LEAVE_MS,
      isOn: () => this.#run?.isOn === true,
      onDeserted: () => this.#run?.stop("its driver left, and nobody else was watching"),
      onChange: () => this.#tell({ name: "audience", data: this.#audience.view() }),
    });
  }

  async view(): Promise<LabView> {
    const run = this.#run;
    return {
      unavailableBecause: await this.#unavailableBecause(),
      scenarios: Object.values(SCENARIOS).map(({ id, title, question, steps, expected, n, questions = [] }) => ({
        ...{ id, title, question, expected, n },
        steps: [...steps],
        questions: questions.map(({ answer: _, ...asked }) => ({ ...asked, options: [...asked.options] })),
      })),
      run: run === null ? null : { id: run.id, scenario: run.scenario.id, isOn: run.isOn },
      audience: this.#audience.view(),
    };
  }

  /**
   * Sends the run so far, then whatever is added to it, and to the next ones.
   *
   * @param viewer who watches: the driver's seat is kept as long as its page does
   * @returns ends it
   */
  watch(viewer: string | null, send: (event: LabStreamEvent) => void): () => void {
    const feed = new Feed(this.#run, send);
    const leave = this.#audience.join(viewer);
    send({ name: "audience", data: this.#audience.view() });
    this.#feeds.add(feed);
    return () => {
      this.#feeds.delete(feed);
      feed.close();
      leave();
    };
  }

  /** @throws AppError not_found */
  run(id: string): LabRun {
    return this.#runOf(id).view();
  }

  /** Starts a run. @throws AppError forbidden, lab_unavailable, lab_busy, invalid_request */
  async start({ scenario: name, seed, n, viewer }: LabRunBody): Promise<LabRun> {
    if (!this.#options.isAllowed) throw new AppError("forbidden", NOT_ALLOWED);
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
      const { folder, clientProgram, newId, limitMs = LIMIT_MS } = this.#options;
      const run = new Run({ id: newId(), scenario, seed, n, folder, clientProgram, limitMs });
      this.#run = run;
      run.onChange(() => this.#noteChange(run));
      for (const feed of this.#feeds) feed.show(run);
      this.#audience.begin(viewer ?? null);
      return run.view();
    } finally {
      this.#isStarting = false;
    }
  }

  /**
   * Ends a run and everything it started; one that is over already stays as it is.
   *
   * @throws AppError not_found, or lab_busy when somebody else drives it
   */
  async stop(id: string, viewer: string | null): Promise<LabRun> {
    const run = this.#runOf(id);
    if (run.isOn && !this.#audience.mayDrive(viewer)) {
      throw new AppError("lab_busy", "Another page drives this run. Take over, then stop it.");
    }
    run.stop();
    await run.over;
    return run.view();
  }

  /** Gives the driver's seat to a viewer, whoever had it. @throws AppError not_found */
  takeOver(id: string, viewer: string): LabAudience {
    this.#runOf(id);
    this.#audience.takeOver(viewer);
    return this.#audience.view();
  }

  /** Ends the present run and allows no other. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#audience.close();
    this.#run?.stop();
    await this.#run?.over;
  }

  #noteChange(run: Run): void {
    if (run === this.#run) for (const feed of this.#feeds) feed.wake();
  }

  #tell(event: LabStreamEvent): void {
    for (const feed of this.#feeds) feed.pass(event);
  }

  #runOf(id: string): Run {
    if (this.#run?.id === id) return this.#run;
    throw new AppError("not_found", "There is no such run: only the last one is kept. Start it again with its seed.");
  }

  async #unavailableBecause(): Promise<string | null> {
    if (this.#options.isReadOnly)
      return "This console is read-only: REDLOCK_READ_ONLY is set, so it starts no processes.";
    if (!this.#options.isAllowed) return NOT_ALLOWED;
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
