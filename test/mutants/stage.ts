// Loaded with a mutated engine beneath it: everything here, the simulation included, runs on that engine.

import fc from "fast-check";
import { World, type WorldPlan } from "../support/redlock-world";
import { faultPlans, stepPlans } from "../support/world-plans";
import { DIRECTED as REDLOCK_DIRECTED } from "./directed";
import { FAIR_DIRECTED } from "./fair-directed";
import { FENCE_DIRECTED } from "./fence-directed";
import { RANDOM_FAULTS, RANDOM_STEPS } from "./mutant";

export { simulate } from "../simulation/run";

export const DIRECTED = { ...REDLOCK_DIRECTED, ...FENCE_DIRECTED, ...FAIR_DIRECTED };

/** Of the plans that are tried in order, until one shows the mutant to be broken. */
const SEED = 20_261;

const TRIALS = {
  [RANDOM_FAULTS]: { plans: faultPlans, runs: 60, broken: brokenByFaults },
  [RANDOM_STEPS]: { plans: stepPlans, runs: 60, broken: brokenBySteps },
} as const;

/** What random faults show to be broken, in words; null for a sound engine. */
export async function brokenByRandom(kind: keyof typeof TRIALS): Promise<string | null> {
  const { plans, runs, broken } = TRIALS[kind];
  for (const [run, plan] of fc.sample(plans, { seed: SEED, numRuns: runs }).entries()) {
    const [words] = await broken(plan);
    if (words !== undefined) return `run ${run}: ${words}`;
  }
  return null;
}

/** What one plan shows to be broken, in words. */
export async function brokenByFaults(plan: WorldPlan): Promise<readonly string[]> {
  const world = new World(plan);
  try {
    const { violations } = await world.run();
    if (violations.length > 0) return violations;
    return (await world.recovers()) ? [] : ["a free lock is not granted, or a key is left, after the faults"];
  } catch (error) {
    return [`the engine never settles or breaks: ${error instanceof Error ? error.message : error}`];
  }
}

/** Of fences only: the steps of clocks in these plans break mutual exclusion by design. */
async function brokenBySteps(plan: WorldPlan): Promise<readonly string[]> {
  return (await new World(plan).run()).fenceViolations;
}
