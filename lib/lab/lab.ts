import { access } from "node:fs/promises";
import { findServer } from "@/lib/cluster";
import {
  AppError,
  type LabAudience,
  type LabCommandAnswer,
  type LabCommandBody,
  type LabRun,
  type LabRunBody,
  type Lab as LabView,
} from "@/lib/contract";
import { Audience } from "./audience";
import { Feed, type LabStreamEvent } from "./feed";
import { Run } from "./run";
import { SCENARIOS } from "./scenarios/table";

/** Longest run, milliseconds. */
const LIMIT_MS = 60_000;
const LEAVE_MS = 10_000;
/** Runs that can be looked at, the one that is on among them. A record is bounded, so they are, too. */
const KEPT_MAX = 10;

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

/** The Quorum Lab of one console: one run at a time, and the last ones kept to be looked at. */
export class Lab {
  readonly #options: LabOptions;
  readonly #audience: Audience;
  readonly #feeds = new Set<Feed>();
  /** The newest last. */
  #kept: readonly Run[] = [];
  /** Set while what a run needs is looked for, so that two cannot start together. */
  #isStarting = false;
  #isClosed = false;
  #hasServer = false;

  get #run(): Run | null {
    return this.#kept.at(-1) ?? null;
  }

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
      scenarios: Object.values(SCENARIOS).map(({ id, title, question, steps, expected, n, crowd, questions = [] }) => ({
        ...{ id, title, question, expected, n, crowd: crowd ?? null },
        steps: [...steps],
        questions: questions.map(({ answer: _, ...asked }) => ({ ...asked, options: [...asked.options] })),
      })),
      run: run === null ? null : { id: run.id, scenario: run.scenario.id, isOn: run.isOn },
      runs: this.#kept.map((each) => each.summary()).toReversed(),
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
  async start({ scenario: name, seed, n, crowd, viewer }: LabRunBody): Promise<LabRun> {
    if (!this.#options.isAllowed) throw new AppError("forbidden", NOT_ALLOWED);
    if (this.#isStarting || this.#run?.isOn === true) {
      throw new AppError("lab_busy", "Another run is on. Wait for its end, or stop it.");
    }
    const scenario = SCENARIOS[name];
    if (n !== undefined && (n < scenario.n.least || n > scenario.n.most)) {
      throw invalid("n", n, `from ${scenario.n.least} to ${scenario.n.most} for this scenario`);
    }
    if (crowd !== undefined && scenario.crowd === undefined) {
      throw invalid("crowd", crowd, "must be left out for this scenario, which has none");
    }
    this.#isStarting = true;
    try {
      const reason = await this.#unavailableBecause();
      if (reason !== null) throw new AppError("lab_unavailable", reason);
      const { folder, clientProgram, newId, limitMs = scenario.limitMs ?? LIMIT_MS } = this.#options;
      const run = new Run({ id: newId(), scenario, seed, n, crowd, folder, clientProgram, limitMs });
      this.#kept = [...this.#kept, run].slice(-KEPT_MAX);
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
    if (run.isOn) this.#guardDriver(viewer);
    run.stop();
    await run.over;
    return run.view();
  }

  /** Gives the driver's seat to a viewer, whoever had it. @throws AppError not_found, also when a newer run is there to be driven */
  takeOver(id: string, viewer: string): LabAudience {
    if (this.#runOf(id) !== this.#run) throw new AppError("not_found", "This run is over, and a newer one is there.");
    this.#audience.takeOver(viewer);
    return this.#audience.view();
  }

  /**
   * Does what a viewer wants in a run that takes commands, as the sandbox does.
   *
   * @throws AppError not_found, also when it is over; lab_busy when it takes none or somebody else drives it; invalid_request,
   * lab_unavailable
   */
  async command(id: string, command: LabCommandBody, viewer: string | null): Promise<LabCommandAnswer> {
    const run = this.#runOf(id);
    if (!run.isOn) throw new AppError("not_found", "This run is over, and everything it had started has ended.");
    this.#guardDriver(viewer);
    return { text: await run.command(command) };
  }

  /** Ends the present run and allows no other. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#audience.close();
    this.#run?.stop();
    await this.#run?.over;
  }

  #guardDriver(viewer: string | null): void {
    if (!this.#audience.mayDrive(viewer)) {
      throw new AppError("lab_busy", "Another page drives this run. Take over first.");
    }
  }

  #noteChange(run: Run): void {
    if (run === this.#run) for (const feed of this.#feeds) feed.wake();
  }

  #tell(event: LabStreamEvent): void {
    for (const feed of this.#feeds) feed.pass(event);
  }

  #runOf(id: string): Run {
    const found = this.#kept.find((run) => run.id === id);
    if (found !== undefined) return found;
    const says = `There is no such run: the last ${KEPT_MAX} are kept, as long as the console runs. Start it again with its seed.`;
    throw new AppError("not_found", says);
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

function invalid(field: string, value: unknown, rule: string): AppError {
  return new AppError("invalid_request", `The body was refused. ${field}: ${rule}`, {
    details: [{ field, value, rule }],
  });
}
