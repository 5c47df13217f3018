import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Cluster, LockDetail } from "@/lib/contract";

/** Includes a build when the sources are newer than the last one. */
const START_DEADLINE_MS = 300_000;
const STOP_DEADLINE_MS = 15_000;

/** A console of its own, started as a user would start it: built, with an embedded cluster or with the nodes in `environment`. */
export interface RunningConsole {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it printed so far. */
  output(): string;
  get<Data>(path: string): Promise<Data>;
  send(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: { data?: never; error?: { code: string } } }>;
  cluster(): Promise<Cluster>;
  lock(id: string): Promise<LockDetail>;
  /** SIGTERM and wait for its end. @returns the exit code */
  stop(): Promise<number | null>;
}

/** @param environment added to the process's own; `PORT` and the data folder are chosen */
export async function startConsole(environment: Readonly<Record<string, string>> = {}): Promise<RunningConsole> {
  const port = environment.PORT ?? (await freePort());
  const dataFolder = await mkdtemp(join(tmpdir(), "redlock-console-e2e-"));
  const child = spawn(process.execPath, ["lib/setup/main.mjs", "start"], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      REDLOCK_DATA_DIR: dataFolder,
      REDLOCK_NODE_TIMEOUT_MS: "250",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`the console ended with ${child.exitCode}:\n${printed}`);
      return printed.includes(url);
    },
    START_DEADLINE_MS,
    () => `the console never printed its address:\n${printed}`,
  );
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(url + path);
    const body = (await response.json()) as { data: Data };
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${JSON.stringify(body)}`);
    return body.data;
  };
  return {
    url,
    process: child,
    output: () => printed,
    get,
    async send(method, path, body) {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const response = await fetch(url + path, { method, ...init });
      return { status: response.status, body: (await response.json()) as never };
    },
    cluster: () => get<Cluster>("/api/v1/cluster"),
    lock: (id) => get<LockDetail>(`/api/v1/locks/${id}`),
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_DEADLINE_MS);
      const code = await exited;
      clearTimeout(timer);
      await rm(dataFolder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Runs redis-cli against one node, as an operator would check a number on the page. */
export async function redisCli(address: string, ...args: string[]): Promise<string> {
  const port = address.slice(address.lastIndexOf(":") + 1);
  const { stdout } = await promisify(execFile)("redis-cli", ["-h", "127.0.0.1", "-p", port, ...args], {
    timeout: 5000,
  });
  return stdout.trim();
}

/** Waits for a condition instead of for a time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number,
  explain: () => string = () => "the condition never came true",
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(explain());
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
