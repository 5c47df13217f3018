import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { askServer } from "./ask-server";
import type { ProcessView } from "./embedded";

const READY_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 15;
/** A server that was asked to end writes its last second of log to disk first. */
const END_WITHIN_MS = 3000;
const LOG_LINES = 3;

/** The port was taken between choosing and using it. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
}

/** Told of the processes that must not outlive the console. */
export interface ProcessKeeper {
  watch(pid: number): void;
  forget(pid: number): void;
}

/** One redis-server process of ours, started and ended as often as asked, always on the same port and in the same folder. */
export class ServerProcess {
  readonly port: number;
  readonly #program: string;
  readonly #folder: string;
  readonly #args: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #keeper: ProcessKeeper;
  readonly #onChange: () => void;
  #child: ChildProcess | null = null;
  #state: ProcessView["state"] = "stopped";
  /** What an end of the process means: `dead` unless it was asked to end. */
  #endsAs: "stopped" | "killed" | "dead" = "dead";

  constructor(options: {
    readonly program: string;
    readonly port: number;
    /** Absolute; data and log go below it. */
    readonly folder: string;
    readonly keeper: ProcessKeeper;
    /** Over the usual ones. */
    readonly args?: readonly string[];
    /** Over the environment of this process. */
    readonly env?: Readonly<Record<string, string>>;
    onChange(): void;
  }) {
    this.port = options.port;
    this.#program = options.program;
    this.#folder = options.folder;
    this.#args = options.args ?? [];
    this.#env = options.env ?? {};
    this.#keeper = options.keeper;
    this.#onChange = options.onChange;
  }

  get state(): ProcessView["state"] {
    return this.#state;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Starts it and waits until it answers with its data loaded. Does nothing when it runs.
   *
   * @throws PortTakenError, or Error with the last words of the server's log
   */
  async start(data: "keep" | "empty"): Promise<void> {
    if (this.pid !== null) return;
    const dataFolder = join(this.#folder, "data");
    if (data === "empty") await rm(dataFolder, { recursive: true, force: true });
    await mkdir(dataFolder, { recursive: true });
    // The log is read for its last words when the start fails: those of an earlier run must not be there.
    await rm(this.#logFile, { force: true });
    const child = this.#launch(dataFolder);
    this.#setState("starting");
    const deadline = performance.now() + READY_WITHIN_MS;
    while (this.#child === child) {
      const answer = await askServer(this.port);
      // Somebody else's server on the port answers too.
      if (answer?.pid === child.pid && answer?.isLoading === false) {
        this.#setState("running");
        return;
      }
      if (performance.now() > deadline) {
        await this.end("SIGKILL", "dead");
        throw new Error(
          `${this.#program} was not ready within ${READY_WITHIN_MS / 1000} s: ${await this.#lastWords()}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    const words = await this.#lastWords();
    if (/address already in use/i.test(words)) throw new PortTakenError(`Port ${this.port} is taken: ${words}`);
    throw new Error(`${this.#program} ended while it started: ${words}`);
  }

  /** Ends it by this signal, in the end by SIGKILL, and waits until it is gone. */
  async end(signal: "SIGTERM" | "SIGKILL", state: "stopped" | "killed" | "dead"): Promise<void> {
    const child = this.#child;
    this.#endsAs = state;
    if (child !== null) {
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill(signal);
      // A stopped process gets SIGTERM only when it goes on.
      if (signal === "SIGTERM") child.kill("SIGCONT");
      const timer = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
      await gone;
      clearTimeout(timer);
    }
    this.#setState(state);
  }

  /** Freezes it where it stands (SIGSTOP); the kernel goes on accepting connections and bytes for it. */
  pause(): void {
    if (this.#state !== "running") return;
    this.#child?.kill("SIGSTOP");
    this.#setState("paused");
  }

  resume(): void {
    if (this.#state !== "paused") return;
    this.#child?.kill("SIGCONT");
    this.#setState("running");
  }

  get #logFile(): string {
    return join(this.#folder, "server.log");
  }

  #launch(dataFolder: string): ChildProcess {
    const usual = serverArguments(this.port, dataFolder, this.#logFile);
    // The environment of this process has one home, which is not here; `env` becomes the server and keeps its process id.
    const assignments = Object.entries(this.#env).map(([name, value]) => `${name}=${value}`);
    const words = [...assignments, this.#program, ...usual, ...this.#args];
    const [program = "", ...args] = assignments.length === 0 ? words : ["env", ...words];
    const child = spawn(program, args, {
      cwd: dataFolder,
      // A session of its own: Ctrl-C goes to the console, which ends its servers in order.
      detached: true,
      stdio: "ignore",
    });
    if (child.pid !== undefined) this.#keeper.watch(child.pid);
    child.unref();
    this.#child = child;
    this.#endsAs = "dead";
    const over = () => {
      if (this.#child !== child) return;
      this.#child = null;
      if (child.pid !== undefined) this.#keeper.forget(child.pid);
      this.#setState(this.#endsAs);
    };
    child.once("exit", over);
    // Could not be started at all.
    child.once("error", over);
    return child;
  }

  async #lastWords(): Promise<string> {
    try {
      const lines = (await readFile(this.#logFile, "utf8")).trimEnd().split("\n");
      return lines.slice(-LOG_LINES).join(" | ");
    } catch {
      return "it wrote no log"; // It ended before it could open one.
    }
  }

  #setState(state: ProcessView["state"]): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#onChange();
  }
}

function serverArguments(port: number, dataFolder: string, logFile: string): readonly string[] {
  const options: Readonly<Record<string, string>> = {
    port: String(port),
    bind: "127.0.0.1",
    "protected-mode": "yes",
    dir: dataFolder,
    logfile: logFile,
    daemonize: "no",
    // An append-only file, so that a node can come back with its data; no snapshots beside it. On disk before each answer, so
    // that it comes back with every vote it gave, and need not be kept out.
    appendonly: "yes",
    appendfsync: "always",
    save: "",
    // A lock that is evicted is a lock that two hold.
    "maxmemory-policy": "noeviction",
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}
