import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeOverlay } from "@/components/layout/overlay";
import { OverlayKeys, Overlays } from "@/components/layout/overlays";
import { PaletteButton } from "@/components/layout/palette-button";
import type { Cluster } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, lockList, lockView } from "../../support/view-fixtures";

const router = vi.hoisted(() => ({ push: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => router, usePathname: () => "/" }));

const NAMES = ["orders:42", "cron:orders", "orders:4", "mail"];

// A generous bound for a busy machine: what must not happen is waiting for ever.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(() => {
  // happy-dom lays nothing out and has neither of the two.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(async () => {
  closeOverlay();
  router.push.mockReset();
  await clearBrowser();
});

async function open(query = "", cluster: Cluster = clusterOf()) {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  const seen = stubApi({
    "GET /cluster": () => [cluster],
    "GET /locks": () => [lockList(NAMES.map((resource) => lockView("held", HELD_SPECS, { resource })))],
    "POST /demonstration": () => [{}],
  });
  show(
    <NuqsTestingAdapter onUrlUpdate={onUrlUpdate} hasMemory>
      <PaletteButton />
      <input aria-label="elsewhere" />
      <OverlayKeys />
      <Overlays />
    </NuqsTestingAdapter>,
  );
  screen.getByRole("button", { name: /^Command palette/ }).focus();
  await userEvent.keyboard("{Control>}k{/Control}");
  const input = await screen.findByRole("combobox");
  await screen.findByRole("option", { name: /^Node a/ });
  if (query !== "") await userEvent.type(input, query);
  return { seen, onUrlUpdate };
}

function options(group?: string): string[] {
  const scope = group === undefined ? screen : within(screen.getByRole("group", { name: group }));
  return scope.getAllByRole("option").map(({ textContent }) => textContent ?? "");
}

describe("the command palette", () => {
  it("opens on Ctrl K also while somebody types, and a second time closes", async () => {
    await open();
    await userEvent.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(screen.getByLabelText("elsewhere"));
    await userEvent.keyboard("{Meta>}k{/Meta}");
    expect(await screen.findByRole("dialog", { name: "Command palette" })).toBeTruthy();
  });

  it("does not open on top of another dialog", async () => {
    await open();
    await userEvent.keyboard("{Escape}");
    await userEvent.keyboard("?");
    await screen.findByRole("dialog", { name: "Help" });
    await userEvent.keyboard("{Control>}k{/Control}");
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it("offers pages, actions and nodes before anything is typed", async () => {
    await open();
    expect(options("Pages")).toEqual(["Overview", "Locks", "Nodes", "Incidents", "Discovery", "Lab"]);
    expect(options("Nodes")).toHaveLength(5);
    expect(options("Actions")).toEqual(expect.arrayContaining(["Acquire a lock…", "Dark theme", "Show times in UTC"]));
  });

  it("finds locks by name, the exact one first", async () => {
    await open("orders:4");
    await waitFor(() => expect(options("Locks")).toEqual(["orders:4held", "orders:42held"]));
    expect(screen.getAllByRole("option")[0]?.getAttribute("aria-selected")).toBe("true");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(router.push).toHaveBeenCalledWith("/locks/orders%3A4"));
  });

  it("leads to the page of an exact name that nobody holds", async () => {
    await open("never:seen");
    expect(screen.queryByRole("group", { name: "Locks" })).toBeNull();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(router.push).toHaveBeenCalledWith("/locks/never%3Aseen"));
  });

  it("leads to a node", async () => {
    await open("node c");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(router.push).toHaveBeenCalledWith("/nodes#node-c"));
  });

  it("changes no lock at once: acquiring asks in its own dialog, filled in with the name", async () => {
    const { seen } = await open("never:seen");
    await userEvent.click(screen.getByRole("option", { name: /^Acquire “never:seen”/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Acquire a lock" }));
    expect(dialog.getByDisplayValue("never:seen")).toBeTruthy();
    expect(seen.some(({ method }) => method !== "GET")).toBe(false);
  });

  it("gives the focus back to where it was, also after a dialog it opened", async () => {
    await open("help");
    await userEvent.keyboard("{Enter}");
    await screen.findByRole("dialog", { name: "Help" });
    await userEvent.keyboard("{Escape}");
    const button = screen.getByRole("button", { name: /^Command palette/ });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("starts the demonstration", async () => {
    const { seen } = await open("start demo");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(seen.find(({ method }) => method === "POST")?.body).toEqual({ running: true }));
  });

  it("says why an action is not possible on a read-only console", async () => {
    const { seen } = await open("start demo", clusterOf({ readOnly: true }));
    const option = screen.getByRole("option", { name: /Start demonstration clients.*read-only/ });
    expect(option.getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(option);
    expect(seen.some(({ method }) => method === "POST")).toBe(false);
  });

  it("enters the wallboard through the URL", async () => {
    const { onUrlUpdate } = await open("kiosk");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(onUrlUpdate.mock.lastCall?.[0].searchParams.get("kiosk")).toBe("1"));
  });
});
