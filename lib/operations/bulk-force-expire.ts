import { AppError, type BulkForceExpireAnswer, type BulkForceExpireBody } from "@/lib/contract";
import type { OperationsContext } from "./context";
import { forceExpire } from "./force-expire";

/** Locks worked on at the same time: a large selection must not flood the nodes. */
const AT_ONCE = 8;

/**
 * Force-expires an explicit snapshot of locks, each by the token that was on the screen. One item's refusal stops no other.
 *
 * @param signal fires when the sender went away: no further item is begun
 */
export async function bulkForceExpire(
  context: OperationsContext,
  { items, reason, dryRun }: BulkForceExpireBody,
  signal: AbortSignal,
): Promise<BulkForceExpireAnswer> {
  const results: BulkForceExpireAnswer["items"] = [];
  for (let start = 0; start < items.length && !signal.aborted; start += AT_ONCE) {
    const batch = items.slice(start, start + AT_ONCE);
    results.push(
      ...(await Promise.all(
        batch.map(async ({ resource, fingerprint }) => {
          try {
            const answer = await forceExpire(context, resource, { fingerprint, reason, dryRun });
            return { resource, answer, error: null };
          } catch (error) {
            if (!AppError.is(error) || error.code === "internal") throw error;
            return { resource, answer: null, error: { code: error.code, message: error.message } };
          }
        }),
      )),
    );
  }
  return { items: results };
}
