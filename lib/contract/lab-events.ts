import type { LabAudience, LabEvent, LabRun } from "./lab";

/** Everything about a run but its record. */
type LabRunStatus = Omit<LabRun, "events">;

/**
 * What `GET /api/v1/lab/events` streams, by event name. `run` first, and again with each new run; then what is added to its record.
 * The record comes in the order in which the lab heard of things; `atMs` says when they happened.
 */
export interface LabStreamEvents {
  /** The run that is on or the last one, with its record so far; null = there was none. */
  readonly run: { readonly run: LabRun | null };
  readonly more: { readonly status: LabRunStatus; readonly events: readonly LabEvent[] };
  readonly audience: LabAudience;
  readonly ping: { readonly readAt: number };
}

/** What happens in an event, so that a question can be put before it; null where nothing is done or said. */
function labelOf(event: LabEvent): string | null {
  switch (event.kind) {
    case "told":
      return event.text;
    case "fault":
      return `${event.target} ${event.text}`;
    case "operator":
      return event.action;
    case "raw":
      return event.command;
    case "ending":
      return `release of ${event.id}`;
    default:
      return null;
  }
}

/** Whether `before` is a part of the event's label. */
export function isLabelled(event: LabEvent, before: string): boolean {
  return labelOf(event)?.includes(before) ?? false;
}
