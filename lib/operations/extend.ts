import type { ExtendAnswer, ExtendBody } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { asToken } from "@/lib/redlock";
import { audited } from "./audited";
import { extendVotesOf } from "./ballots";
import type { OperationsContext } from "./context";
import { checkTtl } from "./ttl";

/**
 * Extends the lock that `token` holds.
 *
 * @throws AppError read_only, invalid_request
 */
export function extend(context: OperationsContext, resource: string, body: ExtendBody): Promise<ExtendAnswer> {
  const { token, ttlMs } = body;
  checkTtl(context, ttlMs);
  const resources = [...new Set([resource, ...(body.resources ?? [])])];
  const details = { resources, ttlMs, fingerprint: fingerprintOf(token) };
  return audited(context, { action: "lock.extended", target: resource, details }, async () => {
    // The handle knows how long the lock is valid; a bare token leaves that to the nodes.
    const lock = context.holdings.find(token, resource);
    const outcome = await context.engine.tryExtend(lock ?? { resources, token: asToken(token) }, ttlMs);
    const votes = extendVotesOf(await outcome.settled());
    await context.inventory.refresh(resources);
    const isExtended = outcome.kind === "extended";
    const answer: ExtendAnswer = {
      outcome: outcome.kind === "capped" ? "unknown" : outcome.kind,
      validityMs: Math.floor(isExtended ? outcome.validityMs : (lock?.remaining() ?? 0)),
      healed: isExtended ? [...outcome.healing] : [],
      votes,
    };
    return { answer, outcome: answer.outcome, details: { ...details, votes } };
  });
}
