import type { LabEvent } from "@/lib/contract";
import { seconds } from "./lab-words";

/** A line of the log: one event, or what a whole crowd did in one contest. */
export type LogLine =
  | { readonly kind: "event"; readonly event: LabEvent }
  | { readonly kind: "crowd"; readonly contest: string; readonly events: readonly LabEvent[] };

/** The record as lines. What a crowd won, and how nodes were seen meanwhile, is one line that holds all of it. */
export function logLines(events: readonly LabEvent[]): readonly LogLine[] {
  const lines: LogLine[] = [];
  let crowd: { readonly contest: string; readonly events: LabEvent[] } | null = null;
  for (const event of events) {
    const contest = contestOf(event);
    if (crowd !== null && (contest === crowd.contest || event.kind === "node")) {
      crowd.events.push(event);
      continue;
    }
    crowd = contest === null ? null : { contest, events: [event] };
    lines.push(crowd === null ? { kind: "event", event } : { kind: "crowd", ...crowd });
  }
  return lines;
}

/** What the events of a crowd come to, in words. */
export function crowdWords({ contest, events }: Extract<LogLine, { readonly kind: "crowd" }>): string {
  const grants = events.filter((event) => event.kind === "granted");
  const winners = new Set(grants.map(({ id }) => id.replace(/:.*$/, ""))).size;
  const seen = events.filter(({ kind }) => kind === "node").length;
  const until = seconds(events.at(-1)?.atMs ?? 0);
  return `${contest}: ${grants.length} wins by ${winners} clients until ${until}; nodes were seen changed ${seen} times meanwhile.`;
}

function contestOf(event: LabEvent): string | null {
  return event.kind === "granted" || event.kind === "ending" ? (event.contest ?? null) : null;
}
