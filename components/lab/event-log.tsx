import type { LabEvent } from "@/lib/contract";
import { seconds, wordsOf } from "./lab-words";

/** The record in words: all that the pictures show. */
export function EventLog({ events }: { readonly events: readonly LabEvent[] }) {
  return (
    <details className="mt-4" open>
      <summary className="cursor-pointer font-semibold">Record: {events.length} events</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
      <section aria-label="Record of the run" tabIndex={0} className="mt-2 max-h-96 overflow-y-auto">
        <ol className="grid gap-1">
          {events.map((event) => (
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
