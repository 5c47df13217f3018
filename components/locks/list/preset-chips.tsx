import type { PresetCounts } from "@/lib/client";
import { PRESETS, type Preset } from "@/lib/contract";
import { badgeLook } from "../../ui/badge";

const LABELS: Readonly<Record<Preset, string>> = {
  all: "all",
  problems: "problems",
  "no-expiry": "no expiry",
  leftover: "leftover",
};

type Props = {
  readonly chosen: Preset;
  readonly counts: PresetCounts;
  readonly onChoose: (preset: Preset) => void;
};

/** The questions asked most often, each with how many locks answer it. */
export function PresetChips({ chosen, counts, onChoose }: Props) {
  return (
    <fieldset className="flex flex-wrap gap-1 sm:gap-1.5">
      <legend className="sr-only">Show</legend>
      {PRESETS.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={preset === chosen}
          onClick={() => onChoose(preset)}
          className={badgeLook(
            preset === chosen ? "accent" : "plain",
            "min-h-7 px-2 text-[12px] hover:bg-hover sm:px-3 sm:text-[12.5px]",
          )}
        >
          {LABELS[preset]} {counts[preset].toLocaleString("en-US")}
        </button>
      ))}
    </fieldset>
  );
}
