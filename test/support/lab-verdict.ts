import type { LabRun } from "@/lib/contract";

/** What the run found not to be so, and why it found nothing; empty when all is as the scenario says. */
export function troublesOf({ state, problem, checks }: LabRun): readonly string[] {
  const unmet = checks.filter(({ isMet }) => !isMet).map(({ says }) => says);
  return state === "met" ? unmet : [`${state}: ${problem ?? ""}`, ...unmet];
}
