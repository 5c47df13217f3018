import { type ChildProcess, fork } from "node:child_process";

const END_WITHIN_MS = 2000;

/** A lock client in a process of its own, spoken to over the channel that Node gives a child. */
export interface ClientProcess {
  readonly pid: number | null;
  send(message: object): void;
  /** Ends it for good and waits until it is gone. */
  end(): Promise<void>;
}

/**
 * Starts a bundled client. It must end by itself when its channel closes, so that it does not outlive the console.
 *
 * @param program file that Node can run as it is
 * @param task handed over as its only argument, as JSON
 * @param onMessage hears what it sends, unchecked
 * @param onEnd hears once that it has ended, or could not be started
 */
export function startClientProcess(
  program: string,
  task: object,
  { onMessage, onEnd }: { onMessage(message: unknown): void; onEnd(): void },
): ClientProcess {
  const child = fork(program, [JSON.stringify(task)], {
    // Those of this process may name a debugger's port, which is taken.
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // A session of its own: Ctrl-C goes to the console, which ends its clients in order.
    detached: true,
  });
  let hasEnded = false;
  const over = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
  };
  child.on("message", onMessage);
  child.once("exit", over);
  child.once("error", over);
  return {
    get pid() {
      return child.pid ?? null;
    },
    send: (message) => {
      // A client that has just died cannot be told; `onEnd` says so.
      child.send(message, () => {});
    },
    end: () => end(child, () => hasEnded),
  };
}

function end(child: ChildProcess, hasEnded: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (hasEnded()) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, END_WITHIN_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGKILL");
  });
}
