import { type ChildProcess, fork } from "node:child_process";
import type { ProcessKeeper } from "./server-process";

const END_WITHIN_MS = 2000;

/** A lock client in a process of its own, spoken to over the channel that Node gives a child. */
export interface ClientProcess {
  readonly pid: number | null;
  send(message: object): void;
  /** Freezes it where it stands (SIGSTOP): its locks go on without it. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends it for good and waits until it is gone. */
  end(): Promise<void>;
}

/** What a client's owner hears of it. */
export interface ClientListeners {
  /** What it sends, unchecked. */
  onMessage(message: unknown): void;
  /** Once: it has ended, or could not be started. */
  onEnd(): void;
}

/**
 * Starts a bundled client. It ends by itself when its channel closes; one that is paused then is ended by the keeper.
 *
 * @param program file that Node can run as it is
 * @param task handed over as its only argument, as JSON
 * @param keeper ends it when the console is gone
 */
export function startClientProcess(
  program: string,
  task: object,
  { onMessage, onEnd }: ClientListeners,
  keeper: ProcessKeeper,
): ClientProcess {
  const child = fork(program, [JSON.stringify(task)], {
    // Those of this process may name a debugger's port, which is taken.
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // A session of its own: Ctrl-C goes to the console, which ends its clients in order.
    detached: true,
  });
  if (child.pid !== undefined) keeper.watch(child.pid);
  let hasEnded = false;
  const over = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (child.pid !== undefined) keeper.forget(child.pid);
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
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
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
