import { Dices } from "lucide-react";
import type { ReactNode } from "react";
import type { LabCrowd, LabScenario } from "@/lib/contract";
import { Button } from "../ui/button";
import { Field, inputLook } from "../ui/field";
import { Panel } from "../ui/panel";
import { CrowdControls } from "./crowd-controls";

/** Largest of the seeds that are offered: easy to read out. */
const SEED_SPAN = 10_000;

type Props = {
  readonly scenario: LabScenario;
  readonly seed: number;
  readonly n: number;
  /** Null where the scenario has none. */
  readonly crowd: LabCrowd | null;
  readonly isPredicting: boolean;
  readonly onChange: (choice: {
    readonly seed?: number;
    readonly n?: number;
    readonly crowd?: LabCrowd;
    readonly predict?: "1" | null;
    readonly present?: "1" | null;
  }) => void;
  /** The buttons that start and stop it. */
  readonly children: ReactNode;
};

/** A seed that is easy to read out. */
export function anotherSeed(): number {
  return Math.floor(SEED_SPAN * Math.random());
}

/** What the chosen scenario does, on how many masters, by which chance, and how it is shown. */
export function RunControls({ scenario, seed, n, crowd, isPredicting, onChange, children }: Props) {
  const { least, most } = scenario.n;
  return (
    <Panel title={scenario.title}>
      <p className="mb-2 font-semibold text-[15px]">{scenario.question}</p>
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
        <Button onClick={() => onChange({ seed: anotherSeed() })}>
          <Dices aria-hidden className="size-4" />
          Another seed
        </Button>
        {children}
      </div>
      {crowd !== null && <CrowdControls crowd={crowd} onChange={(next) => onChange({ crowd: next })} />}
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2">
        {scenario.questions.length > 0 && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={isPredicting}
              onChange={(event) => onChange({ predict: event.target.checked ? "1" : null })}
              className="size-4 accent-accent"
            />
            Let me predict before each fault
          </label>
        )}
        <Button size="small" onClick={() => onChange({ present: "1" })}>
          Present: large, arrow keys step
        </Button>
      </div>
    </Panel>
  );
}
