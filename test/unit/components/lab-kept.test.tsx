import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import type { LabRun, LabRunSummary } from "@/lib/contract";
import { clearBrowser } from "../../support/browser-rig";
import { LAB, openLab, RUN } from "../../support/lab-page";

afterEach(clearBrowser);

const NEWER = { ...RUN, id: "r2", scenario: "single-instance", seed: 3, n: 1, state: "met" } as const;
const lab = { ...LAB, runs: [NEWER, RUN].map(summaryOf) };

const open = (search: string) => openLab({ lab, run: NEWER, search });
const heading = () => screen.getByRole("heading", { level: 2, name: /masters, seed/ }).textContent;

describe("runs that are kept", () => {
  it("are listed, and one of them can be opened while a newer one is there", async () => {
    const { onUrlUpdate } = await open("?scenario=single-instance&seed=3");
    const link = await screen.findByRole("link", { name: "Crash and restart" });
    expect(link.getAttribute("href")).toBe("/lab?run=r1&scenario=crash-restart&seed=7&n=5");
    expect(heading()).toContain("One master");
    await userEvent.click(link);
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toContain("run=r1");
    await waitFor(() => expect(heading()).toBe("Crash and restart: 5 masters, seed 7"));
    expect(screen.getByText("Not as expected")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show the newest run" }));
    await waitFor(() => expect(heading()).toContain("One master"));
  });

  it("are opened by their address", async () => {
    await open("?scenario=crash-restart&seed=7&run=r1");
    await waitFor(() => expect(heading()).toContain("Crash and restart"));
    expect(screen.getByRole("link", { name: "Crash and restart" }).getAttribute("aria-current")).toBe("true");
  });

  it("are missed in words, with what can be done instead", async () => {
    const { seen } = await open("?scenario=crash-restart&seed=7&n=5&run=gone");
    expect((await screen.findByRole("alert")).textContent).toContain("no /lab/runs/gone");
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(seen.find(({ method }) => method === "POST")?.body).toMatchObject({
      scenario: "crash-restart",
      seed: 7,
      n: 5,
    });
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });
});

function summaryOf({ id, scenario, seed, n, crowd, state, tookMs }: LabRun): LabRunSummary {
  return { id, scenario, seed, n, crowd, state, tookMs };
}
