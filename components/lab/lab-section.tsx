"use client";

import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { startLabRun, useLab, useLabRun } from "@/lib/client";
import { LAB_SCENARIOS, type Lab, type LabRun } from "@/lib/contract";
import { FailedState, LoadingState } from "../ui/states";
import { seconds } from "./lab-words";
import { PresenterBar } from "./presenter-bar";
import { RunButtons } from "./run-buttons";
import { anotherSeed, RunControls } from "./run-controls";
import { RunView } from "./run-view";
import { ScenarioList } from "./scenario-list";

const DEFAULT_SEED = 1;

/** What to play and how to show it is in the URL, so that a run can be sent to a colleague and played again. */
const CHOICE = {
  scenario: parseAsStringLiteral(LAB_SCENARIOS).withDefault("single-instance"),
  seed: parseAsInteger.withDefault(DEFAULT_SEED),
  n: parseAsInteger,
  predict: parseAsStringLiteral(["1"]),
  present: parseAsStringLiteral(["1"]),
};

/** The Quorum Lab: the arguments about Redlock, played on real redis-servers and drawn from the record. */
export function LabSection() {
  const state = useLab();
  if (state.kind === "ready") return <Scenarios lab={state.lab} staleBecause={state.staleBecause} />;
  return (
    <div className="grid gap-4">
      <Heading />
      {state.kind === "loading" && <LoadingState what="the lab" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
    </div>
  );
}

function Heading() {
  return (
    <>
      <h1 className="font-semibold text-[20px]">Quorum Lab</h1>
      <p className="max-w-prose">
        Every run starts redis-servers and client processes of its own, does real faults to them (signals, held
        connections), and ends them all. Your locks and masters are not touched.
      </p>
    </>
  );
}

function Scenarios({ lab, staleBecause }: { readonly lab: Lab; readonly staleBecause: string | null }) {
  const [choice, setChoice] = useQueryStates(CHOICE);
  const [fork, setFork] = useState<string | null>(null);
  const seen = useLabRun();
  const { run, heardAtMs } = seen;
  const scenario = lab.scenarios.find(({ id }) => id === choice.scenario);
  const played = lab.scenarios.find(({ id }) => id === run?.scenario);
  if (scenario === undefined) return null;
  const { seed } = choice;
  const n = clamped(choice.n ?? scenario.n.usual, scenario.n);
  const isPresenting = choice.present === "1";
  const buttons = (
    <RunButtons
      choice={{ scenario: scenario.id, seed, n }}
      seen={seen}
      blocked={lab.unavailableBecause ?? staleBecause}
      onAct={() => setFork(null)}
    />
  );
  const forkRun = async (from: LabRun, atMs: number) => {
    const next = { scenario: from.scenario, n: from.n, seed: anotherSeed() };
    await startLabRun(next);
    await setChoice(next);
    setFork(
      `Forked at ${seconds(atMs)} of the run with seed ${from.seed}: the script has started again from its first step, with seed ${next.seed}.`,
    );
  };
  return (
    <div className="grid gap-4">
      {isPresenting ? (
        <PresenterBar title={scenario.question} onLeave={() => void setChoice({ present: null })}>
          {buttons}
        </PresenterBar>
      ) : (
        <Heading />
      )}
      {lab.unavailableBecause !== null && (
        <p role="alert" className="rounded-xl border border-line bg-panel p-4">
          {lab.unavailableBecause}
        </p>
      )}
      {!isPresenting && (
        <>
          <ScenarioList
            scenarios={lab.scenarios}
            chosen={scenario.id}
            onChoose={(id) => void setChoice({ scenario: id, n: null })}
          />
          <RunControls
            key={scenario.id}
            scenario={scenario}
            seed={seed}
            n={n}
            isPredicting={choice.predict === "1"}
            onChange={(next) => void setChoice(next)}
          >
            {buttons}
          </RunControls>
        </>
      )}
      {fork !== null && <p role="status">{fork}</p>}
      {run !== null && played !== undefined && (
        <RunView
          key={run.id}
          run={run}
          heardAtMs={heardAtMs}
          scenario={played}
          isPredicting={choice.predict === "1"}
          isPresenting={isPresenting}
          onFork={(atMs) => forkRun(run, atMs)}
        />
      )}
    </div>
  );
}

/** A number from the URL that the scenario cannot be played on is brought to the nearest one that it can. */
function clamped(n: number, { least, most }: { readonly least: number; readonly most: number }): number {
  return Math.min(most, Math.max(least, n));
}
