import { describe, expect, test } from "vitest";
import { SCENARIOS } from "@/lib/lab";
import { labArguments } from "../../lab/arguments";
import { closingLine, labTable, type Tally } from "../../lab/report";

describe("what npm run lab is asked for", () => {
  test("is every scenario that has an end of its own, once, unless it is said", () => {
    const { scenarios, times, n } = labArguments([]);
    expect({ times, n }).toEqual({ times: 1, n: null });
    expect([...scenarios, "sandbox"].sort()).toEqual(Object.keys(SCENARIOS).sort());
    expect(labArguments(["--scenario", "clocks,failover", "--times", "20", "--seed", "7"])).toMatchObject({
      ...{ scenarios: ["clocks", "failover"], times: 20, seed: 7 },
    });
  });

  test("is refused with the name of what is wrong", () => {
    for (const [argv, says] of [
      [["--times", "0"], "--times must be"],
      [["--scenario", "sandbox"], "--scenario must be one of"],
      [["--n", "8"], "--n must be"],
      [["--seed", "x"], "--seed must be"],
    ] as const) {
      expect(() => labArguments(argv)).toThrow(says);
    }
  });
});

test("the table says how often a scenario passed, and why it did not the first time", () => {
  const tallies: readonly Tally[] = [
    { scenario: "clocks", runs: 3, passes: 3, tookMs: [3000, 1000, 2000], failure: null },
    { scenario: "failover", runs: 2, passes: 1, tookMs: [1, 1], failure: { seed: 9, troubles: ["No two held"] } },
  ];
  const table = labTable(tallies);
  expect(table).toContain("| clocks | 3 of 3 | 2.0 | 3.0 |  |");
  expect(table).toContain("| failover | 1 of 2 | 0.0 | 0.0 | seed 9: No two held |");
  expect(closingLine(tallies, 8)).toBe("failures 1, runs 5, scenarios 2, seed 8");
});
