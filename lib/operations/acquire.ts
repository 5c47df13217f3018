import { type AcquireAnswer, type AcquireBody, resourceIdOf, type Vote } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { type AcquireOutcome, type Lock, quorumOf } from "@/lib/redlock";
import { type Acted, audited } from "./audited";
import { acquireVotesOf } from "./ballots";
import type { OperationsContext } from "./context";
import { checkTtl } from "./ttl";

/**
 * Acquires one lock over one or several resources. A negative answer is an answer, with the vote of every node.
 *
 * @param signal fires when the sender went away: waiting ends, and what was won meanwhile is given back
 * @throws AppError read_only, invalid_request
 */
export function acquire(context: OperationsContext, body: AcquireBody, signal: AbortSignal): Promise<AcquireAnswer> {
  const { resources, ttlMs, waitMs, keepAlive, fencing, note } = body;
  checkTtl(context, ttlMs);
  const details = { resources, ttlMs, waitMs, keepAlive, fencing };
  const target = resources[0] ?? "";
  return audited(context, { action: "lock.acquired", target, reason: note ?? null, details }, async () => {
    const outcome = await context.engine.tryAcquire(resources, ttlMs, { waitMs, fencing, signal });
    const votes = acquireVotesOf(await outcome.settled());
    const acted =
      outcome.kind === "acquired" && !signal.aborted
        ? won(context, body, outcome.lock, votes)
        : await notWon(context, body, outcome, votes);
    await context.inventory.refresh(resources);
    return { ...acted, details: { ...details, ...acted.details } };
  });
}

function won(context: OperationsContext, body: AcquireBody, lock: Lock, votes: Vote[]): Acted<AcquireAnswer> {
  const { engine, holdings } = context;
  const { token, fencingToken } = lock;
  const onLost = () => holdings.remove(token);
  const keepAlive = body.keepAlive ? engine.keepAlive(lock, body.ttlMs, { onLost }) : null;
  holdings.add(lock, { note: body.note ?? null, keepAlive });
  const fingerprint = fingerprintOf(token);
  return {
    outcome: "acquired",
    details: { fingerprint, fencingToken, votes },
    answer: {
      outcome: "acquired",
      lock: {
        id: resourceIdOf(lock.resources[0] ?? ""),
        resources: [...lock.resources],
        token,
        fingerprint,
        validityMs: Math.floor(lock.remaining()),
        keepAlive: body.keepAlive,
        fencingToken,
      },
      attempts: lock.attempts,
      reason: null,
      votes,
    },
  };
}

async function notWon(
  context: OperationsContext,
  { waitMs }: AcquireBody,
  outcome: AcquireOutcome<Lock>,
  votes: Vote[],
): Promise<Acted<AcquireAnswer>> {
  // Won, but nobody is left to be told: a lock without an owner would only stand in everybody's way.
  if (outcome.kind === "acquired") await outcome.lock.release();
  const refusal = outcome.kind === "acquired" ? "aborted" : outcome.refusal;
  const reason = reasonOf(refusal, votes, { waitMs, membership: context.masters.length });
  return {
    outcome: `not_acquired: ${refusal}`,
    details: { votes },
    answer: { outcome: "not_acquired", lock: null, attempts: outcome.attempts, reason, votes },
  };
}

/** One sentence for the sender. */
function reasonOf(
  refusal: Extract<AcquireOutcome<Lock>, { readonly kind: "not_acquired" }>["refusal"],
  votes: readonly Vote[],
  { waitMs, membership }: { readonly waitMs: number; readonly membership: number },
): string {
  const quorum = quorumOf(membership);
  const able = votes.filter(({ vote }) => vote === "granted" || vote === "refused").length;
  const refused = votes.filter(({ vote }) => vote === "refused");
  const holders = [...new Set(refused.map(({ holder }) => holder ?? "a key that is no lock"))].join(" and ");
  switch (refusal) {
    case "held_by_other":
      return `Held by ${holders} on ${refused.length} of ${membership} nodes; ${quorum} must grant it.`;
    case "quorum_unreachable":
      return `Only ${able} of ${membership} nodes could vote; ${quorum} must grant it.${quarantineHint(votes)}`;
    case "too_late":
      return "A majority granted it, but so late that nothing of its lifetime was left: take a longer one.";
    case "deadline":
      return refused.length === 0
        ? `No majority within ${waitMs} ms; ${able} of ${membership} nodes could vote, ${quorum} must grant it.${quarantineHint(votes)}`
        : `Still held by ${holders} after ${waitMs} ms.`;
    case "aborted":
      return "The sender went away before it was won.";
    default:
      return refusal satisfies never;
  }
}

/** The way out when nodes are kept out that may have forgotten votes; empty when there are none. */
function quarantineHint(votes: readonly Vote[]): string {
  const left = votes.flatMap((vote) => (vote.vote === "quarantined" ? [vote.remainingMs ?? 0] : []));
  if (left.length === 0) return "";
  const seconds = Math.ceil(Math.min(...left) / 1000);
  const those = left.length === 1 ? "1 is" : `${left.length} are`;
  return ` ${those} quarantined, for ${seconds} s more: wait, or bootstrap on the Nodes page if no lock can be held.`;
}
