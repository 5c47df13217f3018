import { describe, expect, test } from "vitest";
import { wordsOf } from "@/components/lab/lab-words";
import { isLabelled, type LabRun } from "@/lib/contract";
import { crashRestart, SCENARIOS, type Scenario } from "@/lib/lab";
import { inTurns } from "../support/in-turns";
import { clientPids, headlessLab, isAlive } from "../support/lab";
import { troublesOf } from "../support/lab-verdict";

/** More at a time are too slow for each other. */
const AT_A_TIME = 2;
/** With the turns that each waits for. */
const LIMIT_MS = 240_000;

const lab = headlessLab();
const play = inTurns(AT_A_TIME, lab.play);
/** What has no end of its own has tests of its own. */
const { sandbox: _, ...SCRIPTED } = SCENARIOS;

/**
 * Questions that the page could not ask, since nothing in the record bears their label, that the record has answered before they are
 * asked, or that it does not answer.
 */
function openQuestions({ events, answers, n }: LabRun, { questions = [] }: Scenario): readonly string[] {
  return questions
    .filter(({ id, before, options, answer }) => {
      const at = events.findIndex((event) => isLabelled(event, before));
      const option = answers.find(({ question }) => question === id)?.option;
      return at < 0 || answer(events.slice(0, at), n) !== null || options[option ?? -1] === undefined;
    })
    .map(({ id }) => id);
}

/** Kinds of faults before which the scenario asks nothing. */
function unaskedFaults({ events }: LabRun, { questions = [] }: Scenario): readonly string[] {
  const faults = events.filter((event) => event.kind === "fault" && event.act !== "heal");
  const firsts = new Map(faults.toReversed().map((event) => [event.kind === "fault" && event.act, event]));
  return [...firsts.values()]
    .filter((fault) => !questions.some(({ before }) => isLabelled(fault, before)))
    .map(wordsOf);
}

describe("every scenario of the lab, on real processes", () => {
  test.concurrent.each(Object.values(SCRIPTED))("$id ends as it says", { timeout: LIMIT_MS }, async (scenario) => {
    const run = await play(scenario, { seed: 7 });
    expect(troublesOf(run)).toEqual([]);
    expect(run.checks.length).toBeGreaterThan(0);
    // What this machine cannot do is not asked about either.
    if (run.events.some(({ kind }) => kind === "left_out")) return;
    expect(openQuestions(run, scenario)).toEqual([]);
    expect(unaskedFaults(run, scenario)).toEqual([]);
  });

  test.concurrent.each([2, 6])(
    "%i masters: granted by a majority, refused below it",
    { timeout: LIMIT_MS },
    async (n) => {
      expect(troublesOf(await play(SCENARIOS["five-masters"], { n }))).toEqual([]);
    },
  );

  test.concurrent("4 masters: two must forget before two clients hold", { timeout: LIMIT_MS }, async () => {
    expect(troublesOf(await play(SCENARIOS["crash-restart"], { n: 4, seed: 12 }))).toEqual([]);
  });
});

describe("a verdict", () => {
  test.concurrent("is not met when the clients that claim to have the guard have none", {
    timeout: LIMIT_MS,
  }, async () => {
    const run = await play(crashRestart(false));
    expect(run.state).toBe("not_met");
    expect(troublesOf(run)).toContain("With the guard no two did");
    expect(run.overlaps).toHaveLength(2);
  });
});

test.concurrent("a run that takes too long is ended, has no verdict, and leaves no process", {
  timeout: LIMIT_MS,
}, async () => {
  const { state, checks, events } = await play(SCENARIOS["crash-restart"], { limitMs: 4000 });
  expect({ state, checks }).toEqual({ state: "timed_out", checks: [] });
  expect(clientPids({ events }).some(isAlive)).toBe(false);
});
