import type { DIRECTED } from "./directed";
import type { Edit } from "./load-mutant";

/** The plans of the seeds from 0 to this, in their order until one shows the mutant to be broken. */
export const SEEDS = 40;

export const RANDOM_FAULTS = "random faults";

/** What shows a mutant to be broken: random faults of a few fixed seeds, or a directed check. Each of those named must. */
export type CaughtBy = typeof RANDOM_FAULTS | keyof typeof DIRECTED;

/** The engine with one rule of Redlock taken out. */
export interface Mutant {
  readonly name: string;
  /** Library in which this is, or was, the rule; null when none of those that were tried does it. */
  readonly seenIn: string | null;
  readonly edits: readonly Edit[];
  readonly caughtBy: readonly CaughtBy[];
}
