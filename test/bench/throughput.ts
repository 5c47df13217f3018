// Acquire and release of locks nobody else wants, on five real servers, all subjects in turn in one run:
// `npm run bench -- throughput [--json FILE] [--seconds 80] [--rounds 3] [--subjects engine,redlock-5,…] [--concurrency 1,10,…]`

import { serverCpuSeconds } from "../support/bench";
import { cycle, openSubject, SUBJECTS, type Subject } from "../support/bench-subjects";
import { benchWords, listOf, numberOf } from "../support/bench-words";
import { startRedisServers, type TestServer } from "../support/redis-server";

const NODES = 5;
/** No attempt fails for a busy machine. */
const NODE_TIMEOUT_MS = 5000;

interface Sample {
  readonly cyclesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly clientCpuUsPerCycle: number;
  /** Of all servers together. */
  readonly serverCpuUsPerCycle: number;
}

interface Row extends Sample {
  readonly subject: string;
  readonly concurrency: number;
  /** Figures of two runs on a shared machine cannot be compared, ratios within one can. Null without redlock-5 in it. */
  readonly timesRedlock5?: number | null;
}

/** @returns a row per subject and concurrency: medians of the rounds */
export async function run(words: readonly string[]): Promise<readonly Row[]> {
  const asked = askedFor(words);
  const { servers, stop } = await startRedisServers(NODES);
  const subjects: Subject[] = [];
  try {
    for (const name of asked.subjects)
      subjects.push(await openSubject(name, servers, { retries: false, nodeTimeoutMs: NODE_TIMEOUT_MS }));
    const sliceMs = (asked.seconds * 1000) / (asked.rounds * asked.concurrencies.length + 1) / subjects.length;
    // Once unmeasured, so that nobody pays for the compiler.
    for (const subject of subjects) await measure(subject, servers, 10, sliceMs);
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round < asked.rounds; round += 1) {
      for (const concurrency of asked.concurrencies) {
        for (const subject of subjects) {
          const key = keyOf(subject.name, concurrency);
          samples.set(key, [...(samples.get(key) ?? []), await measure(subject, servers, concurrency, sliceMs)]);
        }
      }
    }
    const rows = asked.concurrencies.flatMap((concurrency) =>
      asked.subjects.map((subject) => ({
        subject,
        concurrency,
        ...middle(samples.get(keyOf(subject, concurrency)) ?? []),
      })),
    );
    return rows.map((row) => ({ ...row, timesRedlock5: timesRedlock5(row, rows) }));
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()));
    await stop();
  }
}

function askedFor(words: readonly string[]) {
  const given = benchWords(words, ["--seconds", "--rounds", "--subjects", "--concurrency"]);
  return {
    seconds: numberOf(given, "--seconds", 80),
    rounds: numberOf(given, "--rounds", 3),
    subjects: listOf(
      given,
      "--subjects",
      SUBJECTS.filter((name) => !/one-by-one|fair/.test(name)),
    ),
    concurrencies: listOf(given, "--concurrency", ["1", "10", "100", "1000"]).map(Number),
  };
}

/** So many at a time, each with resources of its own, for so long. */
async function measure(
  subject: Subject,
  servers: readonly TestServer[],
  concurrency: number,
  forMs: number,
): Promise<Sample> {
  const times: number[] = [];
  const serversBefore = await serverCpuUs(servers);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const work = async (worker: number): Promise<void> => {
    for (let now = performance.now(); now - startedAt < forMs; ) {
      const before = now;
      await cycle(subject, `bench:${worker}`);
      now = performance.now();
      times.push(now - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)));
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  const serversUs = (await serverCpuUs(servers)) - serversBefore;
  times.sort((a, b) => a - b);
  return {
    cyclesPerSecond: (times.length / tookMs) * 1000,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? Number.NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    clientCpuUsPerCycle: (user + system) / times.length,
    serverCpuUsPerCycle: serversUs / times.length,
  };
}

async function serverCpuUs(servers: readonly TestServer[]): Promise<number> {
  const seconds = await Promise.all(servers.map(({ client }) => serverCpuSeconds(client)));
  return seconds.reduce((sum, each) => sum + each * 1e6, 0);
}

function keyOf(subject: string, concurrency: number): string {
  return `${subject} ${concurrency}`;
}

function middle(samples: readonly Sample[]): Sample {
  const of = (name: keyof Sample, digits: number): number => {
    const sorted = samples.map((sample) => sample[name]).sort((a, b) => a - b);
    return Number((sorted[sorted.length >> 1] ?? Number.NaN).toFixed(digits));
  };
  return {
    cyclesPerSecond: of("cyclesPerSecond", 0),
    p50Ms: of("p50Ms", 2),
    p99Ms: of("p99Ms", 2),
    clientCpuUsPerCycle: of("clientCpuUsPerCycle", 1),
    serverCpuUsPerCycle: of("serverCpuUsPerCycle", 1),
  };
}

function timesRedlock5({ concurrency, cyclesPerSecond }: Row, rows: readonly Row[]): number | null {
  const peer = rows.find((row) => row.subject === "redlock-5" && row.concurrency === concurrency);
  return peer === undefined ? null : Number((cyclesPerSecond / peer.cyclesPerSecond).toFixed(2));
}
