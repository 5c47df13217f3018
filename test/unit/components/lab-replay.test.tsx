import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { clearBrowser } from "../../support/browser-rig";
import { inWords, linesOf, openLab, RUN } from "../../support/lab-page";

afterEach(clearBrowser);

describe("the replay", () => {
  it("shows of every part only what had happened", async () => {
    await openLab();
    fireEvent.change(await screen.findByRole("slider", { name: "Moment of the record" }), { target: { value: "430" } });
    expect(linesOf(screen.getByRole("region", { name: "Record of the run" }))).toEqual(inWords(RUN.events.slice(0, 8)));
    expect(screen.getByRole("img", { name: /never two holders/ })).toBeTruthy();
    expect(screen.getByText("The verdict comes at the end")).toBeTruthy();
    expect(screen.getByText("The nodes say: 0 of 5 have its token, no majority.")).toBeTruthy();
  });

  it("steps from event to event, and past the last one to the end", async () => {
    await openLab();
    await userEvent.click(await screen.findByRole("button", { name: "To the beginning" }));
    const forward = screen.getByRole("button", { name: "Step forward" });
    const count = () => linesOf(screen.getByRole("region", { name: "Record of the run" })).length;
    await userEvent.click(forward);
    expect(count()).toBe(4);
    await userEvent.click(forward);
    expect(count()).toBe(6);
    await userEvent.click(screen.getByRole("button", { name: "Step back" }));
    expect(count()).toBe(4);
    for (let steps = 0; steps < 5; steps += 1) await userEvent.click(forward);
    expect(screen.getByText("Not as expected")).toBeTruthy();
  });

  it("plays to the end by itself", async () => {
    await openLab();
    await userEvent.click(await screen.findByRole("button", { name: "To the beginning" }));
    await userEvent.selectOptions(screen.getByLabelText("Speed"), "4");
    await userEvent.click(screen.getByRole("button", { name: "Play" }));
    expect(screen.getByText("The verdict comes at the end")).toBeTruthy();
    expect(await screen.findByText("Not as expected", {}, { timeout: 5000 })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Replay" })).toBeTruthy();
  });

  it("goes from one event to the next without motion where none is wanted", async () => {
    const still = { matches: true, addEventListener() {}, removeEventListener() {} };
    vi.stubGlobal("matchMedia", () => still);
    await openLab();
    const slider = await screen.findByRole<HTMLInputElement>("slider", { name: "Moment of the record" });
    fireEvent.change(slider, { target: { value: "510" } });
    await userEvent.click(screen.getByRole("button", { name: "Play" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Pause" })).toBeTruthy());
    expect(slider.value).toBe("501");
  });

  it("is large, without notes, and stepped with the arrow keys when it is presented", async () => {
    const { onUrlUpdate } = await openLab({ search: "?scenario=crash-restart&seed=7&present=1" });
    expect(await screen.findByRole("heading", { level: 1, name: "Can B be granted it?" })).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Record of the run" })).toBeNull();
    expect(screen.queryByLabelText("Seed")).toBeNull();
    expect(screen.getByText("Not as expected")).toBeTruthy();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(screen.getByText("The verdict comes at the end")).toBeTruthy();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}");
    expect(screen.getByText("Not as expected")).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).not.toContain("present");
  });
});

describe("a prediction", () => {
  const search = "?scenario=crash-restart&seed=7&predict=1";

  it("is asked right before it happens, and scored at the end by the record", async () => {
    await openLab({ search });
    const card = within(await screen.findByRole("region", { name: "Prediction" }));
    const log = screen.getByRole("region", { name: "Record of the run" });
    expect(linesOf(log)).toEqual(inWords(RUN.events.slice(0, 5)));
    expect(screen.queryByText("Not as expected")).toBeNull();
    await userEvent.click(card.getByRole("button", { name: "No" }));
    expect(screen.queryByRole("region", { name: "Prediction" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "To the end" }));
    const score = await screen.findByRole("region", { name: "Score" });
    expect(score.textContent).toContain("You foresaw 0 of 1");
    expect(score.textContent).toContain("Will B be granted it? Yes (you said: No)");
  });

  it("cannot be scrubbed past, but can be left open", async () => {
    await openLab({ search });
    await screen.findByRole("region", { name: "Prediction" });
    await userEvent.click(screen.getByRole("button", { name: "To the end" }));
    expect(screen.getByRole("region", { name: "Prediction" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show me" }));
    await userEvent.click(screen.getByRole("button", { name: "To the end" }));
    expect((await screen.findByRole("region", { name: "Score" })).textContent).toContain("(you did not say)");
  });
});

it("a fork says that it restarts the script, and plays it with another seed", async () => {
  const { seen, onUrlUpdate } = await openLab();
  expect(await screen.findByText(/A fork restarts the script from its first step/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Fork with another seed" }));
  expect(await screen.findByText(/Forked at 4.00 s of the run with seed 7/)).toBeTruthy();
  const { scenario, n, seed } = seen.find(({ method }) => method === "POST")?.body ?? {};
  expect({ scenario, n }).toEqual({ scenario: "crash-restart", n: 5 });
  expect(onUrlUpdate.mock.lastCall?.[0].queryString).toContain(`seed=${seed}`);
});
