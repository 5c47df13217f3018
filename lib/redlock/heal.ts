import type { BreakerNode } from "./breaker";
import type { Engine } from "./engine";
import type { LockKey, Pending } from "./outcomes";
import type { Ballot, ExtendVote } from "./ports";
import type { NodeId } from "./units";

interface HealPlan {
  readonly poll: {
    ballots(): readonly Ballot<ExtendVote | Pending>[];
    settled(): Promise<readonly Ballot<ExtendVote>[]>;
  };
  /** True once the lock was released: a heal behind the release would leave a key nobody owns. */
  readonly isGivenUp: () => boolean;
  /** What is left of the validity: the healed key must not outlive it. */
  readonly remainingMs: () => number;
}

/**
 * Gives the key back to the nodes that missed it in a won extension: a restarted minority carries the lock again, and the
 * next node may fail. Stragglers that turn out to miss it are healed as they answer in time.
 *
 * @returns the nodes known to miss it now, and the end of all healing
 */
export function healMissing(
  engine: Engine,
  key: LockKey,
  plan: HealPlan,
): { readonly nodes: readonly NodeId[]; readonly done: Promise<void> } {
  const known = missingOn(engine, plan.poll.ballots());
  const healed = known.map((node) => healOne(node, key, plan));
  const done = plan.poll.settled().then(async (ballots) => {
    const late = missingOn(engine, ballots).filter((node) => !known.includes(node));
    await Promise.all([...healed, ...late.map((node) => healOne(node, key, plan))]);
  });
  return { nodes: known.map((node) => node.id), done };
}

function missingOn({ nodes }: Engine, ballots: readonly Ballot<ExtendVote | Pending>[]): readonly BreakerNode[] {
  return nodes.filter((_, index) => ballots[index]?.vote.kind === "missing");
}

async function healOne(node: BreakerNode, { resources, token }: LockKey, plan: HealPlan): Promise<void> {
  const ttlMs = Math.floor(plan.remainingMs());
  if (plan.isGivenUp() || ttlMs < 1) return;
  await node.heal({ resources, token, ttlMs, isCancelled: () => plan.isGivenUp() || plan.remainingMs() <= 0 });
}
