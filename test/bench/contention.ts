// Fifty clients for one resource: `npm run bench -- contention [--json FILE] [--seconds 10] [--subjects engine,redlock-5,…]`
// In one process, in five processes, and as fifty clients with connections of their own.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { percentile, rounded, sleep } from "../support/bench";
import { openSubject, SUBJECTS } from "../support/bench-subjects";
import { benchWords, listOf, numberOf } from "../support/bench-words";
import { startRedisServers, type TestServer } from "../support/redis-server";

const NODES = 5;
const CLIENTS = 50;
const HOLD_MS = 5;
const NODE_TIMEOUT_MS = 50;
const RESOURCE = "bench:contended";
/** Script calls a grant needs on each node: to take it and to give it back; one more for a place in the queue, where there are queues. */
const CALLS_NEEDED = 2;
const CALLS_NEEDED_FAIR = 3;
/** Clients that have just connected are not compared with each other: they begin together, so long after the last of them, milliseconds. */
const SETTLE_MS = 1000;
/** A worker that has not ended so long after its time is stuck, milliseconds. */
const GRACE_MS = 20_000;

/** Who the clients are. */
interface Setting {
  readonly clientsAre: string;
  readonly processes: number;
  /** Clients that share an engine and its connections. */
  readonly clientsPerEngine: number;
}

const SETTINGS: readonly Setting[] = [
  { clientsAre: "one process", processes: 1, clientsPerEngine: CLIENTS },
  { clientsAre: "five processes", processes: 5, clientsPerEngine: CLIENTS / 5 },
  { clientsAre: "independent", processes: 5, clientsPerEngine: 1 },
];

interface Row {
  readonly subject: string;
  readonly clientsAre: string;
  readonly processes: number;
  readonly clients: number;
  readonly grantsPerSecond: number;
  /** If taking and giving back took no time. */
  readonly possiblePerSecond: number;
  /** Jain's index of the clients' grants: 1 = all alike. */
  readonly jain: number;
  readonly p99WaitMs: number;
  /** Acquires that gave up. */
  readonly failed: number;
  /** Script calls beyond those that are needed to be granted the lock and give it back. */
  readonly wastedPerGrant: number;
}

/** What a worker process is to do. */
interface Task {
  readonly subject: string;
  readonly servers: readonly { readonly url: string; readonly port: number }[];
  readonly clients: number;
  readonly clientsPerEngine: number;
  readonly forMs: number;
}

/** What became of one client. */
interface Result {
  readonly grants: number;
  readonly waitsMs: readonly number[];
  readonly failed: number;
  /** Granted and given back when the time was over. */
  readonly late: number;
}

/** @returns a row per subject and setting */
export async function run(words: readonly string[]): Promise<readonly Row[]> {
  const given = benchWords(words, ["--seconds", "--subjects"]);
  const forMs = numberOf(given, "--seconds", 10) * 1000;
  const standard = SUBJECTS.filter((name) => !/one-by-one|guards-off|fencing|resp-bound/.test(name));
  const rows: Row[] = [];
  for (const setting of SETTINGS) {
    for (const subject of listOf(given, "--subjects", standard)) rows.push(await play(subject, setting, forMs));
  }
  return rows;
}

