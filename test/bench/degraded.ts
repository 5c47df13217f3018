// Ten acquires at a time while nodes hang or are gone: `npm run bench -- degraded [--json FILE] [--seconds 3] [--subjects engine,redlock-5,…]`
// Each subject is opened anew for each fault, used while all is well, and goes on when the fault strikes.

import { median, percentile, rounded } from "../support/bench";
import { openSubject, SUBJECTS, type Subject } from "../support/bench-subjects";
import { benchWords, listOf, numberOf } from "../support/bench-words";
import { startRedisServers, type TestServer } from "../support/redis-server";

const NODES = 5;
const AT_A_TIME = 10;
/** The engine's default. */
const NODE_TIMEOUT_MS = 50;
const WARM_UP_MS = 500;
/** What has not settled by then counts as never. */
const PATIENCE_MS = 6000;
const NEVER = Symbol("never");

interface Fault {
  readonly fault: string;
  inflict(servers: readonly TestServer[]): Promise<void>;
}

const hang = (count: number) => async (servers: readonly TestServer[]) => {
  for (const server of servers.slice(0, count)) server.pause();
};

const FAULTS: readonly Fault[] = [
  { fault: "healthy", inflict: hang(0) },
  { fault: "one hung", inflict: hang(1) },
  { fault: "two hung", inflict: hang(2) },
  { fault: "three hung", inflict: hang(3) },
  { fault: "one killed", inflict: async ([server]) => server?.kill() },
];

interface Row {
  readonly subject: string;
  readonly fault: string;
  /** Of the acquires that were won, milliseconds; null when none was. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly perSecond: number;
  /** Refused or failed. */
  readonly failed: number;
  /** Median time to the refusal, milliseconds; null without one. */
  readonly refusedAfterMs: number | null;
  /** Acquires or releases that had not settled after six seconds. */
  readonly neverSettled: number;
}

/** @returns a row per subject and fault */
export async function run(words: readonly string[]): Promise<readonly Row[]> {
  const given = benchWords(words, ["--seconds", "--subjects"]);
  const forMs = numberOf(given, "--seconds", 3) * 1000;
  const standard = SUBJECTS.filter((name) => !/one-by-one|fencing|fair|resp-bound/.test(name));
  const rows: Row[] = [];
  for (const fault of FAULTS) {
    for (const name of listOf(given, "--subjects", standard)) rows.push(await play(name, fault, forMs));
  }
  return rows;
}

async function play(name: string, { fault, inflict }: Fault, forMs: number): Promise<Row> {
  const { servers, stop } = await startRedisServers(NODES);
  try {
    const subject = await openSubject(name, servers, { retries: false, nodeTimeoutMs: NODE_TIMEOUT_MS });
    await measure(subject, WARM_UP_MS);
    await inflict(servers);
    const { won, lost, neverSettled } = await measure(subject, forMs);
    for (const server of servers) server.resume();
    await subject.close();
    return {
      subject: name,
      fault,
      p50Ms: won.length === 0 ? null : rounded(median(won), 2),
      p99Ms: won.length === 0 ? null : rounded(percentile(won, 0.99), 2),
      perSecond: rounded(won.length / (forMs / 1000), 0),
      failed: lost.length,
      refusedAfterMs: lost.length === 0 ? null : rounded(median(lost), 0),
      neverSettled,
    };
  } finally {
    await stop();
  }
}

/** Times of the acquires that were won and lost, milliseconds. A worker whose acquire or release does not settle is stuck, and ends. */
async function measure(subject: Subject, forMs: number) {
  const won: number[] = [];
  const lost: number[] = [];
  let neverSettled = 0;
  const startedAt = performance.now();
  const work = async (worker: number): Promise<void> => {
    while (performance.now() - startedAt < forMs) {
      const askedAt = performance.now();
      const taking = subject.take(`bench:${worker}`).catch(() => null);
      const release = await withPatience(taking);
      if (release === NEVER) {
        neverSettled += 1;
        return;
      }
      (release === null ? lost : won).push(performance.now() - askedAt);
      // What a refusal takes is measured; how many there are is not.
      if (release === null) await new Promise((resolve) => setTimeout(resolve, 5));
      else if ((await withPatience(release().catch(() => null))) === NEVER) neverSettled += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, (_, worker) => work(worker)));
  return { won, lost, neverSettled };
}

/** @returns NEVER when it has not settled in time */
async function withPatience<Value>(promise: Promise<Value>): Promise<Value | typeof NEVER> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof NEVER>((resolve) => {
    timer = setTimeout(() => resolve(NEVER), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
