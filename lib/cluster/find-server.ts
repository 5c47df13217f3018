import { execFile } from "node:child_process";

const CANDIDATES = ["redis-server", "valkey-server"] as const;

/**
 * The name of the server program on the PATH.
 *
 * @throws Error with the command that installs one
 */
export async function findServer(): Promise<string> {
  for (const candidate of CANDIDATES) if (await answers(candidate)) return candidate;
  throw new Error(
    "Neither redis-server nor valkey-server is on the PATH. Install one (apt-get install redis-server, dnf install valkey, " +
      "apk add redis, brew install redis), or name your own masters in REDLOCK_NODES.",
  );
}

/** Asks the operating system to look along the PATH, instead of reading the environment here. */
function answers(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, ["--version"], { timeout: 10_000 }, (error) => resolve(error === null));
  });
}
