import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { until } from "./until";

const RESTARTS_MAX = 20;

/** One real redis-server for a test, and a plain client that looks past everything under test. */
export interface TestServer {
  readonly port: number;
  /** `redis://` URL of database 0. */
  readonly url: string;
  readonly client: Redis;
  /** SIGSTOP: the kernel goes on accepting connections and bytes for it. */
  pause(): void;
  resume(): void;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM: it ends in order, with its append-only file on disk; resolves when it is gone. */
  shutDown(): Promise<void>;
  /** Starts it again on its port, empty. */
  restart(): Promise<void>;
}

/** Started servers, and their end. */
export interface TestServers {
  readonly servers: readonly TestServer[];
  /** Kills every server, also a paused one, and removes what they wrote. */
  stop(): Promise<void>;
}

/**
 * Starts `count` empty servers without persistence, each on a free port. Call `stop` in `afterAll`.
 *
 * @param env over that of this process
 */
export async function startRedisServers(
  count: number,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<TestServers> {
  const folder = mkdtempSync(join(tmpdir(), "redlock-test-"));
  const start = () => startServer((port) => launch({ port, folder, args, env }));
  const starts = await Promise.allSettled(Array.from({ length: count }, start));
  const servers = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const stop = async () => {
    await Promise.all(
      servers.map(async (server) => {
        server.client.disconnect();
        await server.kill();
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  for (const outcome of starts) {
    if (outcome.status === "fulfilled") continue;
    await stop();
    throw outcome.reason;
  }
  return { servers, stop };
}

/**
 * A port that was free a moment ago. Below those that the system hands out for outgoing connections: one of these could take it
 * while its server is killed.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 10_000 + Math.floor(20_000 * Math.random());
    if (await isFree(port)) return port;
  }
  throw new Error("no free port in 100 attempts");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

async function startServer(launchOn: (port: number) => ChildProcess): Promise<TestServer> {
  let port = await freePort();
  let child = launchOn(port);
  // Another test file may have taken the port in between.
  for (let attempt = 0; attempt < 5 && !(await isUp(child)); attempt += 1) {
    port = await freePort();
    child = launchOn(port);
  }
  const client = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => 20 });
  client.on("error", () => {
    // Killed servers are part of the tests.
  });
  await client.connect();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    client,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: () => end(child),
    shutDown: () => end(child, "SIGTERM"),
    async restart() {
      await end(child);
      child = launchOn(port);
      // Another test file may be finding out just now whether the port is free, for which it takes it.
      for (let attempt = 0; !(await isUp(child)); attempt += 1) {
        if (attempt === RESTARTS_MAX) throw new Error(`redis-server did not start again on port ${port}`);
        child = launchOn(port);
      }
      await until(() => client.status === "ready", "the test's own client to be connected again");
    },
  };
}

function launch({
  port,
  folder,
  args,
  env,
}: {
  readonly port: number;
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}): ChildProcess {
  const fixed = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
  return spawn("redis-server", [...fixed, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
}

function isUp(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve(false));
    child.stdout?.on("data", (text: Buffer) => {
      if (text.includes("Ready to accept connections")) resolve(true);
    });
  });
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}
