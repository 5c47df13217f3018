import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LabRun } from "@/lib/contract";
import { Run, SCENARIOS, type Scenario } from "@/lib/lab";
import { inTurns } from "../support/in-turns";
import { troublesOf } from "../support/lab-verdict";
import { type LabArguments, labArguments, USAGE } from "./arguments";
import { closingLine, labTable, type Tally } from "./report";

const LIMIT_MS = 60_000;

/** Where the bundled client is. */
interface Places {
  readonly clientProgram: string;
}

/**
 * Plays scenarios of the Quorum Lab again and again, and prints how often each ended as it claims.
 *
 * @returns exit code: 0 = always, 1 = not always, 2 = it was asked for something it cannot do
 */
export async function runLab(argv: readonly string[], { clientProgram }: Places): Promise<number> {
  let asked: LabArguments;
  try {
    asked = labArguments(argv);
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-"));
  const kept = mkdtempSync(join(tmpdir(), "redlock-lab-failed-"));
  const playing = new Set<Run>();
  let isBroken = false;
  const onSignal = (): void => {
    isBroken = true;
    for (const run of playing) run.stop("broken off by a signal");
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const play = inTurns(asked.atATime, async (scenario: Scenario, seed: number): Promise<LabRun | null> => {
    if (isBroken) return null;
    const { limitMs = LIMIT_MS } = scenario;
    const id = `${scenario.id}-${seed}`;
    const run = new Run({ id, scenario, seed, n: asked.n ?? undefined, folder, clientProgram, limitMs });
    playing.add(run);
    await run.over;
    playing.delete(run);
    return run.view();
  });
  try {
    const tallies = await playAll(asked, kept, play);
    say(`\n${labTable(tallies)}\n${closingLine(tallies, asked.seed)}`);
    return !isBroken && tallies.every(({ passes, runs }) => passes === runs) ? 0 : 1;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    rmSync(folder, { recursive: true, force: true });
    if (readdirSync(kept).length === 0) rmSync(kept, { recursive: true });
  }
}

/** Round after round, so that a long command has seen every scenario early. @param kept folder for the records of those that failed */
async function playAll(
  { times, seed, scenarios }: LabArguments,
  kept: string,
  play: (scenario: Scenario, seed: number) => Promise<LabRun | null>,
): Promise<readonly Tally[]> {
  const tallies = new Map<string, Tally>(
    scenarios.map((scenario) => [scenario, { scenario, runs: 0, passes: 0, tookMs: [], failure: null }]),
  );
  const rounds = Array.from({ length: times }, (_, round) => seed + round);
  const all = rounds.flatMap((own) =>
    scenarios.map(async (id) => {
      const run = await play(SCENARIOS[id], own);
      const tally = tallies.get(id);
      // One that was broken off says nothing.
      if (run === null || run.state === "stopped" || tally === undefined) return;
      const troubles = troublesOf(run);
      const failure = troubles.length === 0 ? null : { seed: own, troubles };
      if (failure !== null) {
        const file = join(kept, `${id}-${own}.json`);
        writeFileSync(file, JSON.stringify(run, null, 2));
        say(`${id}, seed ${own}: ${troubles.join("; ")}. Its record: ${file}`);
      }
      tallies.set(id, {
        ...tally,
        runs: tally.runs + 1,
        passes: tally.passes + (failure === null ? 1 : 0),
        tookMs: [...tally.tookMs, run.tookMs],
        failure: tally.failure ?? failure,
      });
    }),
  );
  await Promise.all(all);
  return [...tallies.values()];
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
