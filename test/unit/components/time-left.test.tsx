import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimeLeft } from "@/components/ui/time-left";
import { ticker } from "@/lib/client/ticker";
import { clearBrowser, show } from "../../support/browser-rig";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});

afterEach(async () => {
  ticker.freeze(false);
  await clearBrowser();
});

function pass(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

describe("a countdown", () => {
  it("runs from the remaining time and the moment it was read, with its unit", () => {
    show(<TimeLeft remainingMs={23_450} takenAt={performance.now()} />);
    expect(screen.getByRole("timer").textContent).toBe("23.4 s");
    pass(1500);
    expect(screen.getByRole("timer").textContent).toBe("21.9 s");
  });

  it("is not announced, and shows the full value on hover", () => {
    show(<TimeLeft remainingMs={23_450} takenAt={performance.now()} />);
    expect(screen.getByRole("timer").getAttribute("aria-live")).toBe("off");
    expect(screen.getByRole("timer").title).toContain("23,450 ms");
  });

  it("stands still while the data is stale, and goes on from the truth afterwards", () => {
    show(<TimeLeft remainingMs={20_000} takenAt={performance.now()} />);
    pass(1000);
    act(() => ticker.freeze(true));
    pass(5000);
    expect(screen.getByRole("timer").textContent).toBe("19.0 s");
    act(() => ticker.freeze(false));
    expect(screen.getByRole("timer").textContent).toBe("14.0 s");
  });

  it("does not run below zero, nor at all without an end or without a moment", () => {
    show(
      <>
        <TimeLeft remainingMs={500} takenAt={performance.now()} over="over" />
        <TimeLeft remainingMs={null} takenAt={0} />
        <TimeLeft remainingMs={9000} takenAt={null} />
      </>,
    );
    pass(4000);
    const texts = screen.getAllByRole("timer").map(({ textContent }) => textContent);
    expect(texts).toEqual(["over", "never by itself", "9.0 s"]);
  });

  it("costs nothing when no countdown is on the page", () => {
    const { unmount } = show(<TimeLeft remainingMs={500} takenAt={0} />);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
