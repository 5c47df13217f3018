import clsx from "clsx";
import { useId } from "react";
import type { LabScenario, LabScenarioId } from "@/lib/contract";

type Props = {
  readonly scenarios: readonly LabScenario[];
  readonly chosen: LabScenarioId;
  readonly onChoose: (id: LabScenarioId) => void;
};

/** The scenarios by their titles; what the chosen one asks is said beside its controls. */
export function ScenarioList({ scenarios, chosen, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2 lg:grid-cols-3">
      <legend className="mb-2 font-semibold">Scenario</legend>
      {scenarios.map(({ id, title }) => (
        <label
          key={id}
          className={clsx(
            "flex cursor-pointer items-start gap-2.5 rounded-xl border bg-panel px-3 py-2",
            id === chosen ? "border-accent" : "border-line hover:bg-hover",
          )}
        >
          <input
            type="radio"
            name={name}
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0 font-semibold">{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
