import { describe, expect, test } from "vitest";
import { loadRealStage } from "../mutants/load-mutant";
import { SCRIPT_MUTANTS } from "../mutants/script-mutants";

describe("scripts and guard without one of their rules are caught on a real server", () => {
  for (const { name, edit, caughtBy } of SCRIPT_MUTANTS) {
    test(name, async () => {
      const { REAL_CHECKS } = await loadRealStage([edit]);
      expect(await REAL_CHECKS[caughtBy]()).not.toBeNull();
    }, 60_000);
  }
});

test("as they are they pass every check, and every check catches a mutant", async () => {
  const { REAL_CHECKS } = await loadRealStage([]);
  for (const [name, check] of Object.entries(REAL_CHECKS)) expect(await check(), name).toBeNull();
  const catchers = new Set<string>(SCRIPT_MUTANTS.map(({ caughtBy }) => caughtBy));
  expect(Object.keys(REAL_CHECKS).filter((name) => !catchers.has(name))).toEqual([]);
}, 60_000);
