import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStage } from "../../mutants/load-mutant";
import { MUTANTS } from "../../mutants/mutants";
import type { WorldPlan } from "../../support/redlock-world";
import { faultPlans } from "../../support/world-plans";

/** Seed of this run; another finds other schedules. */
const SEED = 20_261;
const RUNS = 500;

test.each([
  // As many as are left when each of them is needed.
  ["no quarantine", 4],
  ["failed extension releases", 3],
  ["quorum of N/2", 0],
])(
  `a schedule that breaks the mutant "%s" is found, and shrinks to at most %i faults (seed ${SEED})`,
  async (name, most) => {
    const mutant = MUTANTS.find((each) => each.name === name);
    if (mutant === undefined) throw new Error(`no mutant ${name}`);
    const { brokenByFaults } = await loadStage(mutant.edits);
    const isSound = async (plan: WorldPlan): Promise<boolean> => (await brokenByFaults(plan)).length === 0;
    const details = await fc.check(fc.asyncProperty(faultPlans, isSound), { seed: SEED, numRuns: RUNS });
    const [plan] = details.counterexample ?? [];
    if (plan === undefined) throw new Error(`not found in ${details.numRuns} runs`);
    expect(plan.faults.length, JSON.stringify(plan.faults)).toBeLessThanOrEqual(most);
    // What is left is whole: the same plan breaks it again.
    expect(await isSound(plan)).toBe(false);
  },
  120_000,
);
