import { memo, useMemo, useState } from "react";
import type { LabEvent, LabRun } from "@/lib/contract";
import { overlapWords, seconds, wordsOf } from "./lab-words";
import { lanesOf } from "./lanes";
import { crowdWords, type LogLine, logLines } from "./log-lines";

/** The record in words: all that the pictures show. */
export function EventLog({ run }: { readonly run: LabRun }) {
  const { events } = run;
  const overlaps = useMemo(() => lanesOf(run).overlaps, [run]);
  return (
    <details className="mt-4" open>
      <summary className="cursor-pointer font-semibold">Record: {events.length} events</summary>
      {overlaps.length > 0 && (
        <ul aria-label="Two holders" className="mt-2 font-semibold text-bad">
          {overlaps.map((overlap) => (
            <li key={`${overlap.fromMs} ${overlap.clients.join(" ")}`}>{overlapWords(overlap)}</li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
      <section aria-label="Record of the run" tabIndex={0} className="mt-2 max-h-96 overflow-y-auto">
        <Lines events={events} />
      </section>
    </details>
  );
}

type LinesProps = { readonly events: readonly LabEvent[] };

/** Drawn anew only when something was added or taken back: the playhead moves ten times a second. */
const Lines = memo(
  function Lines({ events }: LinesProps) {
    return (
      <ol className="grid gap-1">
        {logLines(events).map((line) =>
          line.kind === "event" ? (
            <Line key={`${line.event.atMs} ${wordsOf(line.event)}`} event={line.event} />
          ) : (
            <Crowd key={`${line.contest} ${line.events[0]?.atMs}`} line={line} />
          ),
        )}
      </ol>
    );
  },
  ({ events: before }: LinesProps, { events: after }: LinesProps) =>
    before.length === after.length && before.at(-1) === after.at(-1) && before[0] === after[0],
);

const LOOK = "grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2 [overflow-wrap:anywhere]";

function Line({ event }: { readonly event: LabEvent }) {
  return (
    <li className={LOOK}>
      <span className="text-mute">{seconds(event.atMs)}</span>
      <span className={event.kind === "told" ? "font-semibold" : ""}>{wordsOf(event)}</span>
    </li>
  );
}

/** One line; each of its events on demand, since they are many. */
function Crowd({ line }: { readonly line: Extract<LogLine, { readonly kind: "crowd" }> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className={LOOK}>
      <span className="text-mute">{seconds(line.events[0]?.atMs ?? 0)}</span>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="cursor-pointer">{crowdWords(line)}</summary>
        {isOpen && (
          <ol className="mt-1 grid gap-1">
            {line.events.map((event) => (
              <Line key={`${event.atMs} ${wordsOf(event)}`} event={event} />
            ))}
          </ol>
        )}
      </details>
    </li>
  );
}
