import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const READY_WITHIN_MS = 10_000;
const GONE_WITHIN_MS = 5000;

/** The process that ends our servers and clients when this one is gone. See `keeper.mjs`. */
export class Keeper {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    // A keeper that died cannot be told anything; the next start sweeps what it would have done.
    child.stdin?.on("error", () => {});
  }

  /**
   * Starts it; it first clears what earlier runs under `root` have left behind.
   *
   * @param root holds one folder per run
   * @param folder of this run, below root
   * @throws Error when it is not ready in time
   */
  static async start(root: string, folder: string): Promise<Keeper> {
    // Not imported, so that the bundler leaves it a file of its own.
    const program = join(/* turbopackIgnore: true */ process.cwd(), "lib", "cluster", "keeper.mjs");
    // A session of its own, so that a Ctrl-C in the terminal ends the console only.
    const child = spawn(process.execPath, [program, root, folder, String(process.pid)], {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    await readyOf(child, program);
    child.unref();
    for (const stream of [child.stdin, child.stdout]) if (stream !== null && "unref" in stream) unref(stream);
    return new Keeper(child);
  }

  /** To be called in the same breath as the start of the process. */
  watch(pid: number): void {
    this.#child.stdin?.write(`+${pid}\n`);
  }

  forget(pid: number): void {
    this.#child.stdin?.write(`-${pid}\n`);
  }

  /** Lets it end what is left and remove the folder; resolves when it has, or after a few seconds. */
  async finish(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GONE_WITHIN_MS);
      this.#child.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
      this.#child.ref();
      this.#child.stdin?.end();
    });
  }
}

/** A pipe's handle must not keep the process alive either. */
function unref(stream: object): void {
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}

function readyOf(child: ChildProcess, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`The keeper of the embedded cluster (${program}) ${why}.`, { cause }));
    };
    const timer = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS / 1000} s`), READY_WITHIN_MS);
    child.once("error", (error) => fail("could not be started", error));
    child.once("exit", (code, signal) => fail(`ended at once (${signal ?? `exit code ${code}`})`));
    child.stdout?.once("data", () => {
      clearTimeout(timer);
      child.removeAllListeners("exit");
      resolve();
    });
  });
}
