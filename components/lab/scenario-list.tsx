import clsx from "clsx";
import { useId } from "react";
import type { LabScenario, LabScenarioId } from "@/lib/contract";

type Props = {
  readonly scenarios: readonly LabScenario[];
  readonly chosen: LabScenarioId;
  readonly onChoose: (id: LabScenarioId) => void;
};

/** The scenarios with the question each answers. */
export function ScenarioList({ scenarios, chosen, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-2 lg:grid-cols-2">
      <legend className="mb-2 font-semibold">Scenario</legend>
      {scenarios.map(({ id, title, question }) => (
        <label
          key={id}
          className={clsx(
            "flex cursor-pointer items-start gap-2.5 rounded-xl border bg-panel px-4 py-3",
            id === chosen ? "border-accent" : "border-line hover:bg-hover",
          )}
        >
          <input
            type="radio"
            name={name}
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="block font-semibold">{title}</span>
            <span className="block text-mute">{question}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
