import { formatDuration, type Incident, type IncidentCause, resourceIdOf } from "@/lib/contract";
import type { BrokenPromise, Rival } from "./broken-promise";
import { type Fate, leadingCause } from "./fates";
import type { ForcedAction } from "./forced-actions";

const NEXT_STEPS: Readonly<Record<IncidentCause, string>> = {
  forced:
    "Check what both did to the resource in the overlap. Next time revoke: it keeps others out until the old promise has ended.",
  restarted:
    "Check what both did to the resource. A node that comes back empty must not vote for the longest TTL: use a client with a restart guard (REDLOCK_GUARD=full here), or keep votes on disk (appendfsync always).",
  flushed:
    "Check what both did to the resource. Take FLUSHALL and FLUSHDB away from everybody who does not need them (ACL: -flushall -flushdb).",
  clock:
    "Check what both did to the resource. Let NTP slew the clocks of the nodes instead of setting them: Redis ends keys by the wall clock.",
  shortened:
    "If its holder did not do that itself, check what both did to the resource, and find who sends PEXPIRE to keys of others (redis-cli MONITOR, ACL LOG).",
};

/** How to turn monotonic ms into epoch ms. */
type EpochOf = (monotonicMs: number) => number;

/**
 * The card of one incident.
 *
 * @param fates with at least one cause among them
 */
export function incidentOf(
  {
    promise,
    rival,
    fates,
    actions,
  }: {
    readonly promise: BrokenPromise;
    readonly rival: Rival;
    readonly fates: readonly Fate[];
    readonly actions: readonly ForcedAction[];
  },
  { id, epochOf }: { readonly id: string; readonly epochOf: EpochOf },
): Incident {
  const { resource, fingerprint, label, heldFrom } = promise;
  const overlapMs = Number.isFinite(promise.until) ? Math.max(0, Math.round(promise.until - rival.at)) : null;
  const promisedUntil = overlapMs === null ? null : rival.readAt + overlapMs;
  const kind = leadingCause(fates) ?? "shortened";
  return {
    id,
    at: rival.readAt,
    lock: { id: resourceIdOf(resource), resource },
    first: { fingerprint, label, heldFrom: Math.min(heldFrom, rival.readAt), promisedUntil },
    second: { fingerprint: rival.fingerprint, label: rival.label, heldFrom: rival.readAt },
    overlapMs,
    cause: { kind, text: causeText(kind, fates, actions), nextStep: NEXT_STEPS[kind] },
    nodes: fates.map(({ node, fate, at }) => ({ node, fate, at: at === null ? null : epochOf(at) })),
    timeline: timelineOf({ promise, rival, fates, actions }, epochOf, promisedUntil),
  };
}

function causeText(kind: IncidentCause, fates: readonly Fate[], actions: readonly ForcedAction[]): string {
  const others = [...new Set(fates.map(({ fate }) => fate))].filter((fate) => fate in NEXT_STEPS && fate !== kind);
  const also = others.map((fate) => ` Also: ${lowerFirst(wordsOf(fate as IncidentCause, fates, actions))}`);
  return [wordsOf(kind, fates, actions), ...also].join("");
}

function wordsOf(kind: IncidentCause, fates: readonly Fate[], actions: readonly ForcedAction[]): string {
  const own = fates.filter(({ fate }) => fate === kind);
  const nodes = own.map(({ node }) => node);
  const named = `${nodes.length === 1 ? "Node" : "Nodes"} ${nodes.join(", ")}`;
  switch (kind) {
    case "forced":
      return `${actions.map(({ text }) => text).join(" ")} Its holder could still act.`;
    case "restarted":
      return `${named} restarted (another run_id) and came back without the key.`;
    case "flushed":
      return `${named} ${nodes.length === 1 ? "was" : "were"} flushed (FLUSHALL or FLUSHDB) without a restart.`;
    case "clock": {
      const stepMs = Math.max(...own.map((fate) => fate.stepMs ?? 0));
      return `The clock of ${nodes.join(", ")} was put forward by ${formatDuration(stepMs)}, so keys ended early there.`;
    }
    case "shortened": {
      const left = Math.max(...own.map(({ past }) => past.shortened?.leftMs ?? 0));
      const by = Math.max(...own.map(({ past }) => past.shortened?.byMs ?? 0));
      return `The expiry was shortened on ${nodes.join(", ")} by ${formatDuration(by)}, to ${formatDuration(left)}.`;
    }
    default:
      return kind satisfies never;
  }
}

const FATE_WORDS: Readonly<Record<Fate["fate"], string>> = {
  kept: "is still there",
  silent: "is not known: no answer",
  released: "was deleted",
  expired: "was gone at its end",
  forced: "was taken away by an operator",
  restarted: "was lost with a restart",
  flushed: "was lost with a flush",
  clock: "ended early by a clock that was put forward",
  shortened: "ended at a shortened expiry",
};

function timelineOf(
  {
    promise,
    rival,
    fates,
    actions,
  }: {
    readonly promise: BrokenPromise;
    readonly rival: Rival;
    readonly fates: readonly Fate[];
    readonly actions: readonly ForcedAction[];
  },
  epochOf: EpochOf,
  endAt: number | null,
): Incident["timeline"] {
  const { fingerprint } = promise;
  const event = (at: number, text: string, of: string | null) => ({ at: Math.round(at), text, fingerprint: of });
  const kinds = [...new Set(fates.map(({ fate }) => fate))];
  const losses = kinds.flatMap((fate) => {
    const own = fates.filter((one) => one.fate === fate);
    const times = own.flatMap(({ at }) => (at === null ? [] : [at]));
    if (times.length === 0) return [];
    const nodes = own.map(({ node }) => node).join(", ");
    return [event(epochOf(Math.min(...times)), `On ${nodes} it ${FATE_WORDS[fate]}.`, fingerprint)];
  });
  const kept = fates.flatMap(({ node, fate }) => (fate === "kept" ? [node] : []));
  const shortened = fates.flatMap(({ past }) => (past.shortened === null ? [] : [past.shortened]));
  const [first] = shortened.sort((a, b) => a.at - b.at);
  const still = kept.length === 0 ? "" : `; ${kept.join(", ")} still had ${fingerprint}`;
  const onNodes = `on ${rival.votes} of ${promise.membership} nodes`;
  return [
    event(Math.min(promise.heldFrom, rival.readAt), `${fingerprint} was seen first.`, fingerprint),
    ...(first === undefined
      ? []
      : [event(epochOf(first.at), `Its expiry was moved ${formatDuration(first.byMs)} to the front.`, fingerprint)]),
    ...actions.map(({ at, text }) => event(at, text, fingerprint)),
    ...losses,
    event(rival.readAt, `${rival.fingerprint} holds it ${onNodes}${still}.`, rival.fingerprint),
    ...(endAt !== null ? [event(endAt, `The promise given to ${fingerprint} ends.`, fingerprint)] : []),
  ].sort((a, b) => a.at - b.at);
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
