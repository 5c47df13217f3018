import { AppError } from "@/lib/contract";
import { recognise } from "@/lib/layouts";
import { fingerprintOf, type KeyReading, type Master } from "@/lib/redis";
import { type NodeReading, quorumOf, verdictOf } from "@/lib/redlock";
import type { OperationsContext } from "./context";

/** One node, read just now on behalf of an action. */
export interface NodeLook {
  readonly master: Master;
  readonly reading: NodeReading;
  /** The node holds exactly the token that was on the operator's screen. */
  readonly isSeen: boolean;
}

/** A fresh reading of all nodes, and the bytes of the token that was seen. Secret: never leaves lib/operations. */
export interface Look {
  readonly nodes: readonly NodeLook[];
  readonly seen: Buffer;
}

/**
 * Reads a resource on all nodes and finds the token that was on the screen.
 *
 * @throws AppError lock_changed when no node holds it any more, quorum_unreachable when too few answered to know,
 *   layout_refused when this client's locks must not be touched from outside
 */
export async function lookFor(context: OperationsContext, resource: string, fingerprint: string): Promise<Look> {
  const answers = await Promise.all(context.masters.map((master) => readOne(master, resource)));
  const match = answers.find(({ key }) => key?.value != null && fingerprintOf(key.value) === fingerprint);
  const nodes = answers.map(({ master, key, reading }) => ({
    master,
    reading,
    isSeen: key?.value != null && fingerprintOf(key.value) === fingerprint,
  }));
  if (match?.key?.value == null) throw nobodyHolds(resource, nodes);

  const { type, value, remainingMs } = match.key;
  const sighting = { key: resource, type, value: value.toString("latin1"), hasExpiry: remainingMs !== null };
  const release = recognise(sighting)?.release;
  if (release?.kind === "refused") throw new AppError("layout_refused", release.reason);
  return { nodes, seen: value };
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

async function readOne(
  master: Master,
  resource: string,
): Promise<{ readonly master: Master; readonly key: KeyReading | null; readonly reading: NodeReading }> {
  const answer = await master.read([resource]);
  if (answer.kind !== "readings") {
    const reason = "reason" in answer ? answer.reason : "no answer within the time limit";
    return { master, key: null, reading: { kind: "unknown", reason } };
  }
  const key = answer.readings[0];
  if (key === undefined || key.type === "none") return { master, key: null, reading: { kind: "free" } };
  const { value, type, remainingMs } = key;
  if (value === null) return { master, key, reading: { kind: "foreign", type, remainingMs } };
  return { master, key, reading: { kind: "token", fingerprint: fingerprintOf(value), remainingMs } };
}

function nobodyHolds(resource: string, nodes: readonly NodeLook[]): AppError {
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
