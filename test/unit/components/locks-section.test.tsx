import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LocksSection } from "@/components/locks/list/locks-section";
import { keys } from "@/lib/client/keys";
import { applyEvent } from "@/lib/client/live-provider";
import { type LockList, listQuery } from "@/lib/contract";
import { type Answer, clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, lockList, lockView, scanOf } from "../../support/view-fixtures";

afterEach(clearBrowser);

const held = lockView("held", HELD_SPECS, { resource: "orders:42" });
const token = ["1c77d0ab", 60_000] as const;
const risky = lockView("at_risk", [token, token, token, "-", "?"], { resource: "cron:nightly" });

function open(locks: () => Answer, searchParams = "") {
  stubApi({ "GET /cluster": () => [clusterOf()], "GET /locks": locks });
  show(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory>
      <LocksSection />
    </NuqsTestingAdapter>,
  );
}

function list(locks: LockList): () => Answer {
  return () => [locks];
}

describe("the list of locks", () => {
  it("is loading before the first answer", () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    show(
      <NuqsTestingAdapter>
        <LocksSection />
      </NuqsTestingAdapter>,
    );
    expect(screen.getByRole("status", { name: "Loading locks" })).toBeTruthy();
  });

  it("says what failed and what to do", async () => {
    open(() => [{ code: "internal", message: "The list broke.", requestId: "r-9" }, 500]);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The list broke.");
    expect(alert.textContent).toContain("r-9");
  });

  it("puts the worst first and counts the presets", async () => {
    open(list(lockList([held, risky])));
    const table = await screen.findByRole("table", { name: /^Locks/ });
    expect(
      within(table)
        .getAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(["cron:nightly", "orders:42"]);
    expect(screen.getByRole("button", { name: "problems 1" })).toBeTruthy();
    expect(screen.getByText("5 of 5 nodes read to the end")).toBeTruthy();
  });

  it("says when a node's word changed and not every lock is judged again yet", async () => {
    open(list(lockList([held], { scan: { ...scanOf(5), unjudged: 61_500 } })));
    expect(await screen.findByText("5 of 5 nodes read to the end · 61,500 locks to be looked at again")).toBeTruthy();
  });

  it("takes the filter from the URL, and shows the way out when nothing fits", async () => {
    open(list(lockList([held, risky])), "?q=orders:43");
    expect(await screen.findByText("No lock fits the filter")).toBeTruthy();
    expect(screen.getByRole("link", { name: /orders:43/ }).getAttribute("href")).toBe("/locks/orders%3A43");
    await userEvent.click(screen.getByRole("button", { name: "Clear the filter" }));
    expect(await screen.findByRole("link", { name: "orders:42" })).toBeTruthy();
  });

  it("says none only after every node was read", async () => {
    open(list(lockList([])));
    expect(await screen.findByText("No locks")).toBeTruthy();
  });

  it("does not take a partial scan for a whole one", async () => {
    open(list(lockList([], { scan: scanOf(3) })));
    expect(await screen.findByText("No lock found so far")).toBeTruthy();
    expect(screen.getByText(/e: connection refused/)).toBeTruthy();
  });

  it("says that nothing is known when no node could be read, and why", async () => {
    open(list(lockList([], { scan: scanOf(0) })));
    expect(await screen.findByText("No node could be read")).toBeTruthy();
    expect(screen.getByRole("link", { name: "See the nodes" })).toBeTruthy();
  });

  it("moves along the rows with j and k, puts the search under /, and sleeps while typing", async () => {
    open(list(lockList([held, risky])));
    await screen.findByRole("link", { name: "orders:42" });
    await userEvent.keyboard("j");
    expect(document.activeElement?.textContent).toBe("cron:nightly");
    await userEvent.keyboard("j");
    expect(document.activeElement?.textContent).toBe("orders:42");
    await userEvent.keyboard("k");
    expect(document.activeElement?.textContent).toBe("cron:nightly");
    await userEvent.keyboard("/");
    expect(document.activeElement).toBe(screen.getByLabelText("Search locks"));
    await userEvent.keyboard("j");
    expect(document.activeElement).toBe(screen.getByLabelText("Search locks"));
  });

  it("asks the server where the browser does not know all locks", async () => {
    open(list(lockList([held], { nextCursor: "more", total: 5000 })));
    expect(await screen.findByRole("link", { name: "orders:42" })).toBeTruthy();
    expect(screen.getByText(/5,000 of 1 locks fit/)).toBeTruthy();
  });

  it("shows the rows of another filter when they come, though the pointer is over the list and keeps rows in place", async () => {
    const part = lockList([held, risky], { nextCursor: "more", total: 9000 });
    stubApi({ "GET /cluster": () => [clusterOf()], "GET /locks": () => [part] });
    show(
      <NuqsTestingAdapter hasMemory>
        <LocksSection />
      </NuqsTestingAdapter>,
      "shared",
    );
    await userEvent.hover(await screen.findByRole("link", { name: "orders:42" }));
    await userEvent.click(screen.getByRole("button", { name: /^leftover/ }));
    expect(screen.getByRole("link", { name: "orders:42" })).toBeTruthy();
    const left = lockView("leftover", [token, "-", "-", "-", "-"], { resource: "left:1" });
    const { counts, noExpiry, problems, scan, readAt } = part;
    const page = { offset: 0, ids: [left.id], total: 1, counts, noExpiry, problems };
    const url = keys.eventsOf(`${listQuery({ q: "", preset: "leftover", sort: "verdict" })}&offset=0&limit=200`);
    act(() => applyEvent("snapshot", { cluster: clusterOf(), locks: [left], total: 9000, scan, readAt, page }, url));
    expect(await screen.findByRole("link", { name: "left:1" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "orders:42" })).toBeNull();
  });

  it("takes a link whose order is none for one without", async () => {
    open(list(lockList([held, risky])), "?sort=nonsense");
    await screen.findByRole("link", { name: "orders:42" });
    expect(screen.getByRole("columnheader", { name: "Verdict" }).getAttribute("aria-sort")).toBe("ascending");
  });
});
