/** What came of all runs of one scenario. */
export interface Tally {
  readonly scenario: string;
  readonly runs: number;
  /** Runs that ended as the scenario claims. */
  readonly passes: number;
  /** Of each run, milliseconds. */
  readonly tookMs: readonly number[];
  /** The first run that did not. */
  readonly failure: { readonly seed: number; readonly troubles: readonly string[] } | null;
}

/** Scenarios by how often they ended as they claim, as a table of Markdown. */
export function labTable(tallies: readonly Tally[]): string {
  const rows = tallies.map(({ scenario, runs, passes, tookMs, failure }) => {
    const sorted = [...tookMs].sort((a, b) => a - b);
    const seconds = (ms: number | undefined): string => (ms === undefined ? "" : (ms / 1000).toFixed(1));
    const why = failure === null ? "" : `seed ${failure.seed}: ${failure.troubles.join("; ")}`;
    const times = `${seconds(sorted[sorted.length >> 1])} | ${seconds(sorted.at(-1))}`;
    return `| ${scenario} | ${passes} of ${runs} | ${times} | ${why} |`;
  });
  return ["| scenario | as expected | median, s | longest, s | first failure |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

/** The line the command ends with. */
export function closingLine(tallies: readonly Tally[], seed: number): string {
  const sum = (of: (tally: Tally) => number): number => tallies.reduce((all, each) => all + of(each), 0);
  const [runs, passes] = [sum((tally) => tally.runs), sum((tally) => tally.passes)];
  return `failures ${runs - passes}, runs ${runs}, scenarios ${tallies.length}, seed ${seed}`;
}
