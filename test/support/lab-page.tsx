import { act, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { vi } from "vitest";
import { LabSection } from "@/components/lab/lab-section";
import { wordsOf } from "@/components/lab/lab-words";
import { type Lab, type LabEvent, type LabRun, labRunSchema, labSchema } from "@/lib/contract";
import { show, stubApi } from "./browser-rig";
import { FakeEventSource } from "./fake-event-source";

const votes = [{ node: "a", kind: "granted", text: "granted" }];

/** A run: A holds by node a; a comes back empty, and B is granted it too. */
export const RUN: LabRun = labRunSchema.parse({
  id: "r1",
  scenario: "crash-restart",
  seed: 7,
  n: 5,
  crowd: null,
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
    {
      ...{ atMs: 120, kind: "node", node: "a", state: "up" },
      keys: [{ resource: "lab:door", holder: "11111111", expiry: { leftMs: 6000, ofMs: 8000 } }],
    },
    { atMs: 200, kind: "fault", target: "node a", text: "killed (SIGKILL)", act: "kill", links: [] },
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
  answers: [{ question: "forgot", option: 1 }],
});

/** Two scenarios, and one question. */
export const LAB: Lab = labSchema.parse({
  unavailableBecause: null,
  scenarios: [
    {
      ...{ id: "single-instance", title: "One master", question: "Whose lock goes?", steps: ["A takes it."] },
      ...{ expected: "B's stays.", n: { least: 1, most: 1, usual: 1 }, crowd: null, questions: [] },
    },
    {
      ...{ id: "crash-restart", title: "Crash and restart", question: "Can B be granted it?", steps: ["A takes it."] },
      ...{ expected: "Only without the guard.", n: { least: 3, most: 7, usual: 5 }, crowd: null },
      questions: [{ id: "forgot", before: "killed", ask: "Will B be granted it?", options: ["No", "Yes"] }],
    },
    {
      ...{ id: "sandbox", title: "Sandbox", question: "Can you make two clients hold?", steps: ["Do what you like."] },
      ...{ expected: "No two hold.", n: { least: 1, most: 7, usual: 5 }, crowd: null, questions: [] },
    },
    {
      ...{ id: "contention", title: "Everybody", question: "Does somebody win?", steps: ["All want it."] },
      ...{ expected: "Never two.", n: { least: 3, most: 7, usual: 5 }, questions: [] },
      crowd: { clients: 10, isJittered: true, isInTurn: false },
    },
  ],
  run: { id: "r1", scenario: "crash-restart", isOn: false },
  runs: [],
  audience: { viewers: 1, driver: null },
});

interface Opened {
  readonly lab?: Lab;
  readonly run?: LabRun | null;
  readonly search?: string;
}

/** Opens the page; what the stream brings first is the run. */
export async function openLab({ lab = LAB, run = RUN, search = "?scenario=crash-restart&seed=7" }: Opened = {}) {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  FakeEventSource.opened.length = 0;
  vi.stubGlobal("EventSource", FakeEventSource);
  const seen = stubApi({
    "GET /lab": () => [lab],
    "GET /lab/runs/r1": () => [RUN],
    "POST /lab/runs": () => [{ ...RUN, state: "starting" }],
    "POST /lab/runs/r1/commands": () => [{ text: "Node a was killed." }],
    "POST /lab/runs/r1/driver": () => [lab.audience],
    "DELETE /lab/runs/r1": () => [{ ...RUN, state: "stopped" }],
  });
  show(
    <NuqsTestingAdapter searchParams={search} onUrlUpdate={onUrlUpdate} hasMemory>
      <LabSection />
    </NuqsTestingAdapter>,
  );
  await waitFor(() => FakeEventSource.latest());
  const stream = FakeEventSource.latest();
  act(() => stream.send("run", { run }));
  return { seen, onUrlUpdate, stream };
}

/** The same while it is on. */
export const PLAYING: LabRun = { ...RUN, state: "playing", checks: [], answers: [] };
/** The lines of the record on the page. */
export const linesOf = (log: HTMLElement) =>
  within(log)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
/** What they should be. */
export const inWords = (events: readonly LabEvent[]) =>
  events.map((event) => `${(event.atMs / 1000).toFixed(2)} s${wordsOf(event)}`);
