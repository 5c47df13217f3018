import { type LockView, type Reading, resourceIdOf } from "@/lib/contract";
import { REVOKED_LAYOUT_ID, type Recognition, recogniseByAgreement } from "@/lib/layouts";
import { type MonotonicMs, type NodeReading, type Verdict, verdictOf } from "@/lib/redlock";
import type { ResourceFacts } from "./history";
import { earliestEnd, type NodeStand } from "./sighting";

/** What the whole membership adds to one resource's stands. */
export interface ViewContext {
  /** Monotonic and wall time of the view. */
  readonly now: MonotonicMs;
  readonly readAt: number;
  readonly votingNodes: number;
  isQuarantined(node: string): boolean;
  /** Whether a token is this console's own; none is when left out. */
  readonly isOwn?: (fingerprint: string) => boolean;
}

/** What the form of a token cannot say: other clients' tokens look the same as ours. */
const OWN = { label: "this console", confidence: "certain" } as const;

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

/** Whose lock it is: what we know ourselves first, then the holder's word, then anybody's, then what the nodes agree on. */
export function recognitionOf(
  stands: readonly NodeStand[],
  fingerprint: string | null,
  isOwn: ViewContext["isOwn"],
): Recognition | null {
  const recognition = recognitionByForm(stands, fingerprint);
  const isOurs = recognition !== null && fingerprint !== null && isOwn?.(fingerprint) === true;
  return isOurs ? { ...recognition, ...OWN } : recognition;
}

/** Whether a lock was last said to be ours. */
export function isOwnLabel(recognition: Recognition | null): boolean {
  return recognition?.label === OWN.label;
}

function recognitionByForm(stands: readonly NodeStand[], fingerprint: string | null): Recognition | null {
  let anybodys: Recognition | null = null;
  for (const { sighting } of stands) {
    if (sighting === null || sighting.recognition === null) continue;
    if (sighting.fingerprint === fingerprint) return sighting.recognition;
    anybodys ??= sighting.recognition;
  }
  if (anybodys !== null) return anybodys;
  const sightings = stands.flatMap(({ sighting }) => (sighting === null ? [] : [sighting]));
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
  let longest = 0;
  for (const { sighting, silent } of stands) {
    if (sighting !== null && silent === null) longest = Math.max(longest, earliestEnd(sighting) - now);
  }
  return Number.isFinite(longest) ? longest : null;
}

/** One lock as the API answers it, but for the evidence. @param stands as `agreed` has them, and the verdict on them */
export function lockViewOf(
  resource: string,
  stands: readonly NodeStand[],
  facts: ResourceFacts,
  context: ViewContext,
  verdict: Verdict,
): Omit<LockView, "evidence"> {
  const recognition = recognitionOf(stands, verdict.fingerprint, context.isOwn);
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
  const { node, sighting, roundTripMs } = stand;
  const reading = readingAt(stand, context.now);
  const isKey = reading.kind === "token" || reading.kind === "foreign";
  // One literal for all kinds: spreading a common part takes ten times as long, and there are five of these per lock.
  return {
    node,
    reading: reading.kind,
    quarantined: context.isQuarantined(node),
    roundTripMs,
    fingerprint: reading.kind === "token" ? reading.fingerprint : null,
    remainingMs: isKey ? rounded(reading.remainingMs) : null,
    type: isKey ? (sighting?.type ?? null) : null,
    reason: reasonOf(reading),
  };
}

function reasonOf(reading: NodeReading): string | null {
  if (reading.kind === "unknown") return reading.reason;
  if (reading.kind !== "foreign") return null;
  return reading.type === "string" ? "a text too long for a token" : `a key of type ${reading.type}`;
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
