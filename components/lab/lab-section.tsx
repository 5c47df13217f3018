"use client";

import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useLab, useLabRun } from "@/lib/client";
import { LAB_SCENARIOS, type Lab } from "@/lib/contract";
import { FailedState, LoadingState } from "../ui/states";
import { RunControls } from "./run-controls";
import { RunView } from "./run-view";
import { ScenarioList } from "./scenario-list";

const DEFAULT_SEED = 1;

/** What to play is in the URL, so that a run can be sent to a colleague and played again. */
const CHOICE = {
  scenario: parseAsStringLiteral(LAB_SCENARIOS).withDefault("single-instance"),
  seed: parseAsInteger.withDefault(DEFAULT_SEED),
  n: parseAsInteger,
};

/** The Quorum Lab: the arguments about Redlock, played on real redis-servers and drawn from the record. */
export function LabSection() {
  const state = useLab();
  return (
    <div className="grid gap-4">
      <h1 className="font-semibold text-[20px]">Quorum Lab</h1>
      <p className="max-w-prose">
        Every run starts redis-servers and client processes of its own, does real faults to them (signals, held
        connections), and ends them all. Your locks and masters are not touched.
      </p>
      {state.kind === "loading" && <LoadingState what="the lab" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && <Scenarios lab={state.lab} staleBecause={state.staleBecause} />}
    </div>
  );
}

function Scenarios({ lab, staleBecause }: { readonly lab: Lab; readonly staleBecause: string | null }) {
  const [choice, setChoice] = useQueryStates(CHOICE);
  const run = useLabRun(lab.run?.id ?? null);
  const scenario = lab.scenarios.find(({ id }) => id === choice.scenario);
  const played = lab.scenarios.find(({ id }) => id === run?.scenario);
  if (scenario === undefined) return null;
  return (
    <>
      {lab.unavailableBecause !== null && (
        <p role="alert" className="rounded-xl border border-line bg-panel p-4">
          {lab.unavailableBecause}
        </p>
      )}
      <ScenarioList
        scenarios={lab.scenarios}
        chosen={scenario.id}
        onChoose={(id) => void setChoice({ scenario: id, n: null })}
      />
      <RunControls
        key={scenario.id}
        scenario={scenario}
        seed={choice.seed}
        n={clamped(choice.n ?? scenario.n.usual, scenario.n)}
        run={run}
        blocked={lab.unavailableBecause ?? staleBecause}
        onChange={(next) => void setChoice(next)}
      />
      {run !== null && played !== undefined && <RunView run={run} scenario={played} />}
    </>
  );
}

/** A number from the URL that the scenario cannot be played on is brought to the nearest one that it can. */
function clamped(n: number, { least, most }: { readonly least: number; readonly most: number }): number {
  return Math.min(most, Math.max(least, n));
}
