import type { DIRECTED } from "./directed";
import type { FAIR_DIRECTED } from "./fair-directed";
import type { FENCE_DIRECTED } from "./fence-directed";
import type { Edit } from "./load-mutant";

export const RANDOM_FAULTS = "random faults";

/** With clocks of nodes that are set, which breaks mutual exclusion by design: only the fences are looked at. */
export const RANDOM_STEPS = "random faults and steps of clocks";

/** What shows a mutant to be broken: random faults from a fixed seed, or a directed check. Each of those named must. */
export type CaughtBy =
  | typeof RANDOM_FAULTS
  | typeof RANDOM_STEPS
  | keyof typeof DIRECTED
  | keyof typeof FENCE_DIRECTED
  | keyof typeof FAIR_DIRECTED;

/** The engine with one rule of Redlock taken out. */
export interface Mutant {
  readonly name: string;
  /** Library in which this is, or was, the rule; null when none of those that were tried does it. */
  readonly seenIn: string | null;
  readonly edits: readonly Edit[];
  readonly caughtBy: readonly CaughtBy[];
}
