import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { KioskBar } from "@/components/layout/kiosk-bar";
import { OverviewSection } from "@/components/overview/overview-section";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, lockList } from "../../support/view-fixtures";

const path = vi.hoisted(() => ({ now: "/" }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => path.now }));

// A generous bound for a busy machine: what must not happen is waiting for ever.
vi.setConfig({ testTimeout: 30_000 });

afterEach(async () => {
  path.now = "/";
  await clearBrowser();
});

async function open(searchParams: string) {
  stubApi({
    "GET /cluster": () => [clusterOf({ environment: "production" })],
    "GET /locks": () => [lockList([])],
    "GET /audit": () => [{ entries: [] }],
  });
  show(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory>
      <KioskBar />
      <OverviewSection />
    </NuqsTestingAdapter>,
  );
  await screen.findByText("5 of 5 can vote");
  await screen.findByText(/Nothing needs you/);
}

function panels(): (string | null)[] {
  return screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
}

describe("the wallboard", () => {
  it("has the problems first and nothing that changes anything", async () => {
    await open("?kiosk=1");
    expect(panels()[0]).toBe("Problems first");
    expect(screen.queryByRole("button", { name: /demonstration/i })).toBeNull();
  });

  it("still says which environment it shows and whether that is live", async () => {
    await open("?kiosk=1");
    expect(screen.getByText("production")).toBeTruthy();
    expect(document.querySelector("[data-kiosk] [data-connection]")).not.toBeNull();
  });

  it("is left with Escape, but not with one that closed something on top of it", async () => {
    await open("?kiosk=1");
    const closed = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
    closed.preventDefault();
    act(() => void document.body.dispatchEvent(closed));
    expect(document.querySelector("[data-kiosk]")).not.toBeNull();
    await userEvent.keyboard("{Escape}");
    expect(document.querySelector("[data-kiosk]")).toBeNull();
    expect(panels()[0]).toBe("Quorum");
  });

  it("hides the pointer while it rests, and only then", async () => {
    await open("?kiosk=1");
    const isIdle = () => document.querySelector("[data-idle]") !== null;
    expect(isIdle()).toBe(false);
    await vi.waitFor(() => expect(isIdle()).toBe(true), { timeout: 10_000 });
    fireEvent.pointerMove(document.body);
    expect(isIdle()).toBe(false);
  });

  it("is a look of the overview only", async () => {
    path.now = "/locks";
    await open("?kiosk=1");
    expect(document.querySelector("[data-kiosk]")).toBeNull();
  });
});
