import { AppError, type RevokeAnswer, type RevokeBody } from "@/lib/contract";
import { revokedValue } from "@/lib/layouts";
import { fingerprintOf } from "@/lib/redis";
import { quorumOf } from "@/lib/redlock";
import { type Acted, audited, guardWrite } from "./audited";
import type { OperationsContext } from "./context";
import { type Change, changeNodes, readingAfter } from "./node-results";
import { freeFromMs, lookFor, oldHolderMayActForMs } from "./seen-token";

const NOT_SWAPPABLE =
  "This client keeps more in the key than a token, so it cannot be swapped for one of the console. Force-expire works.";

/**
 * Takes a lock away safely: swaps the token that was seen for an operator's value and keeps the remaining time. The holder's next
 * extension fails, and nobody gets in before the old promise has ended. Source: `algorithm.md`, "Revoke".
 *
 * @throws AppError read_only, lock_changed, layout_refused, quorum_unreachable; nothing was changed then
 */
export async function revoke(context: OperationsContext, resource: string, body: RevokeBody): Promise<RevokeAnswer> {
  guardWrite(context);
  if (body.dryRun) return (await swap(context, resource, body)).answer;
  const { fingerprint, reason } = body;
  return audited(context, { action: "lock.revoked", target: resource, reason, details: { fingerprint } }, async () => {
    const acted = await swap(context, resource, body);
    await context.inventory.refresh([resource]);
    return acted;
  });
}

async function swap(
  context: OperationsContext,
  resource: string,
  { fingerprint, dryRun }: RevokeBody,
): Promise<Acted<RevokeAnswer>> {
  const look = await lookFor(context, resource, fingerprint);
  const { swappable } = look;
  if (swappable === null) throw new AppError("layout_refused", NOT_SWAPPABLE);
  const replacement = Buffer.from(revokedValue(context.newToken()));
  const change: Change = {
    done: "revoked",
    apply: ({ master }) => master.compareAndSwap(resource, swappable, replacement),
  };
  const oldHolderMs = oldHolderMayActForMs(context, resource, look);
  const results = await changeNodes(context, resource, look.nodes, change, dryRun);
  const revoked = results.filter(({ result }) => result === "revoked").length;
  // On so many nodes the old token is gone that the rest is no majority: it cannot be extended any more.
  const enough = look.nodes.length - quorumOf(look.nodes.length) + 1;
  // A node where the token was gone or another's already says no to an extension as well.
  const denying = results.filter(({ result }) => result !== "unreachable").length;
  const answer: RevokeAnswer = {
    outcome: revoked === 0 ? "none" : denying >= enough ? "revoked" : "partial",
    dryRun,
    oldHolderMayActForMs: oldHolderMs,
    freeFromMs: freeFromMs(
      look.nodes.map((node, index) => {
        const result = results[index];
        return result === undefined ? node.reading : readingAfter(node, result);
      }),
    ),
    nodes: results,
  };
  const details = { fingerprint, replacement: fingerprintOf(replacement), nodes: results };
  return { answer, outcome: answer.outcome, details };
}
