import { ACQUIRE_MUTANTS } from "./acquire-mutants";
import { FAIR_MUTANTS } from "./fair-mutants";
import { FENCE_MUTANTS } from "./fence-mutants";
import { HOLDING_MUTANTS } from "./holding-mutants";
import type { Mutant } from "./mutant";

/**
 * Not here, because they are equivalent as far as safety goes: late votes with the validity check kept; an extension that
 * re-creates a missing key within the validity.
 */
export const MUTANTS: readonly Mutant[] = [...ACQUIRE_MUTANTS, ...HOLDING_MUTANTS, ...FENCE_MUTANTS, ...FAIR_MUTANTS];
