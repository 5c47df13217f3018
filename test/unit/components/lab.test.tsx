import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { lanesOf } from "@/components/lab/lanes";
import { clearBrowser } from "../../support/browser-rig";
import { inWords, LAB, linesOf, openLab, PLAYING, RUN } from "../../support/lab-page";

afterEach(clearBrowser);

describe("the lab", () => {
  it("shows what just happened, and the verdict with what was not so", async () => {
    await openLab();
    const verdict = within(await screen.findByRole("region", { name: "Verdict" }));
    expect(verdict.getByText("Not as expected")).toBeTruthy();
    expect(verdict.getByText(/With the guard no two did/).textContent).toContain("no");
    expect(screen.getByRole("status").textContent).toContain("two holders");
  });

  it("says in the record all that the picture shows", async () => {
    await openLab();
    const log = await screen.findByRole("region", { name: "Record of the run" });
    expect(linesOf(log)).toEqual(inWords(RUN.events));
    expect(screen.getByRole("img", { name: /two holders 1 times/ })).toBeTruthy();
    expect(screen.getByRole("list", { name: "Two holders" }).textContent).toBe(
      "Two holders: A and B both believe to hold lab:door from 0.50 s to 4.00 s.",
    );
  });

  it("plays the chosen scenario again with its seed and as many masters as chosen", async () => {
    const { seen } = await openLab();
    await userEvent.selectOptions(await screen.findByLabelText("Masters"), "7");
    await userEvent.selectOptions(screen.getByLabelText("Masters"), "5");
    await userEvent.click(screen.getByRole("button", { name: "Run again with seed 7" }));
    const post = seen.find(({ method }) => method === "POST");
    expect(post).toMatchObject({ path: "/lab/runs", body: { scenario: "crash-restart", seed: 7, n: 5 } });
  });

  it("keeps what to play in the URL", async () => {
    const { onUrlUpdate } = await openLab();
    await userEvent.click(await screen.findByRole("radio", { name: /One master/ }));
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).not.toContain("crash-restart");
    expect(screen.queryByLabelText("Masters")).toBeNull();
  });

  it("stops a run that is on, and has no verdict before its end", async () => {
    const { seen } = await openLab({ run: PLAYING });
    expect(await screen.findByText("The verdict comes at the end")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /Stop and end everything/ }));
    expect(seen.some(({ method, path }) => method === "DELETE" && path === "/lab/runs/r1")).toBe(true);
  });

  it("says why nothing can be started, and starts nothing", async () => {
    const reason = "This console is read-only: it starts no processes.";
    const { seen } = await openLab({ lab: { ...LAB, unavailableBecause: reason }, run: null });
    expect((await screen.findByRole("alert")).textContent).toBe(reason);
    await userEvent.click(screen.getByRole("button", { name: /^Run/ }));
    expect(seen.some(({ method }) => method === "POST")).toBe(false);
  });
});

describe("the stream", () => {
  it("adds to the record what happened, in the order in which it happened", async () => {
    const { stream } = await openLab({
      run: { ...PLAYING, events: RUN.events.filter(({ kind }) => kind !== "granted") },
    });
    const { events: _, ...status } = RUN;
    const late = RUN.events.filter(({ kind }) => kind === "granted");
    act(() => stream.send("more", { status, events: late }));
    await userEvent.click(await screen.findByRole("button", { name: "To the end" }));
    expect(linesOf(screen.getByRole("region", { name: "Record of the run" }))).toEqual(inWords(RUN.events));
  });

  it("says who drives, and lets another page stop the run only when it has taken over", async () => {
    const { seen, stream } = await openLab({ run: PLAYING });
    act(() => stream.send("audience", { viewers: 2, driver: "somebody-else" }));
    expect(screen.getByText("Another page drives. 2 pages watch.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /^Stop and end everything/ }));
    expect(seen.some(({ method }) => method === "DELETE")).toBe(false);
    await userEvent.click(screen.getByRole("button", { name: "Take over" }));
    const { viewer } = seen.find(({ path }) => path === "/lab/runs/r1/driver")?.body ?? {};
    act(() => stream.send("audience", { viewers: 2, driver: String(viewer) }));
    expect(screen.getByText("This page drives. 2 pages watch.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /^Stop and end everything/ }));
    expect(seen.some(({ method }) => method === "DELETE")).toBe(true);
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
    expect(lanes.overlaps).toEqual([{ fromMs: 500, untilMs: 4000, clients: ["A", "B"], resource: "lab:door" }]);
  });
});
