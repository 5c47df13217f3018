import type { LabClaim, LabEvent, LabRun } from "@/lib/contract";

type NodeEvent = Extract<LabEvent, { readonly kind: "node" }>;

/** A part of a lane. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface ClientLane {
  readonly name: string;
  readonly beliefs: readonly (LabClaim & { readonly holder: string })[];
  readonly refusals: readonly { readonly atMs: number; readonly resource: string }[];
}

export interface NodeLane {
  readonly name: string;
  readonly states: readonly (Stretch & { readonly state: NodeEvent["state"] })[];
  readonly keys: readonly (Stretch & { readonly resource: string; readonly holder: string })[];
}

/** Two clients that believe to hold one lock. */
export interface Overlapping extends Stretch {
  readonly clients: readonly string[];
  readonly resource: string;
}

/** What the picture of a run is drawn from. */
export interface Lanes {
  readonly spanMs: number;
  readonly clients: readonly ClientLane[];
  readonly nodes: readonly NodeLane[];
  readonly overlaps: readonly Overlapping[];
  /** Locks that any node had: each has a row of its own within a lane. */
  readonly resources: readonly string[];
  /** Fingerprints, in the order in which they won. */
  readonly holders: readonly string[];
}

/** Puts a record into lanes; what is still so reaches to the end of what is known. */
export function lanesOf({ events, claims, overlaps, tookMs }: LabRun): Lanes {
  const spanMs = Math.max(1, tookMs);
  const granted = events.filter((event) => event.kind === "granted");
  const holderOf = new Map(granted.map(({ id, holder }) => [id, holder]));
  const claimOf = new Map(claims.map((claim) => [claim.id, claim]));
  const clients = unique(events.flatMap((event) => (event.kind === "client" ? [event.client] : [])));
  const names = unique(events.flatMap((event) => (event.kind === "node" ? [event.node] : [])));
  return {
    spanMs,
    clients: clients.sort().map((name) => ({
      name,
      beliefs: claims
        .filter(({ client, fromMs }) => client === name && fromMs < spanMs)
        .map((claim) => ({
          ...claim,
          untilMs: Math.min(claim.untilMs, spanMs),
          holder: holderOf.get(claim.id) ?? "",
        })),
      refusals: events.filter((event) => event.kind === "refused").filter(({ client }) => client === name),
    })),
    nodes: names.sort().map((name) => nodeLane(name, events, spanMs)),
    overlaps: overlaps.flatMap(({ first, second }) => {
      const pair = [claimOf.get(first), claimOf.get(second)].filter((claim) => claim !== undefined);
      const fromMs = Math.max(...pair.map((claim) => claim.fromMs));
      if (pair.length < 2 || fromMs >= spanMs) return [];
      return [
        {
          fromMs,
          untilMs: Math.min(spanMs, ...pair.map(({ untilMs }) => untilMs)),
          clients: pair.map(({ client }) => client),
          resource: pair[0]?.resource ?? "",
        },
      ];
    }),
    resources: unique(events.flatMap(resourcesOf)),
    holders: unique([
      ...granted.map(({ holder }) => holder),
      ...events.flatMap((event) => (event.kind === "node" ? event.keys.map(({ holder }) => holder) : [])),
    ]),
  };
}

function nodeLane(name: string, events: readonly LabEvent[], spanMs: number): NodeLane {
  const own = events.filter((event): event is NodeEvent => event.kind === "node" && event.node === name);
  const parts = own.map((event, index) => ({ event, fromMs: event.atMs, untilMs: own[index + 1]?.atMs ?? spanMs }));
  return {
    name,
    states: parts.map(({ event, fromMs, untilMs }) => ({ state: event.state, fromMs, untilMs })),
    keys: joined(
      parts.flatMap(({ event, fromMs, untilMs }) =>
        event.keys.map(({ resource, holder }) => ({ resource, holder, fromMs, untilMs })),
      ),
    ),
  };
}

/** One bar for as long as a key has one holder, whatever else was seen of its node meanwhile. */
function joined(keys: NodeLane["keys"]): NodeLane["keys"] {
  const bars: NodeLane["keys"][number][] = [];
  for (const key of keys) {
    const at = bars.findLastIndex(({ resource }) => resource === key.resource);
    const before = bars[at];
    if (before !== undefined && before.holder === key.holder && before.untilMs === key.fromMs) {
      bars[at] = { ...before, untilMs: key.untilMs };
    } else bars.push(key);
  }
  return bars;
}

function resourcesOf(event: LabEvent): readonly string[] {
  if (event.kind === "node") return event.keys.map(({ resource }) => resource);
  return "resource" in event ? [event.resource] : [];
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
