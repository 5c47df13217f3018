import fc from "fast-check";
import { World, type WorldPlan } from "../support/redlock-world";
import {
  fairPlans,
  fairStepPlans,
  faultPlans,
  shortFairPlans,
  shortFairStepPlans,
  shortFaultPlans,
  shortStepPlans,
  stepPlans,
} from "../support/world-plans";

/** Plans are made in portions, so that a long run costs no memory. */
const PORTION = 500;

/** Of this many schedules one is about fences and clocks that are set. */
const STEP_EVERY = 5;

export interface SimulationOptions {
  readonly schedules: number;
  readonly seed: number;
  /** About eleven grants each instead of three: rarer troubles, a sixth as many a second. */
  readonly areLong?: boolean;
  /** Of fair locks, beside those of clients that do not ask for them. */
  readonly areFair?: boolean;
}

const PLANS = {
  plain: { long: [faultPlans, stepPlans], short: [shortFaultPlans, shortStepPlans] },
  fair: { long: [fairPlans, fairStepPlans], short: [shortFairPlans, shortFairStepPlans] },
} as const;

/**
 * Runs random schedules from a seed and prints what they showed, last `violations V, grants G, schedules N, seed S, per second R`,
 * of processor time.
 *
 * @returns exit code: 1 when a schedule broke an invariant; its plan is printed as JSON
 * @throws RangeError for an argument that is no positive integer
 */
export async function simulate({
  schedules,
  seed,
  areLong = false,
  areFair = false,
}: SimulationOptions): Promise<number> {
  for (const [name, value] of Object.entries({ schedules, seed })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`--${name} must be a positive integer, got ${value}`);
  }
  const [faults, steps] = PLANS[areFair ? "fair" : "plain"][areLong ? "long" : "short"];
  const before = process.cpuUsage();
  let violations = 0;
  let grants = 0;
  for (let done = 0; done < schedules; done += PORTION) {
    const numRuns = Math.min(PORTION, schedules - done);
    const isAboutFences = (done / PORTION) % STEP_EVERY === STEP_EVERY - 1;
    for (const plan of fc.sample(isAboutFences ? steps : faults, { seed: (seed + done) | 0, numRuns })) {
      const { broken, granted } = await play(plan);
      grants += granted;
      violations += broken.length;
      if (broken.length > 0) process.stdout.write(`${broken.join("; ")}\n  in ${JSON.stringify(plan)}\n`);
    }
  }
  // Of processor time: other processes on the machine do not count.
  const { user, system } = process.cpuUsage(before);
  const perSecond = Math.round(schedules / ((user + system) / 1e6));
  process.stdout.write(
    `violations ${violations}, grants ${grants}, schedules ${schedules}, seed ${seed}, per second ${perSecond}\n`,
  );
  return violations === 0 ? 0 : 1;
}

/** One schedule. With clocks that are set two may hold at once by design: then only the fences are looked at. */
async function play(plan: WorldPlan): Promise<{ readonly broken: readonly string[]; readonly granted: number }> {
  const world = new World(plan);
  try {
    const { grants, violations, fenceViolations } = await world.run();
    if (plan.fencing !== undefined) return { broken: fenceViolations, granted: grants };
    if (violations.length > 0) return { broken: violations, granted: grants };
    const isLive = await world.recovers();
    return {
      broken: isLive ? [] : ["a free lock is not granted, or a key is left, after the faults"],
      granted: grants,
    };
  } catch (error) {
    return { broken: [`it never settles or breaks: ${error instanceof Error ? error.message : error}`], granted: 0 };
  }
}
