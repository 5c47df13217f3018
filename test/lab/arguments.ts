import { parseArgs } from "node:util";
import { LAB_NODES_MAX, LAB_SCENARIOS, type LabScenarioId } from "@/lib/contract";

const SEED_MAX = 2 ** 31 - 1;

/** What `npm run lab` was asked for. */
export interface LabArguments {
  readonly times: number;
  /** Of the first time; each next time has the next one. */
  readonly seed: number;
  readonly scenarios: readonly LabScenarioId[];
  /** Masters; null = as many as each scenario usually has. */
  readonly n: number | null;
  /** Runs at the same time. */
  readonly atATime: number;
}

/** What has no end of its own is played by hand. */
const SCRIPTED = LAB_SCENARIOS.filter((id) => id !== "sandbox");

export const USAGE = `npm run lab -- [--times 1] [--seed 1] [--n MASTERS] [--at-a-time 2] [--scenario ${SCRIPTED.join(",")}]
  plays each scenario so many times on processes of its own, each time with the next seed, and says how often it ended as it claims`;

/** @throws RangeError or TypeError that names the argument */
export function labArguments(argv: readonly string[]): LabArguments {
  const option = { type: "string" } as const;
  const options = { times: option, seed: option, n: option, scenario: option, "at-a-time": option };
  const { values } = parseArgs({ args: [...argv], options });
  const whole = (name: "times" | "seed" | "n" | "at-a-time", fallback: number, least: number, most: number): number => {
    const value = values[name] === undefined ? fallback : Number(values[name]);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new RangeError(`--${name} must be an integer from ${least} to ${most}, got ${values[name]}`);
  };
  return {
    times: whole("times", 1, 1, 10_000),
    seed: whole("seed", 1, 0, SEED_MAX - 10_000),
    scenarios: values.scenario === undefined ? SCRIPTED : values.scenario.split(",").map(scenarioOf),
    n: values.n === undefined ? null : whole("n", 1, 1, LAB_NODES_MAX),
    atATime: whole("at-a-time", 2, 1, 8),
  };
}

function scenarioOf(name: string): LabScenarioId {
  const found = SCRIPTED.find((id) => id === name);
  if (found === undefined) throw new RangeError(`--scenario must be one of ${SCRIPTED.join(", ")}, got ${name}`);
  return found;
}
