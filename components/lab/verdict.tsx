import { CircleCheck, CircleX, Info } from "lucide-react";
import { isRunOn } from "@/lib/client";
import type { LabRun, LabScenario } from "@/lib/contract";
import { stateWords } from "./lab-words";

/** What was expected and what came of it, once the run as it is shown has ended. */
export function Verdict({ run, scenario }: { readonly run: LabRun; readonly scenario: LabScenario }) {
  const isBad = run.state === "not_met" || run.state === "failed";
  const Icon = run.state === "met" ? CircleCheck : isBad ? CircleX : Info;
  const color = run.state === "met" ? "text-ok" : isBad ? "text-bad" : "";
  return (
    <section aria-label="Verdict" className="mt-4 rounded-lg border border-line p-3">
      <p className={`flex items-center gap-2 font-semibold ${color}`}>
        <Icon aria-hidden className="size-4 shrink-0" />
        {isRunOn(run) ? "The verdict comes at the end" : stateWords(run)}
      </p>
      <p className="mt-1">
        <span className="text-mute">Expected: </span>
        {scenario.expected}
      </p>
      {run.checks.length > 0 && (
        <ul className="mt-2 grid gap-1">
          {run.checks.map(({ says, isMet }) => (
            <li key={says} className="flex items-baseline gap-2">
              {isMet ? (
                <CircleCheck aria-hidden className="size-4 shrink-0 translate-y-0.5 text-ok" />
              ) : (
                <CircleX aria-hidden className="size-4 shrink-0 translate-y-0.5 text-bad" />
              )}
              <span>
                {says}: <b>{isMet ? "yes" : "no"}</b>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
