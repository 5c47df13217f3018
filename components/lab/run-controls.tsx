"use client";

import { Dices, Play, Square } from "lucide-react";
import { useState } from "react";
import { asApiError, isRunOn, startLabRun, stopLabRun } from "@/lib/client";
import type { LabRun, LabScenario } from "@/lib/contract";
import { Button } from "../ui/button";
import { Field, inputLook } from "../ui/field";
import { Panel } from "../ui/panel";

/** Largest of the seeds that are offered: easy to read out. */
const SEED_SPAN = 10_000;

type Props = {
  readonly scenario: LabScenario;
  readonly seed: number;
  readonly n: number;
  /** The one that is on, or the last one. */
  readonly run: LabRun | null;
  /** Why nothing can be started or stopped. */
  readonly blocked: string | null;
  readonly onChange: (choice: { readonly seed?: number; readonly n?: number }) => void;
};

/** What the chosen scenario does, on how many masters and by which chance, and the buttons that start and stop it. */
export function RunControls({ scenario, seed, n, run, blocked, onChange }: Props) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOn = run !== null && isRunOn(run);
  const act = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (cause) {
      const { message, nextStep } = asApiError(cause);
      setProblem(`${message} ${nextStep}`);
    } finally {
      setIsBusy(false);
    }
  };
  const { least, most } = scenario.n;
  const isSame = run !== null && run.scenario === scenario.id && run.seed === seed && run.n === n;
  const reason = blocked ?? (isBusy ? "in progress" : null);
  return (
    <Panel title={scenario.title}>
      <ol className="grid list-decimal gap-1 pl-5">
        {scenario.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        {least < most && (
          <Field label="Masters">
            {(control) => (
              <select
                {...control}
                value={n}
                onChange={(event) => onChange({ n: Number(event.target.value) })}
                className={inputLook()}
              >
                {Array.from({ length: most - least + 1 }, (_, index) => least + index).map((count) => (
                  <option key={count}>{count}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label="Seed">
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              value={seed}
              onChange={(event) => onChange({ seed: Math.max(0, Math.trunc(Number(event.target.value))) })}
              className={inputLook("w-28")}
            />
          )}
        </Field>
        <Button onClick={() => onChange({ seed: Math.floor(SEED_SPAN * Math.random()) })}>
          <Dices aria-hidden className="size-4" />
          Another seed
        </Button>
        {isOn ? (
          <Button look="danger" disabledReason={reason} onClick={() => void act(() => stopLabRun(run.id))}>
            <Square aria-hidden className="size-4" />
            Stop and end everything
          </Button>
        ) : (
          <Button
            look="primary"
            disabledReason={reason}
            onClick={() => void act(() => startLabRun({ scenario: scenario.id, seed, n }))}
          >
            <Play aria-hidden className="size-4" />
            {isSame ? `Run again with seed ${seed}` : "Run"}
          </Button>
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="mt-3 text-bad">
          {problem}
        </p>
      )}
    </Panel>
  );
}
