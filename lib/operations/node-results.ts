import type { ForceExpireAnswer } from "@/lib/contract";
import type { ChangeAnswer } from "@/lib/redis";
import type { NodeReading } from "@/lib/redlock";
import type { OperationsContext } from "./context";
import type { NodeLook } from "./seen-token";

/** What an action did, or would do, on one node. */
export type NodeResult = ForceExpireAnswer["nodes"][number];

/** How one action changes one node. */
export interface Change {
  /** Word for a node on which it was done. */
  readonly done: "deleted" | "revoked";
  apply(look: NodeLook): Promise<ChangeAnswer>;
}

/**
 * Carries an action out on `looks`, all at the same time, and tells per node what came of it.
 *
 * A node that was silent when it was read is tried all the same: the change compares, so it can only hit the token that was seen.
 *
 * @param isDryRun tell what would happen, change nothing
 */
export function changeNodes(
  context: OperationsContext,
  resource: string,
  looks: readonly NodeLook[],
  change: Change,
  isDryRun: boolean,
): Promise<NodeResult[]> {
  return Promise.all(
    looks.map(async (look) => {
      const asRead = resultOf(look, change);
      const hasWork = asRead.result === change.done || asRead.result === "unreachable";
      const result = isDryRun || !hasWork ? asRead : afterChange(look, change, await change.apply(look));
      if (result.result !== "unreachable") return result;
      const remainingMs = context.inventory.lastKnownRemaining(look.master.id, resource);
      return { ...result, remainingMs: remainingMs === null ? null : Math.round(remainingMs) };
    }),
  );
}

/** What a node reads after its result. */
export function readingAfter(look: NodeLook, result: NodeResult): NodeReading {
  switch (result.result) {
    case "deleted":
    case "gone":
      return { kind: "free" };
    case "revoked":
    case "changed":
      // The key stays, whoever's it is, and blocks for as long as before.
      return look.reading;
    case "unreachable":
      return { kind: "unknown", reason: result.reason ?? "no answer" };
    default:
      return result.result satisfies never;
  }
}

function resultOf({ master, reading, isSeen }: NodeLook, { done }: Change): NodeResult {
  const common = { node: master.id, remainingMs: null, reason: null };
  if (isSeen) return { ...common, result: done, remainingMs: remainingOf(reading) };
  switch (reading.kind) {
    case "free":
      return { ...common, result: "gone" };
    case "unknown":
      return { ...common, result: "unreachable", reason: reading.reason };
    case "token":
      return { ...common, result: "changed", reason: `holds token ${reading.fingerprint}` };
    case "foreign":
      return { ...common, result: "changed", reason: `holds a key of type ${reading.type}` };
    default:
      return reading satisfies never;
  }
}

/** How long the key would still live if it were left alone, milliseconds. */
function remainingOf(reading: NodeReading): number | null {
  return "remainingMs" in reading && reading.remainingMs !== null ? Math.round(reading.remainingMs) : null;
}

function afterChange({ master }: NodeLook, { done }: Change, answer: ChangeAnswer): NodeResult {
  const common = { node: master.id, remainingMs: null, reason: null };
  switch (answer.kind) {
    case "done":
      return { ...common, result: done };
    case "changed":
    case "gone":
      return { ...common, result: answer.kind };
    case "timeout":
      return { ...common, result: "unreachable", reason: "no answer within the time limit" };
    case "unreachable":
    case "quarantined":
    case "error":
      return { ...common, result: "unreachable", reason: answer.reason };
    default:
      return answer satisfies never;
  }
}
