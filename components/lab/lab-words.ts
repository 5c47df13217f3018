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
      const keys = event.keys.map(keyWords).join(", ");
      return `Node ${event.node} is ${event.state}${keys === "" ? " and has no lock" : ` and has ${keys}`}.`;
    }
    case "granted":
      return `${whoOf(event)} believes: ${event.resource} is mine until ${seconds(event.untilMs)}, as ${event.holder}, asked for ${tookMs(event)} ms before (${votes(event.votes)}).`;
    case "refused":
      return `${event.client} is refused ${event.resource} after ${tookMs(event)} ms: ${event.text} (${votes(event.votes)}).`;
    case "ending":
      return `${whoOf(event)} believes no more to hold ${event.id}, and is about to release it.`;
    case "released":
      return `${event.client} released ${event.id}: ${event.outcome} (${votes(event.votes)}).`;
    case "operator":
      return `The operator's ${event.action} of ${event.resource} on ${event.node}: ${event.outcome}.`;
    case "raw":
      return `${event.client} sent ${event.command} to ${event.node}: ${event.answer ?? "no answer in time, so it gave up"}.`;
    case "left_out":
      return `Left out, neither real nor emulated: ${event.text}, because ${event.because}.`;
    case "extended":
      return event.outcome === "extended"
        ? `${event.client} extended ${event.id} and believes until ${seconds(event.untilMs)} (${votes(event.votes)}).`
        : `${event.client} could not extend ${event.id}: ${event.outcome} (${votes(event.votes)}).`;
    case "lost":
      return `${event.client} has lost ${event.id} and stops its work after ${event.steps} steps: ${event.text}.`;
    case "looked":
      return event.remainingMs > 0
        ? `${event.client} looks: ${event.id} is its own for another ${Math.round(event.remainingMs)} ms.`
        : `${event.client} looks: ${event.id} is its own no more.`;
    case "write":
      return `${event.client} writes to the ${event.ledger}${event.fence === null ? "" : ` with fence ${event.fence}`}: ${event.text}.`;
    case "clock":
      return `The clock of node ${event.node}, measured: ${Math.round(event.offsetMs)} ms from the lab's.`;
    case "contest":
      return contestWords(event);
    default:
      return event satisfies never;
  }
}

function contestWords(event: Extract<LabEvent, { readonly kind: "contest" }>): string {
  const { name, wins, tries, tryMs, splitTries, wastedVotes, commands, wastedCommands, waitMs, tookMs } = event;
  const won = wins.reduce((sum, each) => sum + each, 0);
  const waited =
    waitMs === null ? "" : ` Waited ${Math.round(waitMs.median)} ms (median), ${Math.round(waitMs.most)} ms at most.`;
  const each = `${Math.min(...wins)} to ${Math.max(...wins)} each`;
  return `${name}: ${won} wins (${each}) in ${seconds(tookMs)}, ${tries} tries of ${Math.round(tryMs)} ms (median), of which ${splitTries} got too few votes; ${wastedVotes} votes for nothing; ${commands} commands, ${wastedCommands} of them for tries that won nothing.${waited}`;
}

function keyWords({ resource, holder, expiry }: Extract<LabEvent, { readonly kind: "node" }>["keys"][number]): string {
  return `${resource} of ${holder} (${expiry === null ? "without an end" : `${seconds(expiry.leftMs)} left`})`;
}

/** A client; of several in one process, which of them: its locks are named after it. */
function whoOf({ client, id, contest }: Extract<LabEvent, { readonly kind: "granted" | "ending" }>): string {
  return contest === undefined ? client : id.replace(/:.*$/, "");
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
  return all.length === 0 ? "no votes are on record" : all.map(({ node, text }) => `${node}: ${text}`).join("; ");
}
