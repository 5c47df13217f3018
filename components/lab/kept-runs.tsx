import clsx from "clsx";
import type { LabRunSummary, LabScenario } from "@/lib/contract";
import { seconds, stateWords } from "./lab-words";
import { runQuery } from "./use-choice";

type Props = {
  /** The newest first. */
  readonly runs: readonly LabRunSummary[];
  readonly scenarios: readonly LabScenario[];
  /** The one that is shown. */
  readonly shown: string | null;
  readonly onOpen: (run: LabRunSummary) => void;
};

/** Runs that can be looked at again: their links lead to the record itself, as long as it is kept. */
export function KeptRuns({ runs, scenarios, shown, onOpen }: Props) {
  if (runs.length === 0) return null;
  const titleOf = (run: LabRunSummary) => scenarios.find(({ id }) => id === run.scenario)?.title ?? run.scenario;
  return (
    <details className="rounded-xl border border-line bg-panel px-4 py-2.5" open={runs.length > 1}>
      <summary className="cursor-pointer font-semibold">Last runs: {runs.length}</summary>
      <ol className="mt-2 grid gap-1">
        {runs.map((run) => (
          <li key={run.id} className="flex flex-wrap items-baseline gap-x-2">
            <a
              href={hrefOf(run)}
              aria-current={run.id === shown ? "true" : undefined}
              onClick={(event) => {
                // Elsewhere than here it is the browser's own.
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                onOpen(run);
              }}
              className={clsx("underline underline-offset-2", run.id === shown && "font-semibold")}
            >
              {titleOf(run)}
            </a>
            <span className="text-[13px] text-mute">
              {run.n} masters, seed {run.seed}
              {run.crowd !== null && `, ${run.crowd.clients} clients`}, {seconds(run.tookMs)}:{" "}
              {stateWords({ state: run.state, problem: null })}
              {run.id === shown && " (shown)"}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function hrefOf(run: LabRunSummary): string {
  const values = Object.entries(runQuery(run)).filter(([, value]) => value !== null);
  return `/lab?${new URLSearchParams(values.map(([name, value]) => [name, String(value)]))}`;
}
