import { type LockView, type Reading, resourceIdOf } from "@/lib/contract";
import { REVOKED_LAYOUT_ID, type Recognition, recogniseByAgreement } from "@/lib/layouts";
import { type MonotonicMs, type NodeReading, type Verdict, verdictOf } from "@/lib/redlock";
import type { ResourceFacts } from "./history";
import { agreed, earliestEnd, type NodeStand } from "./sighting";

/** What the whole membership adds to one resource's stands. */
export interface ViewContext {
  /** Monotonic and wall time of the view. */
  readonly now: MonotonicMs;
  readonly readAt: number;
  readonly votingNodes: number;
  isQuarantined(node: string): boolean;
}

/** A node's stand as the arithmetic wants it, aged to `now`. */
export function readingAt({ sighting, silent }: NodeStand, now: number): NodeReading {
  if (silent !== null) return { kind: "unknown", reason: silent };
  if (sighting === null) return { kind: "free" };
  const end = earliestEnd(sighting);
  if (end <= now) return { kind: "free" };
  const remainingMs = Number.isFinite(end) ? end - now : null;
  if (sighting.fingerprint === null) return { kind: "foreign", type: sighting.type, remainingMs };
  return { kind: "token", fingerprint: sighting.fingerprint, remainingMs };
}

/** The verdict on one resource. */
export function verdictAt(stands: readonly NodeStand[], context: ViewContext): Verdict {
  return verdictOf(
    stands.map((stand) => readingAt(stand, context.now)),
    { votingNodes: context.votingNodes },
  );
}

/** Whose lock it is: the holder's word first, then anybody's, then what the nodes agree on. */
export function recognitionOf(stands: readonly NodeStand[], fingerprint: string | null): Recognition | null {
  const sightings = stands.flatMap(({ sighting }) => (sighting === null ? [] : [sighting]));
  const ofHolder = sightings.find((sighting) => sighting.fingerprint === fingerprint && sighting.recognition !== null);
  const known = ofHolder ?? sightings.find((sighting) => sighting.recognition !== null);
  if (known !== undefined) return known.recognition;
  for (const { fingerprint: shared, remainingMs } of sightings) {
    if (shared === null) continue;
    const nodesWithSameValue = sightings.filter((sighting) => sighting.fingerprint === shared).length;
    const recognition = recogniseByAgreement({ nodesWithSameValue, hasExpiry: remainingMs !== null });
    if (recognition !== null) return recognition;
  }
  return null;
}

/** Largest remaining time on any node that may be believed; null = never ends, 0 = nothing there. */
export function longestRemaining(stands: readonly NodeStand[], now: number): number | null {
  const ends = stands.flatMap(({ sighting, silent }) =>
    sighting === null || silent !== null ? [] : [earliestEnd(sighting) - now],
  );
  const longest = Math.max(0, ...ends);
  return Number.isFinite(longest) ? longest : null;
}

/** One lock as the API answers it, but for the evidence. @param known the verdict on it, where it is known already */
export function lockViewOf(
  resource: string,
  asRead: readonly NodeStand[],
  facts: ResourceFacts,
  context: ViewContext,
  known?: Verdict,
): Omit<LockView, "evidence"> {
  const stands = agreed(asRead);
  const verdict = known ?? verdictAt(stands, context);
  const recognition = recognitionOf(stands, verdict.fingerprint);
  return {
    id: resourceIdOf(resource),
    resource,
    readAt: context.readAt,
    layout:
      recognition === null
        ? null
        : { id: recognition.id, label: recognition.label, confidence: recognition.confidence },
    verdict: verdict.kind,
    holder:
      verdict.fingerprint === null
        ? null
        : { fingerprint: verdict.fingerprint, label: recognition?.holderLabel ?? null },
    votes: verdict.votes,
    margin: verdict.margin,
    heldForAtLeastMs: rounded(verdict.heldForAtLeastMs),
    freeFromMs: rounded(verdict.freeFromMs),
    noExpiry: verdict.noExpiry,
    firstSeenAt: facts.firstSeenAt,
    renewals: facts.renewals,
    fullMs: rounded(facts.fullMs),
    usualHoldMs: (facts.usual.resource ?? facts.usual.pattern)?.holdMs ?? null,
    revoked: recognition?.id === REVOKED_LAYOUT_ID,
    nodes: stands.map((stand) => readingView(stand, context)),
  };
}

function readingView(stand: NodeStand, context: ViewContext): Reading {
  const reading = readingAt(stand, context.now);
  const common = {
    node: stand.node,
    reading: reading.kind,
    quarantined: context.isQuarantined(stand.node),
    roundTripMs: stand.roundTripMs,
  };
  switch (reading.kind) {
    case "token": {
      const { fingerprint, remainingMs } = reading;
      const type = stand.sighting?.type ?? null;
      return { ...common, fingerprint, remainingMs: rounded(remainingMs), type, reason: null };
    }
    case "foreign": {
      const reason = reading.type === "string" ? "a text too long for a token" : `a key of type ${reading.type}`;
      return { ...common, fingerprint: null, remainingMs: rounded(reading.remainingMs), type: reading.type, reason };
    }
    case "unknown":
      return { ...common, fingerprint: null, remainingMs: null, type: null, reason: reading.reason };
    case "free":
      return { ...common, fingerprint: null, remainingMs: null, type: null, reason: null };
    default:
      return reading satisfies never;
  }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
