import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LocksSection } from "@/components/locks/list/locks-section";
import { VerdictBadge } from "@/components/locks/verdict-badge";
import { VERDICT_LOOKS } from "@/components/locks/verdicts";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, lockList, lockView } from "../../support/view-fixtures";

afterEach(clearBrowser);

describe("the verdict badge", () => {
  it("shows the arithmetic on focus, silent nodes and margin included", async () => {
    const token = ["1c77d0ab", 60_000] as const;
    const value = lockView("at_risk", [token, token, token, "-", "?"]);
    show(<VerdictBadge lock={{ value, takenAt: null }} />);
    await userEvent.tab();
    const tooltip = await screen.findByRole("tooltip");
    expect(tooltip.textContent).toContain("m(T) = 3 of 5, quorum 3, margin 1, silent: e");
    expect(tooltip.textContent).toContain("somebody else can get in");
  });

  it("has a word and an icon for every verdict, never colour alone", () => {
    for (const { word, icon } of Object.values(VERDICT_LOOKS)) {
      expect(word).not.toBe("");
      expect(icon).toBeTruthy();
    }
    const { container } = show(<VerdictBadge lock={{ value: lockView("held", HELD_SPECS), takenAt: null }} />);
    expect(screen.getByRole("button").textContent).toBe("held");
    expect(container.querySelector("svg")).toBeTruthy();
  });
});

describe("the verdicts of a list", () => {
  const token = ["1c77d0ab", 60_000] as const;
  const risky = lockView("at_risk", [token, token, token, "-", "?"], { resource: "cron:nightly" });

  async function open() {
    stubApi({ "GET /cluster": () => [clusterOf()], "GET /locks": () => [lockList([risky])] });
    show(
      <NuqsTestingAdapter>
        <LocksSection />
      </NuqsTestingAdapter>,
    );
    return await screen.findByRole("button", { name: "at risk" });
  }

  it("share one tooltip, which opens under the pointer, stays while the pointer is on it, and goes with Escape", async () => {
    const badge = await open();
    await userEvent.hover(badge);
    const tooltip = await screen.findByRole("tooltip");
    expect(tooltip.textContent).toContain("m(T) = 3 of 5, quorum 3, margin 1, silent: e");
    expect(badge.getAttribute("aria-describedby")).toBe(tooltip.id);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fireEvent.pointerOut(badge, { relatedTarget: tooltip });
    act(() => vi.advanceTimersByTime(1000));
    expect(screen.queryByRole("tooltip")).toBe(tooltip);
    fireEvent.keyDown(document, { key: "Escape" });
    expect(screen.queryByRole("tooltip")).toBeNull();
    expect(badge.hasAttribute("aria-describedby")).toBe(false);
  });

  it("lose it soon after the pointer has left both", async () => {
    const badge = await open();
    await userEvent.hover(badge);
    await screen.findByRole("tooltip");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fireEvent.pointerOut(badge, { relatedTarget: document.body });
    act(() => vi.advanceTimersByTime(1000));
    expect(screen.queryByRole("tooltip")).toBeNull();
  });

  it("open it on focus at once, and close it when the focus or the pointer goes", async () => {
    const badge = await open();
    act(() => badge.focus());
    expect(screen.getByRole("tooltip").textContent).toContain("somebody else can get in");
    act(() => badge.blur());
    expect(screen.queryByRole("tooltip")).toBeNull();
    await userEvent.hover(badge);
    await screen.findByRole("tooltip");
    await userEvent.hover(screen.getByRole("link", { name: "cron:nightly" }));
    await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  });
});
