import { describe, expect, test } from "vitest";
import { loadStage } from "../../mutants/load-mutant";
import { type CaughtBy, RANDOM_FAULTS, RANDOM_STEPS } from "../../mutants/mutant";
import { MUTANTS } from "../../mutants/mutants";

type Stage = Awaited<ReturnType<typeof loadStage>>;

/** What is broken according to one catcher, in words; null for a sound engine. */
async function brokenBy({ brokenByRandom, DIRECTED }: Stage, by: CaughtBy): Promise<string | null> {
  if (by === RANDOM_FAULTS || by === RANDOM_STEPS) return brokenByRandom(by);
  try {
    return await DIRECTED[by]();
  } catch (error) {
    return `the engine never settles or breaks: ${error instanceof Error ? error.message : error}`;
  }
}

describe("an engine without one of its rules is caught", () => {
  for (const { name, edits, caughtBy } of MUTANTS) {
    test(name, async () => {
      const stage = await loadStage(edits);
      expect(caughtBy).not.toEqual([]);
      for (const by of caughtBy) expect(await brokenBy(stage, by), by).not.toBeNull();
    }, 60_000);
  }
});

test("the engine as it is passes everything that catches a mutant", async () => {
  const stage = await loadStage([]);
  const catchers = [...new Set(MUTANTS.flatMap(({ caughtBy }) => caughtBy))];
  for (const by of catchers) expect(await brokenBy(stage, by), by).toBeNull();
  // A check that catches no mutant has not been seen to work.
  expect(catchers).toEqual(expect.arrayContaining(Object.keys(stage.DIRECTED)));
}, 60_000);

test("a mutant whose code is gone is noticed, and one that is ambiguous", async () => {
  const edit = { file: "redlock/quorum.ts", replace: "" };
  await expect(loadStage([{ ...edit, find: "Math.ceil(membership)" }])).rejects.toThrow(
    "not exactly once in redlock/quorum.ts",
  );
  await expect(loadStage([{ ...edit, find: "membership" }])).rejects.toThrow("not exactly once in redlock/quorum.ts");
  await expect(loadStage([{ ...edit, file: "redlock/gone.ts", find: "x" }])).rejects.toThrow(
    "redlock/gone.ts was never loaded",
  );
}, 60_000);
