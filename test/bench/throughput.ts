// Acquire and release of locks nobody else wants, on five real servers, all subjects in turn in one run:
// `npm run bench -- throughput [--json FILE] [--seconds 80] [--rounds 3] [--subjects engine,redlock-5,…] [--concurrency 1,10,…]`

import { startRedisServers, type TestServer } from "../support/redis-server";
import { openSubject, SUBJECTS, type Subject } from "../support/throughput-subjects";

const NODES = 5;

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
}

/** @returns a row per subject and concurrency: medians of the rounds */
export async function run(words: readonly string[]): Promise<readonly Row[]> {
  const asked = askedFor(words);
  const { servers, stop } = await startRedisServers(NODES);
  const subjects: Subject[] = [];
  try {
    for (const name of asked.subjects) subjects.push(await openSubject(name, servers));
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
    process.stdout.write(markdown(rows));
    return rows;
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()));
    await stop();
  }
}

function askedFor(words: readonly string[]) {
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) given.set(words[at] ?? "", words[at + 1] ?? "");
  const listOf = (name: string, standard: readonly string[]) => given.get(name)?.split(",") ?? standard;
  const numberOf = (name: string, standard: number) => Number(given.get(name) ?? standard);
  const asked = {
    seconds: numberOf("--seconds", 80),
    rounds: numberOf("--rounds", 3),
    subjects: listOf(
      "--subjects",
      SUBJECTS.filter((name) => name !== "engine-one-by-one"),
    ),
    concurrencies: listOf("--concurrency", ["1", "10", "100", "1000"]).map(Number),
  };
  const numbers = [asked.seconds, asked.rounds, ...asked.concurrencies];
  const isKnown = [...given.keys()].every((name) => /^--(seconds|rounds|subjects|concurrency)$/.test(name));
  if (isKnown && numbers.every((number) => number > 0)) return asked;
  throw new RangeError(
    `Options: --seconds S --rounds N --subjects ${SUBJECTS.join(",")} --concurrency 1,10,…; got ${words.join(" ")}`,
  );
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
      await subject.cycle(`bench:${worker}`);
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
  const infos = await Promise.all(servers.map(({ client }) => client.info("cpu")));
  return infos.reduce((sum, info) => {
    const seconds = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)];
    return sum + seconds.reduce((all, [, each]) => all + Number(each) * 1e6, 0);
  }, 0);
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

/** With the ratio to redlock-5 where it took part: figures of two runs on such machines cannot be compared, ratios can. */
function markdown(rows: readonly Row[]): string {
  const peerOf = (concurrency: number) =>
    rows.find((row) => row.subject === "redlock-5" && row.concurrency === concurrency)?.cyclesPerSecond;
  const lines = rows.map(({ subject, concurrency, cyclesPerSecond, p50Ms, p99Ms, ...cpu }) => {
    const peer = peerOf(concurrency);
    const ratio = peer === undefined ? "" : (cyclesPerSecond / peer).toFixed(2);
    const cells = [
      concurrency,
      subject,
      cyclesPerSecond,
      ratio,
      p50Ms,
      p99Ms,
      cpu.clientCpuUsPerCycle,
      cpu.serverCpuUsPerCycle,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head =
    "| at a time | subject | cycles per second | × redlock-5 | p50 ms | p99 ms | client CPU µs per cycle | servers' |";
  return `${[head, "|---|---|---|---|---|---|---|---|", ...lines].join("\n")}\n`;
}
