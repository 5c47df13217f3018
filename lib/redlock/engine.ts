import type { BreakerNode } from "./breaker";
import type { Claims } from "./claim";
import type { FenceClock } from "./fence-clock";
import type { Clock, Random } from "./ports";
import type { WaiterNames } from "./stand";
import type { Token } from "./units";
import type { WaitingLines } from "./waiting-line";

/** What the operations of one engine share. */
export interface Engine {
  readonly nodes: readonly BreakerNode[];
  readonly clock: Clock;
  readonly random: Random;
  readonly quorum: number;
  readonly nodeTimeoutMs: number;
  readonly claims: Claims;
  readonly lines: WaitingLines;
  readonly waiters: WaiterNames;
  /** Null without a wall clock: then no fencing tokens can be had. */
  readonly fences: FenceClock | null;
}

/** Sends the release to every node, also those that never answered: a SET whose reply was lost has landed all the same. */
export function abandon(engine: Engine, resources: readonly string[], token: Token, ttlMs: number): void {
  // Nobody waits: each node executes it behind the acquire, and one that is away gets it when it comes back.
  const request = { resources, token, keepTryingForMs: ttlMs };
  for (const node of engine.nodes) node.release(request);
}

/** How many votes are of one of these kinds. */
export function countVotes<Kind extends string>(
  votes: readonly { readonly kind: Kind }[],
  ...kinds: readonly Kind[]
): number {
  let count = 0;
  for (const { kind } of votes) if (kinds.includes(kind)) count += 1;
  return count;
}
