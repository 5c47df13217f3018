import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "@/lib/cluster";
import { until } from "../support/until";

// What becomes of the servers and lab clients when the console is killed. The console here is a real process of its own, built from the sources.

let folder: string;
let program: string;
let clientProgram: string;
let root: string;
const consoles: ChildProcess[] = [];
let later: EmbeddedCluster | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "redlock-crash-"));
  program = join(folder, "cluster-console.mjs");
  clientProgram = join(folder, "lab-client.mjs");
  writeFileSync(clientProgram, "setInterval(() => {}, 1000);");
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias: { "@": process.cwd() } },
    build: {
      ssr: "test/support/cluster-console.ts",
      outDir: folder,
      target: "node20",
      rollupOptions: { output: { entryFileNames: "cluster-console.mjs" } },
    },
  });
});
afterEach(async () => {
  for (const console of consoles) console.kill("SIGKILL");
  await later?.stop();
  later = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a console on a root folder of its own and waits for its servers. */
async function startConsole(): Promise<{ console: ChildProcess; pids: readonly number[] }> {
  root = mkdtempSync(join(folder, "root-"));
  const child = spawn(process.execPath, [program, root, clientProgram], { stdio: ["ignore", "pipe", "inherit"] });
  consoles.push(child);
  const pids = await new Promise<readonly number[]>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the console ended")));
    child.stdout?.once("data", (line: Buffer) => resolve(JSON.parse(line.toString())));
  });
  expect(pids).toHaveLength(3);
  for (const pid of pids) expect(isAlive(pid)).toBe(true);
  return { console: child, pids };
}

/** A process that has ended but was not yet collected by its parent counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/^\d+ \(.*\) Z /.test(statOf(pid));
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return ""; // Gone, or no Linux.
  }
}

/** The keeper of a console: found by the folder in its command line. */
function keeperOf(folderOfRun: string): number | undefined {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0)
    .find((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return command.includes("keeper.mjs") && command.includes(folderOfRun);
      } catch {
        return false; // Gone in between.
      }
    });
}

test("a console killed by SIGKILL leaves no redis-server or lab client behind, not even a paused one, and no folder", async () => {
  const { console, pids } = await startConsole();
  console.kill("SIGKILL");
  await until(() => pids.every((pid) => !isAlive(pid)), "the servers to end", 5000);
  await until(() => readdirSync(root).length === 0, "the folder to be removed", 5000);
});

test("signals that reach everybody at once do not make the keeper forget its duty", async () => {
  const { console, pids } = await startConsole();
  const keeper = keeperOf(root);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(keeper ?? 0, signal);
  console.kill("SIGKILL");
  await until(() => pids.every((pid) => !isAlive(pid)), "the servers to end", 5000);
});

test("what a console and its keeper left behind is ended by the next start, and nothing else", async () => {
  const { console, pids } = await startConsole();
  process.kill(keeperOf(root) ?? 0, "SIGKILL");
  console.kill("SIGKILL");
  await until(() => keeperOf(root) === undefined && console.signalCode !== null, "console and keeper to be gone");
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  // A folder in the middle of being made by another console, and one that is not of our making.
  mkdirSync(join(root, "run-starting"));
  writeFileSync(join(root, "note.txt"), "not ours");

  later = await startEmbeddedCluster({ folder: root, size: 1 });
  await until(() => pids.every((pid) => !isAlive(pid)), "the servers to end", 5000);
  const left = readdirSync(root).filter((name) => !name.startsWith("run-") || name === "run-starting");
  expect(left.sort()).toEqual(["note.txt", "run-starting"]);
});

test("a start does not touch the servers of a console that lives, even when its keeper is gone", async () => {
  const { pids } = await startConsole();
  process.kill(keeperOf(root) ?? 0, "SIGKILL");
  later = await startEmbeddedCluster({ folder: root, size: 1 });
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  for (const pid of pids) process.kill(pid, "SIGKILL");
});

test("a process that has got the id of an ended server is left alone", async () => {
  const { console } = await startConsole();
  process.kill(keeperOf(root) ?? 0, "SIGKILL");
  console.kill("SIGKILL");
  await until(() => keeperOf(root) === undefined && console.signalCode !== null, "console and keeper to be gone");
  const bystander = spawn("redis-server", ["--port", "0", "--unixsocket", join(folder, "s"), "--save", ""], {
    stdio: "ignore",
  });
  try {
    const run = readdirSync(root).find((name) => name.startsWith("run-")) ?? "";
    const listed = readFileSync(join(root, run, "processes.txt"), "utf8");
    writeFileSync(join(root, run, "processes.txt"), `${listed}${bystander.pid} 1\n`);
    later = await startEmbeddedCluster({ folder: root, size: 1 });
    expect(readdirSync(root)).not.toContain(run);
    expect(bystander.exitCode === null && bystander.signalCode === null).toBe(true);
  } finally {
    bystander.kill("SIGKILL");
  }
});
