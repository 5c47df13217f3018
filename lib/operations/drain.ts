import { AppError, type DrainAnswer, type DrainBody } from "@/lib/contract";
import type { Master } from "@/lib/redis";
import { describeVote } from "@/lib/redlock";
import { audited } from "./audited";
import type { OperationsContext } from "./context";

/**
 * Takes a node out of the votes for a planned restart; its keys stay and can be released.
 *
 * @throws AppError read_only, guard_off, not_found
 */
export function drain(context: OperationsContext, node: string, { reason }: DrainBody): Promise<DrainAnswer> {
  return act(context, "node.drained", { node, reason }, (master) => master.drain());
}

/**
 * Puts a drained node back: at once if this console drained it, else after a quarantine.
 *
 * @throws AppError read_only, guard_off, not_found
 */
export function undrain(context: OperationsContext, node: string): Promise<DrainAnswer> {
  return act(context, "node.undrained", { node, reason: null }, (master) => master.undrain());
}

function act(
  context: OperationsContext,
  action: "node.drained" | "node.undrained",
  { node, reason }: { readonly node: string; readonly reason: string | null },
  change: (master: Master) => ReturnType<Master["drain"]>,
): Promise<DrainAnswer> {
  const master = context.masters.find(({ id }) => id === node);
  if (master === undefined) throw new AppError("not_found", `There is no node named ${node}.`);
  if (!context.isGuarded) {
    throw new AppError("guard_off", "No restart guard is in use, so no node waits: REDLOCK_GUARD=full switches it on.");
  }
  return audited(context, { action, target: node, reason, details: {} }, async () => {
    const result = await change(master);
    const isDone = result.kind === "drained" || result.kind === "admitted";
    const answer: DrainAnswer = isDone
      ? { outcome: result.kind, reason: null }
      : { outcome: "refused", reason: describeVote(result) };
    return { answer, outcome: answer.outcome, details: { ...answer } };
  });
}