async function play(subject: string, setting: Setting, forMs: number): Promise<Row> {
  const { servers, stop } = await startRedisServers(NODES);
  try {
    const { processes, clientsPerEngine, clientsAre } = setting;
    const task: Task = {
      subject,
      servers: servers.map(({ url, port }) => ({ url, port })),
      clients: CLIENTS / processes,
      clientsPerEngine,
      forMs,
    };
    const workers = Array.from({ length: processes }, () => new Worker(task));
    await Promise.all(workers.map((worker) => worker.isReady));
    await sleep(SETTLE_MS);
    const before = await requestsOf(servers);
    const results = (await Promise.all(workers.map((worker) => worker.contend()))).flat();
    const requests = (await requestsOf(servers)) - before;
    const needed = subject === "engine-fair" ? CALLS_NEEDED_FAIR : CALLS_NEEDED;
    const grants = results.map((result) => result.grants);
    const sum = grants.reduce((all, each) => all + each, 0);
    // Whoever waits when the time is over is still granted the lock, and its calls are in the count.
    const late = results.reduce((all, result) => all + result.late, 0);
    const squares = grants.reduce((all, each) => all + each * each, 0);
    return {
      subject,
      clientsAre,
      processes,
      clients: CLIENTS,
      grantsPerSecond: rounded(sum / (forMs / 1000)),
      possiblePerSecond: 1000 / HOLD_MS,
      jain: rounded(sum ** 2 / (CLIENTS * squares), 3),
      p99WaitMs: rounded(
        percentile(
          results.flatMap(({ waitsMs }) => waitsMs),
          0.99,
        ),
        0,
      ),
      failed: results.reduce((all, { failed }) => all + failed, 0),
      wastedPerGrant: rounded(requests / (sum + late) - NODES * needed, 2),
    };
  } finally {
    await stop();
  }
}

/** Script calls; every subject here takes and gives back by scripts. */
async function requestsOf(servers: readonly TestServer[]): Promise<number> {
  const stats = await Promise.all(servers.map(({ client }) => client.info("commandstats")));
  const calls = stats.flatMap((text) => [...text.matchAll(/^cmdstat_(?:eval|evalsha):calls=(\d+)/gm)]);
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** `work` of this very file in a process of its own. */
class Worker {
  readonly isReady: Promise<void>;
  readonly #task: Task;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #printed = "";

  constructor(task: Task) {
    this.#task = task;
    const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.work(${JSON.stringify(task)}))`;
    this.#child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
    this.isReady = new Promise((resolve, reject) => {
      this.#child.stdout.on("data", (text: Buffer) => {
        this.#printed += text;
        resolve();
      });
      this.#child.once("close", () => reject(new Error(`a worker with ${task.subject} never began`)));
    });
  }

  async contend(): Promise<readonly Result[]> {
    const deadline = setTimeout(() => this.#child.kill("SIGKILL"), this.#task.forMs + GRACE_MS);
    this.#child.stdin.end("begin\n");
    await new Promise((resolve) => this.#child.once("close", resolve));
    clearTimeout(deadline);
    const [, results] = this.#printed.split("\n");
    if (!results) throw new Error(`a worker with ${this.#task.subject} never ended`);
    return JSON.parse(results) as Result[];
  }
}

/** Contends once it is told to begin, and prints what became of each client. */
export async function work({ subject, servers, clients, clientsPerEngine, forMs }: Task): Promise<void> {
  const setup = { retries: true, nodeTimeoutMs: NODE_TIMEOUT_MS };
  const engines = await Promise.all(
    Array.from({ length: clients / clientsPerEngine }, () => openSubject(subject, servers, setup)),
  );
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const startedAt = performance.now();
  const contend = async (index: number): Promise<Result> => {
    const { take } = engines[Math.floor(index / clientsPerEngine)] ?? { take: () => Promise.reject(new Error("none")) };
    const waitsMs: number[] = [];
    let failed = 0;
    let late = 0;
    while (performance.now() - startedAt < forMs) {
      const askedAt = performance.now();
      const release = await take(RESOURCE).catch(() => null);
      // What is won after the time is over is nobody's merit.
      const isInTime = performance.now() - startedAt < forMs;
      if (release === null) failed += isInTime ? 1 : 0;
      else if (isInTime) waitsMs.push(performance.now() - askedAt);
      if (release === null) continue;
      if (!isInTime) late += 1;
      if (isInTime) await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
      await release().catch(() => {
        failed += 1;
      });
    }
    return { grants: waitsMs.length, waitsMs, failed, late };
  };
  const results = await Promise.all(Array.from({ length: clients }, (_, index) => contend(index)));
  process.stdout.write(JSON.stringify(results), () => process.exit());
}
