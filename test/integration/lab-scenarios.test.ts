import { describe, expect, test } from "vitest";
import { isLabelled, type LabRun } from "@/lib/contract";
import { crashRestart, SCENARIOS, type Scenario } from "@/lib/lab";
import { clientPids, headlessLab, isAlive, troublesOf } from "../support/lab";

const lab = headlessLab();
const LIMIT_MS = 70_000;

/** Those that the page could not ask, since nothing in the record bears their label, or that the record does not answer. */
function openQuestions({ events, answers }: LabRun, { questions = [] }: Scenario): readonly string[] {
  return questions
    .filter(({ id, before, options }) => {
      const option = answers.find(({ question }) => question === id)?.option;
      return !events.some((event) => isLabelled(event, before)) || options[option ?? -1] === undefined;
    })
    .map(({ id }) => id);
}

describe("every scenario of the lab, on real processes", () => {
  test.each(Object.values(SCENARIOS))("$id ends as it says", { timeout: LIMIT_MS }, async (scenario) => {
    const run = await lab.play(scenario, { seed: 7 });
    expect(troublesOf(run)).toEqual([]);
    expect(run.checks.length).toBeGreaterThan(0);
    expect(openQuestions(run, scenario)).toEqual([]);
  });

  test.each([2, 6])("%i masters: granted by a majority, refused below it", { timeout: LIMIT_MS }, async (n) => {
    expect(troublesOf(await lab.play(SCENARIOS["five-masters"], { n }))).toEqual([]);
  });

  test("4 masters: two must forget before two clients hold", { timeout: LIMIT_MS }, async () => {
    expect(troublesOf(await lab.play(SCENARIOS["crash-restart"], { n: 4, seed: 12 }))).toEqual([]);
  });
});

describe("a verdict", () => {
  test("is not met when the clients that claim to have the guard have none", { timeout: LIMIT_MS }, async () => {
    const run = await lab.play(crashRestart(false));
    expect(run.state).toBe("not_met");
    expect(troublesOf(run)).toContain("With the guard no two did");
    expect(run.overlaps).toHaveLength(2);
  });
});

test("a run that takes too long is ended, has no verdict, and leaves no process", { timeout: LIMIT_MS }, async () => {
  const { state, checks, events } = await lab.play(SCENARIOS["crash-restart"], { limitMs: 4000 });
  expect({ state, checks }).toEqual({ state: "timed_out", checks: [] });
  expect(clientPids({ events }).some(isAlive)).toBe(false);
});
