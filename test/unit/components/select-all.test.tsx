import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LocksSection } from "@/components/locks/list/locks-section";
import type { LockList } from "@/lib/contract";
import { clearBrowser, show } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, lockList, lockView } from "../../support/view-fixtures";

afterEach(clearBrowser);

const many = Array.from({ length: 501 }, (_, index) =>
  lockView("held", HELD_SPECS, { resource: `orders:${String(index).padStart(3, "0")}` }),
);
const foreign = lockView("possibly_held", ["!", "!", "!", "!", "!"], { resource: "hash:1" });

/** @param answer to a request for the list @returns the queries of those requests */
function open(answer: (query: URLSearchParams) => LockList | Promise<LockList>) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://console");
    if (!url.pathname.endsWith("/locks")) return new Response(JSON.stringify({ data: clusterOf() }));
    asked.push(url.searchParams);
    return new Response(JSON.stringify({ data: await answer(url.searchParams) }));
  });
  show(
    <NuqsTestingAdapter hasMemory>
      <LocksSection />
    </NuqsTestingAdapter>,
  );
  return asked;
}

/** The first rows of a list of which the browser knows no more; asked for 500, the whole of it. */
function listOf(total: number, firstRows: number) {
  return (query: URLSearchParams) => {
    const rows = query.get("limit") === "500" ? Math.min(total, 500) : firstRows;
    return lockList(many.slice(0, rows), { total, nextCursor: rows < total ? "more" : null });
  };
}

// By label and text, not by role: to know the roles of forty rows takes jsdom the better part of a second.
const all = () => screen.findByLabelText<HTMLInputElement>("Select all that fit");
const clickAll = async () => userEvent.click(await all());

describe("selecting all of a list", { timeout: 20_000 }, () => {
  it("selects what fits and was never on screen too, and gives all of it up again", async () => {
    const asked = open(listOf(300, 20));
    await clickAll();
    await screen.findByText("300 selected");
    expect(screen.getByText(/280 not in view/)).toBeTruthy();
    expect(asked.at(-1)?.get("limit")).toBe("500");
    expect((await all()).checked).toBe(true);
    await clickAll();
    expect(screen.queryByText(/selected$/)).toBeNull();
  });

  it.each([
    ["the browser knows only a part", listOf(20_000, 20), "20,000"],
    ["the browser knows them all", () => lockList(many), "501"],
  ])(
    "selects nothing of more than one action takes, says how many fit, and offers the first 500: %s",
    async (_, answer, fitting) => {
      open(answer);
      await clickAll();
      await screen.findByText(new RegExp(`^${fitting} fit: not selected, one action takes at most 500`));
      expect(screen.queryByText(/^Force-expire…/)).toBeNull();
      expect((await all()).checked).toBe(false);
      await userEvent.click(screen.getByText("Select the first 500"));
      await screen.findByText("500 selected");
      expect(screen.queryByText(/not selected/)).toBeNull();
    },
  );

  it("says how many of those that fit cannot be selected", async () => {
    open(() => lockList([...many.slice(0, 3), foreign]));
    await clickAll();
    await screen.findByText("3 selected");
    expect(screen.getByText("1 more fit and cannot be selected: open them one by one")).toBeTruthy();
  });

  it("does not act on more than one action takes, whatever was selected one after another", async () => {
    open(() => lockList(many));
    await clickAll();
    await userEvent.click(await screen.findByText("Select the first 500"));
    await userEvent.click(await all());
    await userEvent.type(screen.getByLabelText("Search locks"), "orders:500");
    await waitFor(async () => expect((await all()).checked).toBe(false));
    await clickAll();
    await screen.findByText("501 selected");
    const act = screen.getByText(/^Force-expire…/);
    expect(act.textContent).toContain("one action takes at most 500 locks");
    expect(act.getAttribute("aria-disabled")).toBe("true");
  });

  it("selects nothing of a list that is no longer on screen", async () => {
    let answer: (list: LockList) => void = () => undefined;
    open((query) =>
      query.get("limit") === "500"
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : listOf(300, 20)(query),
    );
    await clickAll();
    await screen.findByText("Reading which locks fit…");
    await userEvent.click(screen.getByText(/^problems/));
    answer(lockList(many.slice(0, 300)));
    await userEvent.click(screen.getByLabelText("Select orders:001"));
    expect(screen.getByText(/selected$/).textContent).toBe("1 selected");
  });
});
