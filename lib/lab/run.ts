import {
  AppError,
  type LabCommandBody,
  type LabCrowd,
  type LabEvent,
  type LabRun,
  type LabRunSummary,
} from "@/lib/contract";
import { judge } from "./judge";
import { LabRecord } from "./record";
import type { Scenario } from "./scenario";
import { Stage } from "./stage";

export interface RunOptions {
  readonly id: string;
  readonly scenario: Scenario;
  readonly seed: number;
  /** @throws RangeError when the scenario cannot be played on so many */
  readonly n?: number;
  /** Only for a scenario that has one. @throws RangeError for another */
  readonly crowd?: LabCrowd;
  /** For the data of the servers. */
  readonly folder: string;
  /** The bundled client. */
  readonly clientProgram: string;
  /** The run is ended then, however far it has come, milliseconds. */
  readonly limitMs: number;
}

/** One run of one scenario, from the start of its processes to their end. */
export class Run {
  readonly id: string;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly n: number;
  /** As it is played; null where the scenario has none. */
  readonly crowd: LabCrowd | null;
  /** Resolves when it is over and everything it started has ended. Never rejects. */
  readonly over: Promise<void>;
  readonly #options: RunOptions;
  readonly #record = new LabRecord();
  readonly #ending = new AbortController();
  #state: LabRun["state"] = "starting";
  #endsAs: LabRun["state"] | null = null;
  #problem: string | null = null;
  #tookMs: number | null = null;
  readonly #listeners = new Set<() => void>();
  #stage: Stage | null = null;

  /** Starts it. */
  constructor(options: RunOptions) {
    const { scenario, n = scenario.n.usual } = options;
    if (!Number.isInteger(n) || n < scenario.n.least || n > scenario.n.most) {
      throw new RangeError(`n must be from ${scenario.n.least} to ${scenario.n.most} for this scenario, got ${n}`);
    }
    if (options.crowd !== undefined && scenario.crowd === undefined) {
      throw new RangeError(`crowd must be left out for ${scenario.id}, which has none`);
    }
    this.#options = options;
    this.id = options.id;
    this.scenario = scenario;
    this.seed = options.seed;
    this.n = n;
    this.crowd = options.crowd ?? scenario.crowd ?? null;
    this.#record.onNote(() => this.#notify());
    this.over = this.#go();
  }

  get isOn(): boolean {
    return this.#tookMs === null;
  }

  /** Ends it now. @param because in words, where nobody asked for it */
  stop(because: string | null = null): void {
    if (this.#endsAs === null) this.#problem = because;
    this.#end("stopped");
  }

  /** Calls back after each event, and when its state changes. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** What the lab heard of after the first `from` events. */
  since(from: number): readonly LabEvent[] {
    return this.#record.since(from);
  }

  /**
   * Does what a viewer wants, where the scenario takes commands.
   *
   * @returns what was done, in words
   * @throws AppError lab_busy, invalid_request, lab_unavailable
   */
  async command(command: LabCommandBody): Promise<string> {
    if (this.#stage === null) throw new AppError("lab_busy", "This run takes no commands yet.");
    return this.#stage.command(command);
  }

  /** What is played, and how it stands. */
  summary(): LabRunSummary {
    const { id, seed, n, crowd } = this;
    const tookMs = this.#tookMs ?? this.#record.tookMs;
    return { id, scenario: this.scenario.id, seed, n, crowd, state: this.#state, tookMs };
  }

  /** The record so far, and what it says. */
  view(): LabRun {
    const { events } = this.#record;
    const { claims, overlaps } = judge(events);
    const isJudged = this.#state === "met" || this.#state === "not_met";
    return {
      ...this.summary(),
      problem: this.#problem,
      events: [...events],
      claims: [...claims],
      overlaps: overlaps.map(({ first, second, overlapMs }) => ({ first: first.id, second: second.id, overlapMs })),
      checks: isJudged ? [...this.scenario.check(events, this.n, this.crowd)] : [],
      answers: isJudged ? this.#answers(events) : [],
    };
  }

  #answers(events: readonly LabEvent[]): LabRun["answers"] {
    const { questions = [] } = this.scenario;
    return questions.map(({ id, answer }) => ({ question: id, option: answer(events, this.n) }));
  }

  async #go(): Promise<void> {
    const timer = setTimeout(() => this.#end("timed_out"), this.#options.limitMs);
    const stage = { opened: null as Stage | null };
    try {
      await this.#play(stage);
      const isMet = this.scenario.check(this.#record.events, this.n, this.crowd).every((check) => check.isMet);
      this.#end(isMet ? "met" : "not_met");
    } catch (error) {
      if (this.#endsAs === null) this.#problem = error instanceof Error ? error.message : String(error);
      this.#end("failed");
    }
    clearTimeout(timer);
    await stage.opened?.close();
    // A run that is kept to be looked at keeps its record and nothing else.
    this.#stage = null;
    this.#tookMs = this.#record.tookMs;
    // Not before: who reads that it is over may count on its processes being gone.
    this.#state = this.#endsAs ?? "failed";
    this.#notify();
  }

  async #play(stage: { opened: Stage | null }): Promise<void> {
    const { seed, n, crowd } = this;
    const { signal } = this.#ending;
    const { folder, clientProgram } = this.#options;
    const { servers, lookEveryMs } = this.scenario;
    const record = this.#record;
    stage.opened = await Stage.open({ n, seed, crowd, servers, lookEveryMs, folder, clientProgram, record, signal });
    signal.throwIfAborted();
    this.#state = "playing";
    this.#stage = stage.opened;
    this.#notify();
    await this.scenario.play(stage.opened);
    signal.throwIfAborted();
    if (this.#record.isFull) throw new Error("More happened than the record of a run can hold.");
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The first word counts. */
  #end(state: Exclude<LabRun["state"], "starting" | "playing">): void {
    if (this.#endsAs !== null) return;
    this.#endsAs = state;
    this.#ending.abort(new Error(`The run is over: ${state}.`));
  }
}
