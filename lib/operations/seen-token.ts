import { AppError } from "@/lib/contract";
import { compareAndDelete, type Identity, type Layouts, type ReleaseRecipe } from "@/lib/layouts";
import { asSighting, fingerprintOf, type KeyReading, type Master } from "@/lib/redis";
import { type NodeReading, quorumOf, verdictOf } from "@/lib/redlock";
import type { OperationsContext } from "./context";

/** One node, read just now on behalf of an action. */
export interface NodeLook {
  readonly master: Master;
  readonly reading: NodeReading;
  /** The node holds exactly the lock that was on the operator's screen. */
  readonly isSeen: boolean;
  /** How to take it away there; on a node that holds another one, or is silent, as on the others. Secret. */
  readonly recipe: ReleaseRecipe;
}

/** A fresh reading of all nodes, and how the lock that was seen may be changed. Secret: never leaves lib/operations. */
export interface Look {
  readonly nodes: readonly NodeLook[];
  /** The value that was seen; null where the lock is more than one value, so that it cannot be swapped. */
  readonly swappable: Buffer | null;
}

/** What one node shows, with the bytes that may not be shown. */
interface Shown {
  readonly master: Master;
  readonly key: KeyReading | null;
  readonly identity: Identity | null;
  readonly reading: NodeReading;
}

/**
 * Reads a resource on all nodes and finds the lock that was on the screen.
 *
 * @throws AppError lock_changed when no node holds it any more, quorum_unreachable when too few answered to know,
 *   layout_refused when this client's locks must not be touched from outside
 */
export async function lookFor(context: OperationsContext, resource: string, fingerprint: string): Promise<Look> {
  const shown = await Promise.all(context.masters.map((master) => readOne(master, resource, context.layouts)));
  const match =
    shown.find(({ reading }) => reading.kind === "token" && reading.fingerprint === fingerprint) ??
    ofSameGroup(shown, context.inventory.lastKnownGroup(resource, fingerprint));
  if (match === undefined || match.key === null) throw nobodyHolds(resource, shown);

  const { key, identity } = match;
  const ofMatch = recipeOf(key, identity);
  const nodes = shown.map((node): NodeLook => {
    const isSeen = isSameLock(node, match);
    const recipe = isSeen && node.key !== null ? recipeOf(node.key, node.identity) : ofMatch;
    return { master: node.master, reading: node.reading, isSeen, recipe };
  });
  return { nodes, swappable: identity === null || identity.isRevocable ? key.value : null };
}

/** The fingerprint on the screen may be that of a node which is silent now, while the others know the lock by another one. */
function ofSameGroup(shown: readonly Shown[], group: string | null): Shown | undefined {
  return group === null ? undefined : shown.find(({ identity }) => identity?.recognition.group === group);
}

/** One lock has one owner on all nodes, or where its client writes another one on each, one group. */
function isSameLock({ reading, identity }: Shown, match: Shown): boolean {
  if (reading.kind !== "token" || match.reading.kind !== "token") return false;
  const group = identity?.recognition.group;
  return (
    (group !== undefined && group === match.identity?.recognition.group) ||
    reading.fingerprint === match.reading.fingerprint
  );
}

/** @throws AppError layout_refused */
function recipeOf(key: KeyReading, identity: Identity | null): ReleaseRecipe {
  const release = identity?.release() ?? compareAndDelete(key.resource, key.value?.toString("latin1") ?? "");
  if (release.kind === "refused") throw new AppError("layout_refused", release.reason);
  return release.recipe;
}

/**
 * The nodes an action is about.
 *
 * @param chosen names, or all of them when left out
 * @throws AppError not_found for a name that is not configured
 */
export function chosenNodes(nodes: readonly NodeLook[], chosen: readonly string[] | undefined): readonly NodeLook[] {
  if (chosen === undefined) return nodes;
  const known = new Set<string>(nodes.map(({ master }) => master.id));
  const stranger = chosen.find((name) => !known.has(name));
  if (stranger !== undefined) throw new AppError("not_found", `There is no node named ${stranger}.`);
  return nodes.filter(({ master }) => chosen.includes(master.id));
}

/**
 * How long the old holder may at most still believe that it holds: the q-th largest remaining time, a silent node counting
 * with what it showed last, or as without end.
 *
 * @returns milliseconds; null = no end known
 */
export function oldHolderMayActForMs(context: OperationsContext, resource: string, look: Look): number | null {
  const times = look.nodes.map(({ master, reading, isSeen }) => {
    if (isSeen && reading.kind === "token") return reading.remainingMs ?? Number.POSITIVE_INFINITY;
    if (reading.kind !== "unknown") return 0;
    return context.inventory.lastKnownRemaining(master.id, resource) ?? Number.POSITIVE_INFINITY;
  });
  const qth = times.sort((a, b) => b - a)[quorumOf(times.length) - 1] ?? 0;
  return Number.isFinite(qth) ? Math.round(qth) : null;
}

/** From when on others can win, milliseconds; null = never by itself, or not known. */
export function freeFromMs(readings: readonly NodeReading[]): number | null {
  const { freeFromMs: free } = verdictOf(readings);
  return free === null ? null : Math.round(free);
}

async function readOne(master: Master, resource: string, layouts: Layouts): Promise<Shown> {
  const answer = await master.read([resource]);
  if (answer.kind !== "readings") {
    const reason = "reason" in answer ? answer.reason : "no answer within the time limit";
    return { master, key: null, identity: null, reading: { kind: "unknown", reason } };
  }
  const key = answer.readings[0];
  if (key === undefined || key.type === "none") {
    return { master, key: null, identity: null, reading: { kind: "free" } };
  }
  const { type, remainingMs } = key;
  const sighting = asSighting(key);
  const identity = layouts.identify(sighting);
  const owner = identity?.owner ?? sighting.value;
  if (owner === null) return { master, key, identity, reading: { kind: "foreign", type, remainingMs } };
  const fingerprint = fingerprintOf(Buffer.from(owner, "latin1"));
  return { master, key, identity, reading: { kind: "token", fingerprint, remainingMs } };
}

function nobodyHolds(resource: string, nodes: readonly Shown[]): AppError {
  const silent = nodes.filter(({ reading }) => reading.kind === "unknown").length;
  const details = { nodes: nodes.map(({ master, reading }) => ({ node: master.id, ...reading })) };
  const answered = nodes.length - silent;
  if (answered < quorumOf(nodes.length)) {
    const message = `Only ${answered} of ${nodes.length} nodes answered: whether ${resource} is still held cannot be known.`;
    return new AppError("quorum_unreachable", message, { details });
  }
  return new AppError("lock_changed", "No node holds the token that was seen any more. Nothing was changed.", {
    details,
  });
}
