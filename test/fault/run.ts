import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FaultArguments, faultArguments, USAGE } from "./arguments";
import { outfitFor } from "./outfit";
import { runRandom } from "./random-run";
import { closingLine, describeViolation, whyBlind } from "./report";
import { isRed, runScenarios } from "./scenario-run";
import { scenarioTable, writeScenarioTable } from "./scenario-table";

/** Where the bundled parts are. */
export interface Bundle {
  readonly root: string;
  readonly worker: string;
  readonly holder: string;
}

/**
 * The fault checker's command.
 *
 * @returns exit code: 0 = nothing violated, 1 = violations, 2 = it saw too little to say
 */
export async function runFaultChecker(argv: readonly string[], bundle: Bundle): Promise<number> {
  let asked: FaultArguments;
  try {
    asked = faultArguments(argv);
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  const broken = new AbortController();
  const onSignal = (): void => broken.abort(new Error("broken off by a signal"));
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    return asked.scenario === null
      ? await runRandomly(asked, bundle, broken.signal)
      : await runScripted(asked, asked.scenario, { ...bundle, signal: broken.signal });
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

async function runRandomly(wished: FaultArguments, bundle: Bundle, signal: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "redlock-fault-"));
  const outfit = await outfitFor(wished, join(folder, "shim"));
  for (const shortage of outfit.shortages) say(shortage);
  if (outfit.asked === null) {
    rmSync(folder, { recursive: true, force: true });
    return 2;
  }
  const { asked, shim } = outfit;
  const { client, nodes, workers, contenders, ttlMs, nemeses, seconds, seed } = asked;
  say(
    `${client ?? "engine"}: ${nodes} nodes, ${workers} processes of ${contenders} clients, ttl ${ttlMs} ms, ` +
      `${nemeses.join(",") || "no nemesis"}, ${seconds} s, seed ${seed}`,
  );
  const places = { ...bundle, folder, shim };
  const { violations, grants, faults, startUs } = await runRandom(asked, places, signal).catch((cause) => {
    throw new Error(`The run broke off; what there is of its history is in ${folder}`, { cause });
  });
  for (const violation of violations) say(`\n${describeViolation(violation, faults, startUs)}`);
  const summary = { violations: violations.length, grants, faults: faults.length, seed };
  // Of clock steps alone there are but a few long ones, so their number says nothing.
  const blind = whyBlind(summary, { seconds, hasNemeses: nemeses.some((kind) => kind !== "clock-step") });
  if (blind !== null) say(blind);
  if (violations.length === 0 && blind === null) {
    rmSync(folder, { recursive: true, force: true });
  } else {
    writeFileSync(join(folder, "violations.json"), JSON.stringify(violations, null, 2));
    say(`\nThe history is kept in ${folder}`);
  }
  say(closingLine(summary));
  if (violations.length > 0) return 1;
  return blind === null ? 0 : 2;
}

async function runScripted(
  asked: FaultArguments,
  scenario: string,
  { root, holder, signal }: Bundle & { readonly signal: AbortSignal },
): Promise<number> {
  const { client, nodeTimeoutMs, seed } = asked;
  const folder = mkdtempSync(join(tmpdir(), "redlock-fault-"));
  const onPlayed = ({ played, planned }: { readonly played: number; readonly planned: number }): void => {
    if (process.stderr.isTTY)
      process.stderr.write(played < planned ? `\r${played} of ${planned} played` : "\r\u001b[K");
  };
  try {
    const request = { client, scenario, nodeTimeoutMs, root, holder, folder, signal, onPlayed };
    const { cells, grants } = await runScenarios(request);
    say(scenarioTable(cells));
    if (asked.isForReadme) writeScenarioTable(root, cells);
    // The others are there to be compared with; what counts is the client asked for, by default the engine.
    const own = cells.filter((cell) => cell.client === (client ?? "engine"));
    const violations = own.filter(isRed).length;
    say(closingLine({ violations, grants, faults: cells.length, seed }));
    return violations === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
