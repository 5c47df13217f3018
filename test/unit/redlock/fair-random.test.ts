import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeRig } from "../../support/redlock-rig";
import { World } from "../../support/redlock-world";
import { expectSound } from "../../support/sound-property";
import { fairPlans, fairStepPlans, shortFairPlans } from "../../support/world-plans";

/** Seed of this run; with it a failing one can be repeated. */
const SEED = 20_261_202;
const RUNS = 100;
const SHORT_RUNS = 1000;
const ORDER_RUNS = 100;

describe(`fair locks under random faults on virtual time (seed ${SEED})`, () => {
  test("are never held by two, and a free one is granted again once the faults are over", async () => {
    await expectSound(fairPlans, SEED, RUNS);
  }, 120_000);

  test("break nothing in short schedules", async () => {
    await expectSound(shortFairPlans, SEED, SHORT_RUNS);
  }, 120_000);

  test("have fences that are unique and ordered, also where clocks jump", async () => {
    let grants = 0;
    const property = fc.asyncProperty(fairStepPlans, async (given) => {
      const history = await new World(given).run();
      grants += history.grants;
      expect(history.fenceViolations).toEqual([]);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    expect(grants).toBeGreaterThan(RUNS);
  }, 120_000);
});

describe(`fair locks when nothing fails (seed ${SEED}, ${ORDER_RUNS} runs)`, () => {
  const visits = fc.array(
    fc.record({ client: fc.nat(5), afterMs: fc.integer({ min: 3, max: 30 }), holdMs: fc.integer({ min: 0, max: 40 }) }),
    { minLength: 2, maxLength: 30 },
  );
  const membership = fc.constantFrom(1, 2, 3, 4, 5);

  test("are had in the order in which they were asked for, by clients with lines of their own", async () => {
    const property = fc.asyncProperty(membership, visits, async (nodes, plan) => {
      const rig = makeRig(nodes);
      const engines = Array.from({ length: 6 }, () => rig.join().engine);
      const sleep = (ms: number) => new Promise<void>((resolve) => rig.clock.schedule(ms, resolve));
      const order: number[] = [];
      let at = 0;
      const work = plan.map(async ({ client, afterMs, holdMs }, index) => {
        at += afterMs;
        await sleep(at);
        const lock = await engines[client]?.acquire(["r"], 10_000, { fair: true, waitMs: 60_000 });
        order.push(index);
        await sleep(holdMs);
        await lock?.release();
      });
      await rig.clock.until(Promise.all(work));
      expect(order).toEqual(plan.map((_, index) => index));
    });
    await fc.assert(property, { seed: SEED, numRuns: ORDER_RUNS });
  }, 120_000);
});
