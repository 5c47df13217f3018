"use client";

import { useState } from "react";
import { startLabRun, useKeptRun, useLab, useLabRun } from "@/lib/client";
import type { Lab, LabRun } from "@/lib/contract";
import { Button } from "../ui/button";
import { FailedState, LoadingState } from "../ui/states";
import { KeptRuns } from "./kept-runs";
import { seconds } from "./lab-words";
import { PresenterBar } from "./presenter-bar";
import { RunButtons } from "./run-buttons";
import { anotherSeed, RunControls } from "./run-controls";
import { RunView } from "./run-view";
import { ScenarioList } from "./scenario-list";
import { choiceOf, crowdQuery, runQuery, useChoice } from "./use-choice";

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
  const [query, setQuery] = useChoice();
  const [fork, setFork] = useState<string | null>(null);
  const seen = useLabRun();
  const kept = useKeptRun(query.run, seen.run);
  const run = kept.kind === "ready" ? kept.run : null;
  const scenario = lab.scenarios.find(({ id }) => id === query.scenario);
  const played = lab.scenarios.find(({ id }) => id === run?.scenario);
  if (scenario === undefined) return null;
  const choice = choiceOf(query, scenario);
  const isPresenting = query.present === "1";
  const isPredicting = query.predict === "1";
  const showNewest = () => void setQuery({ run: null });
  const onAct = () => {
    setFork(null);
    showNewest();
  };
  const buttons = (
    <RunButtons choice={choice} seen={seen} blocked={lab.unavailableBecause ?? staleBecause} onAct={onAct} />
  );
  const forkRun = async ({ scenario: id, n, seed, crowd }: LabRun, atMs: number) => {
    const next = { scenario: id, n, seed: anotherSeed() };
    await startLabRun(crowd === null ? next : { ...next, crowd });
    await setQuery({ ...next, ...crowdQuery(crowd), run: null });
    setFork(
      `Forked at ${seconds(atMs)} of the run with seed ${seed}: the script has started again from its first step, with seed ${next.seed}.`,
    );
  };
  return (
    <div className="grid gap-4">
      {isPresenting ? (
        <PresenterBar title={scenario.question} onLeave={() => void setQuery({ present: null })}>
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
            onChoose={(id) => void setQuery({ scenario: id, n: null, ...crowdQuery(null) })}
          />
          <RunControls
            key={scenario.id}
            scenario={scenario}
            seed={choice.seed}
            n={choice.n}
            crowd={choice.crowd ?? null}
            isPredicting={isPredicting}
            onChange={({ crowd, ...next }) =>
              void setQuery({ ...next, ...(crowd === undefined ? {} : crowdQuery(crowd)) })
            }
          >
            {buttons}
          </RunControls>
          <KeptRuns
            runs={lab.runs}
            scenarios={lab.scenarios}
            shown={run?.id ?? null}
            onOpen={(each) => void setQuery(runQuery(each), { history: "push" })}
          />
        </>
      )}
      {fork !== null && <p role="status">{fork}</p>}
      {kept.kind === "loading" && <LoadingState what="the run" />}
      {kept.kind === "failed" && <FailedState error={kept.error} />}
      {query.run !== null && query.run !== seen.run?.id && (
        <p className="flex flex-wrap items-center gap-2">
          The address asks for a run that is not the newest one.
          <Button size="small" onClick={showNewest}>
            Show the newest run
          </Button>
        </p>
      )}
      {run !== null && played !== undefined && (
        <RunView
          key={run.id}
          run={run}
          heardAtMs={seen.heardAtMs}
          scenario={played}
          isOthers={seen.audience.driver !== null && !seen.isDriver}
          isPredicting={isPredicting}
          isPresenting={isPresenting}
          onFork={(atMs) => forkRun(run, atMs)}
        />
      )}
    </div>
  );
}
