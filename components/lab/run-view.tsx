import { CircleCheck, CircleX, Info } from "lucide-react";
import { isRunOn } from "@/lib/client";
import type { LabRun, LabScenario } from "@/lib/contract";
import { Panel } from "../ui/panel";
import { LabPicture } from "./lab-picture";
import { seconds, stateWords, wordsOf } from "./lab-words";

type Props = { readonly run: LabRun; readonly scenario: LabScenario };

/** One run: what just happened, the picture, the verdict against what was expected, and the whole record in words. */
export function RunView({ run, scenario }: Props) {
  const told = run.events.findLast((event) => event.kind === "told");
  return (
    <Panel title={`${scenario.title}: ${run.n} masters, seed ${run.seed}`} aside={<code>{seconds(run.tookMs)}</code>}>
      <p role="status" className="min-h-6 font-semibold text-[15px]">
        {told === undefined || run.state === "starting" ? stateWords(run) : wordsOf(told)}
      </p>
      <div className="mt-3">
        <LabPicture run={run} />
      </div>
      <p className="mt-1 text-[13px] text-mute">
        A bar of a client: how long it believes to hold the lock. ✕: refused. A bar of a node: whose key it has, by
        fingerprint of the token. Solid line: up; dashed: paused; none: down. Hatched: two clients believe to hold it.
      </p>
      <Verdict run={run} scenario={scenario} />
      <EventLog run={run} />
    </Panel>
  );
}

function Verdict({ run, scenario }: Props) {
  const Icon = run.state === "met" ? CircleCheck : run.state === "not_met" || run.state === "failed" ? CircleX : Info;
  const color = run.state === "met" ? "text-ok" : run.state === "not_met" || run.state === "failed" ? "text-bad" : "";
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

function EventLog({ run }: { readonly run: LabRun }) {
  return (
    <details className="mt-4" open>
      <summary className="cursor-pointer font-semibold">Record: {run.events.length} events</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
      <section aria-label="Record of the run" tabIndex={0} className="mt-2 max-h-96 overflow-y-auto">
        <ol className="grid gap-1">
          {run.events.map((event) => (
            <li
              key={`${event.atMs} ${wordsOf(event)}`}
              className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2 [overflow-wrap:anywhere]"
            >
              <span className="text-mute">{seconds(event.atMs)}</span>
              <span className={event.kind === "told" ? "font-semibold" : ""}>{wordsOf(event)}</span>
            </li>
          ))}
        </ol>
      </section>
    </details>
  );
}
