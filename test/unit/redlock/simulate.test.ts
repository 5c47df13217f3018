import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadStage } from "../../mutants/load-mutant";
import { MUTANTS } from "../../mutants/mutants";
import { simulate } from "../../simulation/run";

let output = "";
beforeEach(() => {
  output = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    output += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("a simulation of the engine as it is finds nothing, and says what it saw", async () => {
  expect(await simulate({ schedules: 30, seed: 7 })).toBe(0);
  expect(output).toMatch(/^violations 0, grants [1-9]\d*, schedules 30, seed 7, per second [1-9]\d*\n$/);
});

test("long schedules grant more of the same", async () => {
  const grantsOf = async (areLong: boolean): Promise<number> => {
    output = "";
    expect(await simulate({ schedules: 30, seed: 7, areLong })).toBe(0);
    return Number(/grants (\d+)/.exec(output)?.[1]);
  };
  expect(await grantsOf(true)).toBeGreaterThan(2 * (await grantsOf(false)));
});

test("one of a broken engine fails, and prints the plan that breaks it", async () => {
  const { simulate: simulateBroken } = await loadStage(
    MUTANTS.find(({ name }) => name === "quorum of N/2")?.edits ?? [],
  );
  expect(await simulateBroken({ schedules: 30, seed: 7 })).toBe(1);
  expect(output).toMatch(/while client-\d holds until .*\n {2}in \{"seed":/);
  expect(output).toMatch(/violations [1-9]\d*, grants/);
});

test.each([
  { schedules: 0, seed: 1 },
  { schedules: 1.5, seed: 1 },
  { schedules: 1, seed: Number.NaN },
])("refuses $schedules schedules of seed $seed", async (given) => {
  await expect(simulate(given)).rejects.toThrow(/--(schedules|seed) must be a positive integer/);
});
