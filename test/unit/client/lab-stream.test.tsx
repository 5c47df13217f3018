import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useLabRun } from "@/lib/client";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { FakeEventSource } from "../../support/fake-event-source";
import { LAB, PLAYING, RUN } from "../../support/lab-page";

afterEach(clearBrowser);

function Seen() {
  const { run, audience, isDriver } = useLabRun();
  return <p>{run === null ? "no run" : `${run.state} ${run.events.length} ${audience.viewers} ${isDriver}`}</p>;
}

/** A page whose stream does not come through; what it polls is as the answers say. */
function open(answers: Parameters<typeof stubApi>[0]) {
  FakeEventSource.opened.length = 0;
  vi.stubGlobal("EventSource", FakeEventSource);
  const seen = stubApi(answers);
  show(<Seen />);
  const fail = () => act(() => FakeEventSource.latest().fail());
  return { seen, fail };
}

it("polls the run whole while its stream does not come through, until the stream is back", async () => {
  let run = { ...PLAYING, events: RUN.events.slice(0, 4) };
  const { seen, fail } = open({ "GET /lab": () => [LAB], "GET /lab/runs/r1": () => [run] });
  for (let failures = 0; failures < 2; failures += 1) fail();
  expect(seen).toEqual([]);
  fail();
  expect(await screen.findByText("playing 4 1 false")).toBeTruthy();
  run = RUN;
  expect(await screen.findByText(`not_met ${RUN.events.length} 1 false`, {}, { timeout: 10_000 })).toBeTruthy();
  act(() => FakeEventSource.latest().send("run", { run: PLAYING }));
  act(() => FakeEventSource.latest().send("audience", { viewers: 3, driver: null }));
  await waitFor(() => expect(screen.getByText(`playing ${RUN.events.length} 3 false`)).toBeTruthy());
});

it("polls a lab in which nothing was played without asking for a run", async () => {
  const { seen, fail } = open({ "GET /lab": () => [{ ...LAB, run: null }] });
  for (let failures = 0; failures < 3; failures += 1) fail();
  await waitFor(() => expect(seen.length).toBeGreaterThan(0));
  expect(screen.getByText("no run")).toBeTruthy();
  expect(seen.every(({ path }) => path === "/lab")).toBe(true);
});
