import { INCIDENT_CAUSES, type Incident, type IncidentCause } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import type { BrokenPromise, KeyPast } from "./broken-promise";
import type { ForcedAction } from "./forced-actions";
import type { Trouble } from "./node-troubles";

/** A node is read at least so often: what happened to it longer before a key was found gone did not take the key. */
const READ_WITHIN_MS = 7000;
/** An end that was noticed so late may have been the end that was promised, milliseconds. */
const LATE_MS = 50;
/** A clock is read once a second and a step of it noticed at the next reading: so much of it may lie elsewhere, milliseconds. */
const STEP_SLACK_MS = 1500;

/** What became of the first token on one node. */
export interface Fate {
  readonly node: string;
  readonly fate: Incident["nodes"][number]["fate"];
  /** Monotonic ms; null while nothing happened. */
  readonly at: number | null;
  readonly past: KeyPast;
  /** How far its clock was put forward, milliseconds. */
  readonly stepMs: number | null;
}

/** What may have taken keys from a token. */
export interface Suspects {
  troublesOf(node: string, from: number, to: number): readonly Trouble[];
  readonly actions: readonly ForcedAction[];
}

/** What became of the first token, node by node. */
export function fatesOf(promise: BrokenPromise, suspects: Suspects): readonly Fate[] {
  return [...promise.keys].map(([node, past]) => fateOf(node, past, suspects));
}

/**
 * Whether the token cannot have been released: a release goes to all nodes, so where a majority still has the token, or lost it
 * for another reason, its holder was never told.
 */
export function isBroken({ membership }: Pick<BrokenPromise, "membership">, fates: readonly Fate[]): boolean {
  return fates.filter(({ fate }) => fate === "kept" || isCause(fate)).length >= quorumOf(membership);
}

/** What took the most keys; among equals the most telling. Null when nothing did. */
export function leadingCause(fates: readonly Fate[]): IncidentCause | null {
  const counts = INCIDENT_CAUSES.map((cause) => ({ cause, count: fates.filter(({ fate }) => fate === cause).length }));
  const [most] = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return most?.cause ?? null;
}

function isCause(fate: Fate["fate"]): fate is IncidentCause {
  return (INCIDENT_CAUSES as readonly string[]).includes(fate);
}

function fateOf(node: string, past: KeyPast, suspects: Suspects): Fate {
  const { lostAt, endAt, isSilent } = past;
  const common = { node, past, at: lostAt, stepMs: null };
  if (suspects.actions.some(({ nodes }) => nodes.includes(node))) return { ...common, fate: "forced" };
  if (isSilent) return { ...common, fate: "silent" };
  if (lostAt === null) return { ...common, fate: "kept" };
  const early = earlyEnd(node, past, lostAt, suspects);
  if (early !== null && past.shortened !== null) return { ...common, ...early };
  const troubles = suspects.troublesOf(node, Math.max(past.seenAt, lostAt - READ_WITHIN_MS), lostAt);
  for (const kind of ["restarted", "flushed"] as const) {
    if (troubles.some((trouble) => trouble.kind === kind)) return { ...common, fate: kind };
  }
  if (lostAt >= endAt - LATE_MS) return { ...common, fate: "expired" };
  return early === null ? { ...common, fate: "released" } : { ...common, ...early };
}

/** Whether the key ended by itself, though before what was promised: at a shortened expiry, or by a clock put forward. */
function earlyEnd(
  node: string,
  { endAt, shortened }: KeyPast,
  lostAt: number,
  suspects: Suspects,
): Pick<Fate, "fate" | "stepMs"> | null {
  // One that went long before even its shortened end was deleted, by whoever.
  if (shortened !== null && lostAt < endAt - shortened.byMs - LATE_MS) return null;
  // A step of the clock may have been seen as a shorter expiry first, and long before the key went.
  const since = shortened?.at ?? lostAt;
  const earlyMs = shortened?.byMs ?? endAt - lostAt;
  for (const trouble of suspects.troublesOf(node, since - READ_WITHIN_MS, lostAt + READ_WITHIN_MS)) {
    if (trouble.kind !== "clock" || earlyMs > trouble.stepMs + STEP_SLACK_MS) continue;
    return { fate: "clock", stepMs: trouble.stepMs };
  }
  return shortened === null ? null : { fate: "shortened", stepMs: null };
}
