import { afterEach, describe, expect, test } from "vitest";
import type { LabStreamEvents } from "@/lib/contract";
import type { Lab } from "@/lib/lab";
import { clientPids, headlessLab, isAlive } from "../support/lab";
import { until } from "../support/until";

const headless = headlessLab();
const LIMIT_MS = 70_000;
const SOON_MS = 30_000;
/** The longest of the scenarios: it is on for as long as a test looks. */
const LONG = { scenario: "crash-restart", seed: 1 } as const;
const [DRIVER, OTHER] = ["viewer-driver", "viewer-other"];

const opened: Lab[] = [];

function open(options: { readonly leaveMs?: number; readonly limitMs?: number } = {}): Lab {
  const lab = headless.open(options);
  opened.push(lab);
  return lab;
}

afterEach(async () => {
  for (const lab of opened.splice(0)) await lab.close();
});

/** Starts it and waits for its clients. @returns the run, and their processes */
async function begin(lab: Lab, viewer?: string): Promise<{ readonly id: string; readonly pids: readonly number[] }> {
  const { id } = await lab.start({ ...LONG, viewer });
  await until(() => clientPids(lab.run(id)).length === 2, "two clients to be there", SOON_MS);
  return { id, pids: clientPids(lab.run(id)) };
}

const ignore = () => undefined;
const isOver = (lab: Lab, id: string) => () => !["starting", "playing"].includes(lab.run(id).state);

describe("a run whose driver leaves", { timeout: LIMIT_MS }, () => {
  test("is ended with all its processes when nobody else watches", async () => {
    const lab = open({ leaveMs: 300 });
    const leave = lab.watch(DRIVER, ignore);
    const { id, pids } = await begin(lab, DRIVER);
    leave();
    await until(isOver(lab, id), "the run to be ended", SOON_MS);
    expect(lab.run(id)).toMatchObject({ state: "stopped", problem: expect.stringContaining("nobody") });
    expect(pids.some(isAlive)).toBe(false);
  });

  test("goes on while somebody else watches, and its seat is free", async () => {
    const lab = open({ leaveMs: 300 });
    const leave = lab.watch(DRIVER, ignore);
    lab.watch(OTHER, ignore);
    const { id } = await begin(lab, DRIVER);
    leave();
    await until(async () => (await lab.view()).audience.driver === null, "the seat to be free", SOON_MS);
    expect(isOver(lab, id)()).toBe(false);
    expect(await lab.stop(id, OTHER)).toMatchObject({ state: "stopped", problem: null });
  });
});

test("one page drives: another one must take over before it may stop the run", { timeout: LIMIT_MS }, async () => {
  const lab = open();
  for (const viewer of [DRIVER, OTHER]) lab.watch(viewer, ignore);
  const { id, pids } = await begin(lab, DRIVER);
  await expect(lab.stop(id, OTHER)).rejects.toMatchObject({ code: "lab_busy" });
  expect(lab.takeOver(id, OTHER)).toEqual({ viewers: 2, driver: OTHER });
  await expect(lab.stop(id, DRIVER)).rejects.toMatchObject({ code: "lab_busy" });
  expect((await lab.stop(id, OTHER)).state).toBe("stopped");
  expect(pids.some(isAlive)).toBe(false);
});

test("a run is ended on its time limit, whoever watches", { timeout: LIMIT_MS }, async () => {
  const lab = open({ limitMs: 4000 });
  lab.watch(DRIVER, ignore);
  const { id } = await lab.start({ ...LONG, viewer: DRIVER });
  await until(isOver(lab, id), "the run to be ended", SOON_MS);
  expect(lab.run(id).state).toBe("timed_out");
  expect(clientPids(lab.run(id)).some(isAlive)).toBe(false);
});

test("whoever watches gets the whole record, whenever they came", { timeout: LIMIT_MS }, async () => {
  const lab = open();
  const early = collect(lab);
  const { id } = await lab.start({ scenario: "single-instance", seed: 3 });
  await until(() => lab.run(id).events.length > 5, "something to happen", SOON_MS);
  const late = collect(lab);
  await until(isOver(lab, id), "the run to end", LIMIT_MS);
  for (const seen of [early, late]) {
    await until(() => seen.state() === "met", "the end to be told", SOON_MS);
    expect(seen.events().toSorted((a, b) => a.atMs - b.atMs)).toEqual(lab.run(id).events);
  }
});

test("the last ten runs are kept, and nothing of an older one; only the newest can be driven", {
  timeout: LIMIT_MS,
}, async () => {
  const lab = open();
  const ids: string[] = [];
  for (let runs = 0; runs < 11; runs += 1) {
    const { id } = await lab.start({ scenario: "single-instance", seed: runs });
    await lab.stop(id, null);
    ids.push(id);
  }
  const { runs } = await lab.view();
  expect(runs.map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
  expect(runs.map(({ seed }) => seed)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(lab.run(ids[1] ?? "")).toMatchObject({ seed: 1, state: "stopped" });
  expect(() => lab.run(ids[0] ?? "")).toThrow("the last 10 are kept");
  expect(() => lab.takeOver(ids[1] ?? "", OTHER)).toThrow("a newer one is there");
});

test("a crowd is only for a scenario that has one, and is played as it was asked for", {
  timeout: LIMIT_MS,
}, async () => {
  const lab = open();
  const crowd = { clients: 3, isJittered: false, isInTurn: true };
  await expect(lab.start({ ...LONG, crowd })).rejects.toMatchObject({ code: "invalid_request" });
  const { id } = await lab.start({ scenario: "contention", seed: 1, n: 3, crowd });
  const contest = () => lab.run(id).events.find(({ kind }) => kind === "contest");
  await until(() => contest() !== undefined, "the first contest to be over", SOON_MS);
  expect(contest()).toMatchObject({ crowd });
  const { events } = lab.run(id);
  const wins = events.flatMap((event) => (event.kind === "granted" ? [event.votes] : []));
  expect(wins.length).toBeGreaterThan(0);
  for (const votes of wins) expect(votes.filter(({ kind }) => kind === "granted").length).toBeGreaterThanOrEqual(2);
  await lab.stop(id, null);
});

function collect(lab: Lab) {
  let last: LabStreamEvents["run"]["run"] = null;
  lab.watch(null, (event) => {
    if (event.name === "run") last = event.data.run;
    if (event.name === "more" && last !== null) {
      last = { ...event.data.status, events: [...last.events, ...event.data.events] };
    }
  });
  return { state: () => last?.state, events: () => last?.events ?? [] };
}
