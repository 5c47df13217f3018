import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { VerdictBadge } from "@/components/locks/verdict-badge";
import { VERDICT_LOOKS } from "@/components/locks/verdicts";
import { clearBrowser, show } from "../../support/browser-rig";
import { HELD_SPECS, lockView } from "../../support/view-fixtures";

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
