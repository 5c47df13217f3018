// Whether a million locks leave anything behind: `npm run bench -- memory [--json FILE] [--cycles 1000000] [--subjects engine,…]`

import { heapBytes, rounded } from "../support/bench";
import { cycle, openSubject } from "../support/bench-subjects";
import { benchWords, listOf, numberOf } from "../support/bench-words";
import { startRedisServers } from "../support/redis-server";

const NODES = 5;
const AT_A_TIME = 100;
const NODE_TIMEOUT_MS = 5000;
/** Until the compiler and the pools have what they need. */
const WARM_UP_CYCLES = 20_000;
const MB = 2 ** 20;

interface Row {
  readonly subject: string;
  readonly cycles: number;
  /** On the heap after a forced collection, megabytes. */
  readonly beforeMb: number;
  readonly afterMb: number;
  readonly grownMb: number;
}

/** @returns a row per subject */
export async function run(words: readonly string[]): Promise<readonly Row[]> {
  const given = benchWords(words, ["--cycles", "--subjects"]);
  const cycles = numberOf(given, "--cycles", 1_000_000);
  const rows: Row[] = [];
  for (const name of listOf(given, "--subjects", ["engine"])) {
    const { servers, stop } = await startRedisServers(NODES);
    const subject = await openSubject(name, servers, { retries: false, nodeTimeoutMs: NODE_TIMEOUT_MS });
    let left = 0;
    // Each lock has a name of its own: what is kept by name would pile up.
    const work = async (): Promise<void> => {
      while (left > 0) await cycle(subject, `bench:${left--}`);
    };
    const play = (count: number) => {
      left = count;
      return Promise.all(Array.from({ length: AT_A_TIME }, work));
    };
    try {
      await play(WARM_UP_CYCLES);
      const before = heapBytes();
      await play(cycles);
      const after = heapBytes();
      rows.push({
        subject: name,
        cycles,
        beforeMb: rounded(before / MB, 2),
        afterMb: rounded(after / MB, 2),
        grownMb: rounded((after - before) / MB, 2),
      });
    } finally {
      await subject.close();
      await stop();
    }
  }
  return rows;
}
