import type { ForceExpireAnswer, ForceExpireBody } from "@/lib/contract";
import { type Acted, audited, guardWrite } from "./audited";
import type { OperationsContext } from "./context";
import { type Change, changeNodes, type NodeResult, readingAfter } from "./node-results";
import { chosenNodes, freeFromMs, type Look, lookFor, type NodeLook, oldHolderMayActForMs } from "./seen-token";

/**
 * Takes away the lock that was on the operator's screen, node by node, as its own client would release it, and nothing else.
 * Source: `algorithm.md`, "Force-expire, precisely".
 *
 * @throws AppError read_only, not_found, lock_changed, layout_refused, quorum_unreachable; nothing was deleted then
 */
export async function forceExpire(
  context: OperationsContext,
  resource: string,
  body: ForceExpireBody,
): Promise<ForceExpireAnswer> {
  guardWrite(context);
  if (body.dryRun) return (await expire(context, resource, body)).answer;
  const { fingerprint, reason, nodes } = body;
  const intent = {
    action: "lock.force_expired",
    target: resource,
    reason,
    details: { fingerprint, nodes: nodes ?? "all" },
  } as const;
  return audited(context, intent, async () => {
    const acted = await expire(context, resource, body);
    await context.inventory.refresh([resource]);
    return acted;
  });
}

async function expire(
  context: OperationsContext,
  resource: string,
  { fingerprint, nodes, dryRun }: ForceExpireBody,
): Promise<Acted<ForceExpireAnswer>> {
  const look = await lookFor(context, resource, fingerprint);
  const chosen = chosenNodes(look.nodes, nodes);
  const change: Change = { done: "deleted", apply: ({ master, recipe }) => master.carryOut(recipe) };
  const oldHolderMs = oldHolderMayActForMs(context, resource, look);
  const results = await changeNodes(context, resource, chosen, change, dryRun);
  const answer: ForceExpireAnswer = {
    outcome: outcomeOf(look.nodes, chosen, results),
    dryRun,
    oldHolderMayActForMs: oldHolderMs,
    freeFromMs: freeFromMs(readingsAfter(look, chosen, results)),
    nodes: results,
  };
  return { answer, outcome: answer.outcome, details: { fingerprint, nodes: results } };
}

/** expired: the token is on no node any more. partial: it is, or may be, somewhere. none: nothing was deleted. */
function outcomeOf(
  all: readonly NodeLook[],
  chosen: readonly NodeLook[],
  results: readonly NodeResult[],
): ForceExpireAnswer["outcome"] {
  if (!results.some(({ result }) => result === "deleted")) return "none";
  const mayStay = results.some(({ result }) => result === "unreachable");
  const staysElsewhere = all.some((look) => !chosen.includes(look) && (look.isSeen || look.reading.kind === "unknown"));
  return mayStay || staysElsewhere ? "partial" : "expired";
}

function readingsAfter(look: Look, chosen: readonly NodeLook[], results: readonly NodeResult[]) {
  return look.nodes.map((node) => {
    const result = results[chosen.indexOf(node)];
    return result === undefined ? node.reading : readingAfter(node, result);
  });
}
