import { fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ShimBuild } from "@/lib/cluster";
import { nowUs } from "@/lib/lab";
import type { FaultArguments } from "./arguments";
import { checkHistory, type InflictedFault, type Violation } from "./checker";
import { FaultLink } from "./fault-link";
import { type FaultNode, startFaultNodes } from "./fault-nodes";
import { readHistory } from "./history";
import { type FaultWorker, Nemesis } from "./nemesis";
import { planFaults } from "./plan";
import { FINISH, type WorkerNews, type WorkerTask } from "./worker-task";

const READY_WITHIN_MS = 20_000;

/** Longer than holding, extending and showing life can take, on a busy machine. */
const FINISHED_WITHIN_MS = 60_000;

/** What a free lock may be late on a busy machine, beyond the bound of the algorithm. */
const BUSY_MS = 5000;

/** Where the parts of one run are. */
export interface RunPlaces {
  /** Folder with package.json. */
  readonly root: string;
  /** The bundled worker. */
  readonly worker: string;
  /** History, logs and the data of the nodes. */
  readonly folder: string;
  /** Loaded into the nodes; null when no fault needs it. */
  readonly shim: Extract<ShimBuild, { readonly kind: "built" }> | null;
}

/** What one run found. */
export interface RunResult {
  readonly violations: readonly Violation[];
  readonly grants: number;
  readonly faults: readonly InflictedFault[];
  readonly startUs: number;
}

/** Random faults of one seed on real processes, for the time asked for. Nothing it started outlives it. */
export async function runRandom(asked: FaultArguments, places: RunPlaces, signal: AbortSignal): Promise<RunResult> {
  const { nodes, stop } = await startFaultNodes(asked.nodes, join(places.folder, "nodes"), places.shim);
  const workers: FaultWorker[] = [];
  try {
    const tasks: WorkerTask[] = [];
    for (let index = 0; index < asked.workers; index += 1) {
      const links = await Promise.all(nodes.map(({ server }) => FaultLink.start(server.port)));
      const members = asked.hasGuard ? nodes.map(({ server }) => `127.0.0.1:${server.port}`) : null;
      const task = taskOf(index, links, members, { asked, places });
      tasks.push(task);
      workers.push({ name: task.name, links, process: startWorker(task, places) });
    }
    await Promise.all(workers.map((worker) => heard(worker, "ready", READY_WITHIN_MS)));
    const { startUs, faults } = await inflict(asked, { nodes, workers, signal });
    const finished = workers.map((worker) => heard(worker, "finished", FINISHED_WITHIN_MS));
    for (const worker of workers) worker.process.send(FINISH);
    await Promise.all(finished);
    const records = readHistory(tasks.map(({ history }) => history));
    writeFileSync(join(places.folder, "faults.json"), JSON.stringify(faults, null, 2));
    const grants = records.filter(({ kind }) => kind === "grant").length;
    return { violations: checkHistory(records, faults), grants, faults, startUs };
  } finally {
    for (const worker of workers) {
      worker.process.kill("SIGKILL");
      for (const link of worker.links) link.close();
    }
    await stop();
  }
}

async function inflict(
  { seed, seconds, nemeses, ttlMs, nodeTimeoutMs }: FaultArguments,
  parts: {
    readonly nodes: readonly FaultNode[];
    readonly workers: readonly FaultWorker[];
    readonly signal: AbortSignal;
  },
): Promise<{ readonly startUs: number; readonly faults: readonly InflictedFault[] }> {
  const { nodes, workers, signal } = parts;
  signal.throwIfAborted();
  const nemesis = new Nemesis(nodes, workers);
  const spanMs = 1000 * seconds;
  const sizes = { nodes: nodes.length, workers: workers.length };
  const plan = planFaults({ seed, spanMs, nemeses, ...sizes, ttlMs, nodeTimeoutMs });
  const startUs = nowUs();
  let onAbort = (): void => {};
  const broken = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    const span = new Promise((resolve) => setTimeout(resolve, spanMs));
    await Promise.race([Promise.all([nemesis.run(plan), span]), broken]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    nemesis.healAll();
  }
  return { startUs, faults: nemesis.log };
}

function taskOf(
  index: number,
  links: readonly FaultLink[],
  guardMembers: readonly string[] | null,
  { asked, places }: { readonly asked: FaultArguments; readonly places: RunPlaces },
): WorkerTask {
  const name = `worker-${index}`;
  const { client, contenders, isFair, ttlMs, nodeTimeoutMs, seed } = asked;
  mkdirSync(places.folder, { recursive: true });
  const history = join(places.folder, `${name}.jsonl`);
  writeFileSync(history, "");
  return {
    name,
    client: client ?? "engine",
    urls: links.map((link) => link.url),
    guardMembers,
    resources: ["fault:a", "fault:b", "fault:c"],
    contenders,
    isFair,
    ttlMs,
    nodeTimeoutMs,
    seed: seed + 1000 * (index + 1),
    history,
    root: places.root,
    // A node that forgot its votes in the end may be needed for the majority: one quarantine more.
    liveWithinMs: (guardMembers === null ? 1.15 : 2.3) * ttlMs + 250 + 4 * nodeTimeoutMs + BUSY_MS,
  };
}

function startWorker(task: WorkerTask, { worker, folder }: RunPlaces) {
  const file = join(folder, `${task.name}.json`);
  writeFileSync(file, JSON.stringify(task));
  return fork(worker, [file], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

function heard({ name, process: child }: FaultWorker, news: WorkerNews, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} was not ${news} within ${withinMs} ms`)), withinMs);
    child.on("message", (message) => {
      if (message !== news) return;
      clearTimeout(timer);
      resolve();
    });
    child.once("exit", (code, ended) => {
      clearTimeout(timer);
      reject(new Error(`${name} ended with ${code ?? ended} before it was ${news}`));
    });
  });
}
