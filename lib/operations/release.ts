import type { ReleaseAnswer, ReleaseBody } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { asToken } from "@/lib/redlock";
import { audited } from "./audited";
import { releaseVotesOf } from "./ballots";
import type { OperationsContext } from "./context";

/**
 * Releases the lock that `token` holds, on every node. A lock that is gone already is an outcome.
 *
 * @throws AppError read_only
 */
export function release(context: OperationsContext, resource: string, body: ReleaseBody): Promise<ReleaseAnswer> {
  const { token } = body;
  const resources = [...new Set([resource, ...(body.resources ?? [])])];
  const details = { resources, fingerprint: fingerprintOf(token) };
  return audited(context, { action: "lock.released", target: resource, details }, async () => {
    const lock = context.holdings.find(token, resource);
    const outcome = await context.engine.release(lock ?? { resources, token: asToken(token) });
    const votes = releaseVotesOf(await outcome.settled());
    if (outcome.kind !== "unknown") context.holdings.remove(token);
    // It was acquired past the queue, if there is one.
    const released = lock?.resources ?? resources;
    await Promise.all(context.masters.flatMap((master) => released.map((name) => master.handOn(name))));
    await context.inventory.refresh(released);
    return { answer: { outcome: outcome.kind, votes }, outcome: outcome.kind, details: { ...details, votes } };
  });
}
