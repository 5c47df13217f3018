import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LabSection } from "@/components/lab/lab-section";
import { wordsOf } from "@/components/lab/lab-words";
import { lanesOf } from "@/components/lab/lanes";
import { type Lab, type LabRun, labRunSchema, labSchema } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";

afterEach(clearBrowser);

const votes = [{ node: "a", kind: "granted", text: "granted" }];

/** A holds by node a; a comes back empty, and B is granted it too. */
const RUN: LabRun = labRunSchema.parse({
  id: "r1",
  scenario: "crash-restart",
  seed: 7,
  n: 5,
  state: "not_met",
  problem: null,
  tookMs: 4000,
  events: [
    { atMs: 1, kind: "node", node: "a", state: "up", keys: [] },
    { atMs: 2, kind: "client", client: "A", text: "without the guard", pid: 11 },
    { atMs: 3, kind: "client", client: "B", text: "without the guard", pid: 12 },
    {
      ...{ atMs: 100, kind: "granted", client: "A", id: "A:1", resource: "lab:door", askedMs: 90 },
      ...{ untilMs: 6000, holder: "11111111", votes },
    },
    { atMs: 120, kind: "node", node: "a", state: "up", keys: [{ resource: "lab:door", holder: "11111111" }] },
    { atMs: 200, kind: "fault", target: "node a", text: "killed (SIGKILL)" },
    { atMs: 210, kind: "node", node: "a", state: "down", keys: [] },
    { atMs: 400, kind: "node", node: "a", state: "up", keys: [] },
    { atMs: 450, kind: "refused", client: "B", id: "B:2", resource: "lab:door", askedMs: 440, text: "held", votes },
    {
      ...{ atMs: 500, kind: "granted", client: "B", id: "B:3", resource: "lab:door", askedMs: 490 },
      ...{ untilMs: 6400, holder: "22222222", votes },
    },
    { atMs: 501, kind: "told", text: "B is granted the lock while A believes to hold it: two holders." },
  ],
  claims: [
    { id: "A:1", client: "A", resource: "lab:door", fromMs: 100, untilMs: 6000 },
    { id: "B:3", client: "B", resource: "lab:door", fromMs: 500, untilMs: 6400 },
  ],
  overlaps: [{ first: "A:1", second: "B:3", overlapMs: 5500 }],
  checks: [
    { says: "Without the guard two held", isMet: true },
    { says: "With the guard no two did", isMet: false },
  ],
});

const LAB: Lab = labSchema.parse({
  unavailableBecause: null,
  scenarios: [
    {
      ...{ id: "single-instance", title: "One master", question: "Whose lock goes?", steps: ["A takes it."] },
      ...{ expected: "B's stays.", n: { least: 1, most: 1, usual: 1 } },
    },
    {
      ...{ id: "crash-restart", title: "Crash and restart", question: "Can B be granted it?", steps: ["A takes it."] },
      ...{ expected: "Only without the guard.", n: { least: 3, most: 7, usual: 5 } },
    },
  ],
  run: { id: "r1", scenario: "crash-restart", isOn: false },
});

function open(lab: Lab = LAB, run: LabRun = RUN, search = "?scenario=crash-restart&seed=7") {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  const seen = stubApi({
    "GET /lab": () => [lab],
    "GET /lab/runs/r1": () => [run],
    "POST /lab/runs": () => [{ ...run, id: "r1", state: "starting" }],
    "DELETE /lab/runs/r1": () => [{ ...run, state: "stopped" }],
  });
  show(
    <NuqsTestingAdapter searchParams={search} onUrlUpdate={onUrlUpdate} hasMemory>
      <LabSection />
    </NuqsTestingAdapter>,
  );
  return { seen, onUrlUpdate };
}

describe("the lab", () => {
  it("shows what just happened, and the verdict with what was not so", async () => {
    open();
    const verdict = within(await screen.findByRole("region", { name: "Verdict" }));
    expect(verdict.getByText("Not as expected")).toBeTruthy();
    expect(verdict.getByText(/With the guard no two did/).textContent).toContain("no");
    expect(screen.getByRole("status").textContent).toContain("two holders");
  });

  it("says in the record all that the picture shows", async () => {
    open();
    const log = await screen.findByRole("region", { name: "Record of the run" });
    expect(
      within(log)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(RUN.events.map((event) => `${(event.atMs / 1000).toFixed(2)} s${wordsOf(event)}`));
    expect(screen.getByRole("img", { name: /two holders 1 times/ })).toBeTruthy();
  });

  it("plays the chosen scenario again with its seed and as many masters as chosen", async () => {
    const { seen } = open();
    await userEvent.selectOptions(await screen.findByLabelText("Masters"), "7");
    await userEvent.selectOptions(screen.getByLabelText("Masters"), "5");
    await userEvent.click(screen.getByRole("button", { name: "Run again with seed 7" }));
    const post = seen.find(({ method }) => method === "POST");
    expect(post).toMatchObject({ path: "/lab/runs", body: { scenario: "crash-restart", seed: 7, n: 5 } });
  });

  it("keeps what to play in the URL", async () => {
    const { onUrlUpdate } = open();
    await userEvent.click(await screen.findByRole("radio", { name: /One master/ }));
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).not.toContain("crash-restart");
    expect(screen.queryByLabelText("Masters")).toBeNull();
  });

  it("stops a run that is on, and has no verdict before its end", async () => {
    const { seen } = open(LAB, { ...RUN, state: "playing", checks: [] });
    expect(await screen.findByText("The verdict comes at the end")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /Stop and end everything/ }));
    expect(seen.some(({ method, path }) => method === "DELETE" && path === "/lab/runs/r1")).toBe(true);
  });

  it("says why nothing can be started, and starts nothing", async () => {
    const reason = "This console is read-only: it starts no processes.";
    const { seen } = open({ ...LAB, run: null, unavailableBecause: reason });
    expect((await screen.findByRole("alert")).textContent).toBe(reason);
    await userEvent.click(screen.getByRole("button", { name: /^Run/ }));
    expect(seen.some(({ method }) => method === "POST")).toBe(false);
  });
});

describe("the lanes", () => {
  const lanes = lanesOf(RUN);

  it("end where the run ended, and a belief ends with its key nowhere near it", () => {
    expect(
      lanes.clients.map(({ name, beliefs }) => [name, beliefs.map(({ fromMs, untilMs }) => [fromMs, untilMs])]),
    ).toEqual([
      ["A", [[100, 4000]]],
      ["B", [[500, 4000]]],
    ]);
    expect(lanes.nodes[0]?.keys).toEqual([{ resource: "lab:door", holder: "11111111", fromMs: 120, untilMs: 210 }]);
    expect(lanes.nodes[0]?.states.map(({ state }) => state)).toEqual(["up", "up", "down", "up"]);
  });

  it("mark where two hold", () => {
    expect(lanes.overlaps).toEqual([{ fromMs: 500, untilMs: 4000, clients: ["A", "B"] }]);
  });
});
