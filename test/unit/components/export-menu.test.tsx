import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ExportMenu } from "@/components/locks/list/export-menu";
import type { LockList, LockView } from "@/lib/contract";
import { clearBrowser, show } from "../../support/browser-rig";
import { HELD_SPECS, lockList, lockView } from "../../support/view-fixtures";

afterEach(clearBrowser);
afterEach(() => vi.restoreAllMocks());

const locks = ["orders:1", "orders:2", "stock:1"].map((resource) => lockView("held", HELD_SPECS, { resource }));

/** Answers the list and catches what would be saved. */
function stub(answer: (url: URL) => LockList) {
  const asked: URL[] = [];
  const saved: { name: string; text: Promise<string> }[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://console");
    asked.push(url);
    return new Response(JSON.stringify({ data: answer(url) }));
  });
  let text: Promise<string> = Promise.resolve("");
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    text = (blob as Blob).text();
    return "blob:saved";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text });
  });
  return { asked, saved };
}

async function save(format: "CSV" | "JSON", q = "", total = 3) {
  show(<ExportMenu q={q} preset="all" sort="resource" total={total} />);
  await waitFor(() => expect(screen.getByRole("button", { name: "Export" }).ariaDisabled).not.toBe("true"));
  await userEvent.click(screen.getByRole("button", { name: "Export" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: new RegExp(format) }));
}

function pageOf(page: readonly LockView[], nextCursor: string | null): LockList {
  return lockList(page, { nextCursor, total: 3 });
}

describe("exporting the list", () => {
  it("saves what fits the filter, from what the browser knows", async () => {
    const { asked, saved } = stub(() => lockList(locks));
    await save("CSV", "orders");
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toMatch(/^locks-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv$/);
    const lines = (await saved[0]?.text)?.trim().split("\r\n");
    expect(lines?.map((line) => line.split(",")[0])).toEqual(["resource", "orders:1", "orders:2"]);
    expect(asked).toHaveLength(1);
  });

  it("reads the list to its end, page by page, where the browser knows only a part", async () => {
    const { asked, saved } = stub((url) => {
      return url.searchParams.get("cursor") === "c/1" ? pageOf(locks.slice(2), null) : pageOf(locks.slice(0, 2), "c/1");
    });
    await save("JSON", "or st");
    await waitFor(() => expect(saved).toHaveLength(1));
    const { locks: rows, complete } = JSON.parse((await saved[0]?.text) ?? "");
    expect(rows.map(({ resource }: { resource: string }) => resource)).toEqual(["orders:1", "orders:2", "stock:1"]);
    expect(complete.wholeList).toBe(true);
    expect(asked.slice(1).map(({ searchParams }) => [searchParams.get("q"), searchParams.get("cursor")])).toEqual([
      ["or st", null],
      ["or st", "c/1"],
    ]);
  });

  it("has nothing to save where nothing fits", async () => {
    stub(() => lockList([]));
    show(<ExportMenu q="" preset="all" sort="verdict" total={0} />);
    await userEvent.click(screen.getByRole("button", { name: "Export (there is nothing to save)" }));
    expect(screen.queryByRole("menuitem")).toBeNull();
  });
});
