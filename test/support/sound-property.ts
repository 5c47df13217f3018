import fc from "fast-check";
import { expect } from "vitest";
import { World, type WorldPlan } from "./redlock-world";

/**
 * Plays random schedules: no two hold at once, no lock is won or revived without validity, and once the faults are over a free lock is
 * granted again and no key is left. Fails also when hardly anything was granted: a checker that saw nothing proves nothing.
 *
 * @param seed with it a failing run can be repeated
 */
export async function expectSound(plans: fc.Arbitrary<WorldPlan>, seed: number, runs: number): Promise<void> {
  let grants = 0;
  const property = fc.asyncProperty(plans, async (given) => {
    const world = new World(given);
    const history = await world.run();
    grants += history.grants;
    expect(history.violations).toEqual([]);
    expect(await world.recovers()).toBe(true);
  });
  await fc.assert(property, { seed, numRuns: runs });
  expect(grants).toBeGreaterThan(runs);
}
