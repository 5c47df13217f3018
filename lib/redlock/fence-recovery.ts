import type { BreakerNode } from "./breaker";
import type { Engine } from "./engine";
import type { FenceClock } from "./fence-clock";
import type { Pending } from "./outcomes";
import { askAll } from "./poll";
import type { AcquireVote, Ballot, FenceReading, RestoreFenceVote } from "./ports";

/** What was read is too old after so many time limits; far less than the quarantine of a node that forgets again. */
const READING_LIMITS = 2;

/** Whether any node would have granted, had it not lost its fence counters. */
export function lacksFence(ballots: readonly Ballot<AcquireVote | Pending>[]): boolean {
  return ballots.some(({ vote }) => vote.kind === "error" && vote.lacksFence === true);
}

/**
 * Lets nodes that have lost their fence counters, or never had any, take part in fencing again.
 *
 * Such a node does not grant a fenced lock: it could issue a fence a second time. It is given the highest fence of
 * membership - quorum + 1 nodes that have theirs: every lock that was won left its fence on a quorum, so one of those has it as
 * long as fewer than a quorum lost them together. When a quorum or more did, nobody knows; then, as on a first use, only the clocks
 * of the clients keep fences in order, and the nodes raise an alarm unless it looks like a first use. With silent nodes that might
 * know it is put off, and likewise when the reading is old because this process was stopped: a node could have been given counters by
 * another client meanwhile, have used them, and have lost them again. Votes lost together with the counters are the restart guard's affair: it must admit the node first.
 *
 * @returns whether a node was given counters, so that another attempt makes sense
 */
export function recoverFences(engine: Engine, fences: FenceClock): Promise<boolean> {
  fences.recovery ??= recover(engine, fences).finally(() => {
    fences.recovery = null;
  });
  return fences.recovery;
}

async function recover(engine: Engine, fences: FenceClock): Promise<boolean> {
  const limitMs = engine.nodeTimeoutMs;
  const startedAt = engine.clock.now();
  const readings = await askAll<FenceReading>({
    clock: engine.clock,
    nodes: engine.nodes,
    limitMs,
    ask: (node) => node.readFence(),
  });
  const known: number[] = [];
  const lost: BreakerNode[] = [];
  for (const [index, node] of engine.nodes.entries()) {
    const vote = readings[index]?.vote;
    if (vote?.kind !== "high_water") continue;
    if (vote.fence === null) lost.push(node);
    else known.push(vote.fence);
  }
  const isCertain = known.length >= engine.nodes.length - engine.quorum + 1;
  const areTooManyLost = lost.length >= engine.quorum;
  if (engine.clock.now() - startedAt > READING_LIMITS * limitMs) return false;
  if (lost.length === 0 || !(isCertain || areTooManyLost)) return false;
  const fence = Math.max(fences.lastSeen, ...known);
  const isGuess = areTooManyLost && known.length > 0;
  const answers = await askAll<RestoreFenceVote>({
    clock: engine.clock,
    nodes: lost,
    limitMs,
    ask: (node, isOver) => node.restoreFence({ fence, isGuess, isCancelled: isOver }),
  });
  return answers.some(({ vote }) => vote.kind === "restored");
}
