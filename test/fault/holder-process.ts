import { type ChildProcess, fork } from "node:child_process";
import type { ClientOptions } from "./clients";

/** What a holding process is told. */
export interface HolderTask {
  readonly client: ClientOptions;
  readonly ttlMs: number;
  /** What it looks at before each write: the validity of its lock, or only the signal of `using()`. */
  readonly way: "validity" | "signal";
}

/** Sent by it over its channel. */
export type HolderNews =
  /** It wrote to its resource; monotonic microseconds. */
  | { readonly kind: "wrote"; readonly atUs: number }
  /** It has stopped writing, or was given no lock. */
  | { readonly kind: "ended" };

/** A process that holds the lock. */
export interface Holder {
  /** When it wrote, monotonic microseconds, as far as it has told. */
  readonly writes: readonly number[];
  hasEnded(): boolean;
  stop(): void;
  resume(): void;
  kill(): void;
}

/** @param file the bundled holder */
export function startHolder(file: string, task: HolderTask): Holder {
  const child: ChildProcess = fork(file, [JSON.stringify(task)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const writes: number[] = [];
  let hasEnded = false;
  child.on("message", (message) => {
    const news = message as HolderNews;
    if (news.kind === "wrote") writes.push(news.atUs);
    else hasEnded = true;
  });
  child.once("exit", () => {
    hasEnded = true;
  });
  return {
    writes,
    hasEnded: () => hasEnded,
    stop: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: () => void child.kill("SIGKILL"),
  };
}
