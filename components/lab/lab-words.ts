import type { LabEvent, LabRun, LabVote } from "@/lib/contract";
import type { Overlapping } from "./lanes";

/** Seconds of a run's clock, with hundredths. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** One line of the record in words: whatever the picture shows is said here. */
export function wordsOf(event: LabEvent): string {
  switch (event.kind) {
    case "told":
      return event.text;
    case "client":
      return `Client ${event.client} is there, ${event.text} (process ${event.pid ?? "gone"}).`;
    case "fault":
      return `Real, not emulated: ${event.target} ${event.text}.`;
    case "node": {
      const keys = event.keys.map(({ resource, holder }) => `${resource} of ${holder}`).join(", ");
      return `Node ${event.node} is ${event.state}${keys === "" ? " and has no lock" : ` and has ${keys}`}.`;
    }
    case "granted":
      return `${event.client} believes: ${event.resource} is mine until ${seconds(event.untilMs)}, as ${event.holder}, asked for ${tookMs(event)} ms before (${votes(event.votes)}).`;
    case "refused":
      return `${event.client} is refused ${event.resource} after ${tookMs(event)} ms: ${event.text} (${votes(event.votes)}).`;
    case "ending":
      return `${event.client} believes no more to hold ${event.id}, and is about to release it.`;
    case "released":
      return `${event.client} released ${event.id}: ${event.outcome} (${votes(event.votes)}).`;
    case "operator":
      return `The operator's ${event.action} of ${event.resource} on ${event.node}: ${event.outcome}.`;
    case "raw":
      return `${event.client} sent ${event.command} to ${event.node}: ${event.answer ?? "no answer in time, so it gave up"}.`;
    default:
      return event satisfies never;
  }
}

/** Where a run stands, in words. */
export function stateWords({ state, problem }: Pick<LabRun, "state" | "problem">): string {
  switch (state) {
    case "starting":
      return "Starting redis-servers and clients…";
    case "playing":
      return "Running…";
    case "met":
      return "As expected";
    case "not_met":
      return "Not as expected";
    case "stopped":
      return "Stopped, so there is no verdict";
    case "timed_out":
      return "It took too long and was ended, so there is no verdict";
    case "failed":
      return `The lab itself failed, so nothing was learnt: ${problem ?? "it gave no reason"}`;
    default:
      return state satisfies never;
  }
}

/** Two clients that believed to hold one lock, as the picture hatches it. */
export function overlapWords({ clients, resource, fromMs, untilMs }: Overlapping): string {
  return `Two holders: ${clients.join(" and ")} both believe to hold ${resource} from ${seconds(fromMs)} to ${seconds(untilMs)}.`;
}

function tookMs({ atMs, askedMs }: { readonly atMs: number; readonly askedMs: number }): number {
  return Math.round(atMs - askedMs);
}

function votes(all: readonly LabVote[]): string {
  return all.length === 0 ? "no node was asked" : all.map(({ node, text }) => `${node}: ${text}`).join("; ");
}
