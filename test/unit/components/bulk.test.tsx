import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BulkDialog } from "@/components/locks/bulk-dialog";
import { confirmationFor } from "@/components/locks/bulk-words";
import { LocksSection } from "@/components/locks/list/locks-section";
import type { LockView } from "@/lib/contract";
import { type Answer, clearBrowser, type SeenRequest, show, stubApi } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, lockDetail, lockList, lockView, NODE_IDS } from "../../support/view-fixtures";

afterEach(clearBrowser);

const orders = ["orders:1", "orders:2", "orders:3"].map((resource) => lockView("held", HELD_SPECS, { resource }));
const two = [["1c77d0ab", 9000], ["1c77d0ab", 9000], ["0f0f0f0f", 9000], ["0f0f0f0f", 9000], "-"] as const;
const split = lockView("split", two, { resource: "split:1" });
const foreign = lockView("possibly_held", ["!", "!", "!", "!", "!"], { resource: "hash:1" });

type Ending = "expired" | "lock_changed" | "layout_refused";

function answerTo({ body }: SeenRequest, endings: Readonly<Record<string, Ending>>): Answer {
  const items = (body.items as { resource: string }[]).map(({ resource }) => {
    const ending = endings[resource] ?? "expired";
    if (ending !== "expired") return { resource, answer: null, error: { code: ending, message: `because ${ending}` } };
    const nodes = NODE_IDS.map((node) => ({ node, result: "deleted", remainingMs: 20_000, reason: null }));
    const answer = { outcome: "expired", dryRun: body.dryRun, oldHolderMayActForMs: 20_000, freeFromMs: 0, nodes };
    return { resource, answer, error: null };
  });
  return [{ items }];
}

interface World {
  readonly locks?: readonly LockView[];
  readonly environment?: string;
  readonly dry?: Readonly<Record<string, Ending>>;
  readonly real?: Readonly<Record<string, Ending>>;
}

function open({ locks = orders, environment, dry = {}, real = {} }: World = {}) {
  const seen = stubApi({
    "GET /cluster": () => [clusterOf({ environment: environment ?? null })],
    "GET /locks": () => [lockList(locks)],
    "POST /locks/bulk/force-expire": (request) => answerTo(request, request.body.dryRun === true ? dry : real),
    "GET /locks/orders%3A2": () => [lockDetail(orders[1])],
  });
  show(
    <NuqsTestingAdapter hasMemory>
      <LocksSection />
    </NuqsTestingAdapter>,
  );
  return () => seen.filter(({ method }) => method === "POST");
}

async function box(name: string | RegExp): Promise<HTMLInputElement> {
  return screen.findByRole<HTMLInputElement>("checkbox", { name });
}

async function choose(...resources: string[]) {
  for (const resource of resources) await userEvent.click(await box(`Select ${resource}`));
  await userEvent.click(screen.getByRole("button", { name: "Force-expire…" }));
  return within(await screen.findByRole("dialog"));
}

describe("selecting locks", () => {
  it("counts what is selected, one by one and all at once, and forgets it on request", async () => {
    open();
    await userEvent.click(await box("Select orders:1"));
    expect(screen.getByText("1 selected")).toBeTruthy();
    const all = await box("Select all that fit");
    expect(all.indeterminate).toBe(true);
    await userEvent.click(all);
    expect(screen.getByText("3 selected")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect((await box("Select orders:1")).checked).toBe(false);
    expect(screen.queryByRole("button", { name: "Force-expire…" })).toBeNull();
  });

  it("toggles the focused row with x, not while somebody types, and goes on with j from a box", async () => {
    open();
    await box("Select orders:1");
    await userEvent.keyboard("jx");
    expect((await box("Select orders:1")).checked).toBe(true);
    await userEvent.keyboard("x");
    expect((await box("Select orders:1")).checked).toBe(false);
    (await box("Select orders:1")).focus();
    await userEvent.keyboard("xj");
    expect((await box("Select orders:1")).checked).toBe(true);
    expect(document.activeElement?.textContent).toBe("orders:2");
    await userEvent.keyboard("/x");
    expect(await screen.findByText("No lock fits the filter")).toBeTruthy();
    expect(screen.getByText("1 selected")).toBeTruthy();
  });

  it("leaves out what has no single token to compare with, and says why", async () => {
    open({ locks: [...orders, split, foreign] });
    const several = await box(/^Select split:1 \(not possible: several tokens/);
    await userEvent.click(several);
    expect(several.checked).toBe(false);
    expect(several.getAttribute("aria-disabled")).toBe("true");
    await box(/^Select hash:1 \(not possible: its key is of another kind/);
    await userEvent.click(await box("Select all that fit"));
    expect(screen.getByText("3 selected")).toBeTruthy();
  });

  it("keeps what a filter hides, and says so", async () => {
    open();
    await userEvent.click(await box("Select all that fit"));
    await userEvent.type(screen.getByLabelText("Search locks"), "orders:1");
    expect(await screen.findByText(/2 not in view/)).toBeTruthy();
  });

  it("has its boxes on the cards of a narrow screen too", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    open();
    await userEvent.click(await box("Select all that fit"));
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.getByText("3 selected")).toBeTruthy();
  });
});

describe("force-expiring a selection", () => {
  it("runs dry first, asks for count and reason, and acts on the tokens that were selected", async () => {
    const posts = open();
    const dialog = await choose("orders:1", "orders:2");
    await dialog.findByText("All 2 can be expired.");
    expect(dialog.getAllByText("key deleted on 5 nodes")).toHaveLength(2);
    expect(dialog.getByText(/Old holders may still act/).textContent).toMatch(/at most (20\.0|1\d\.\d) s/);
    const button = dialog.getByRole("button", { name: /^Force-expire 2/ });
    await userEvent.type(dialog.getByLabelText("Reason"), "worker crashed");
    await userEvent.click(button);
    expect(posts()).toHaveLength(1);
    await userEvent.type(dialog.getByLabelText(/to confirm/), "2");
    await userEvent.click(button);
    await dialog.findByText("2 expired");
    expect(posts().map(({ body }) => body)).toEqual([
      expect.objectContaining({ dryRun: true }),
      {
        items: ["orders:1", "orders:2"].map((resource) => ({ resource, fingerprint: "8f3a91c2" })),
        reason: "worker crashed",
        dryRun: false,
      },
    ]);
    await userEvent.click(dialog.getByRole("button", { name: "Done" }));
    expect(screen.queryByText(/selected/)).toBeNull();
  });

  it("reports what changed after the dry run as changed", async () => {
    open({ real: { "orders:2": "lock_changed" } });
    const dialog = await choose("orders:1", "orders:2");
    await userEvent.type(await dialog.findByLabelText("Reason"), "worker crashed");
    await userEvent.type(dialog.getByLabelText(/to confirm/), "2");
    await userEvent.click(dialog.getByRole("button", { name: "Force-expire 2" }));
    await dialog.findByText("1 expired · 1 changed meanwhile");
    expect(dialog.getByRole("row", { name: /orders:2/ }).textContent).toContain("changed meanwhile");
  });

  it("leaves alone what the dry run rules out, and counts only the rest", async () => {
    const posts = open({ dry: { "orders:2": "lock_changed", "orders:3": "layout_refused" } });
    const dialog = await choose("orders:1", "orders:2", "orders:3");
    await dialog.findByText("1 of 3 can be expired;");
    expect(dialog.getByRole("row", { name: /orders:3/ }).textContent).toContain("because layout_refused");
    expect(dialog.queryByLabelText(/to confirm/)).toBeNull();
    await userEvent.type(dialog.getByLabelText("Reason"), "worker crashed");
    await userEvent.click(dialog.getByRole("button", { name: "Force-expire 1" }));
    await dialog.findByText("1 expired · 1 changed meanwhile · 1 refused");
    expect(posts().at(-1)?.body.items).toEqual([{ resource: "orders:1", fingerprint: "8f3a91c2" }]);
  });

  it("asks for the cluster's name in production", async () => {
    open({ environment: "production" });
    const dialog = await choose("orders:1", "orders:2");
    await userEvent.type(await dialog.findByLabelText("Reason"), "worker crashed");
    await userEvent.type(dialog.getByLabelText(/^Type production/), "2");
    expect(dialog.getByRole("button", { name: /^Force-expire 2/ }).getAttribute("aria-disabled")).toBe("true");
    await userEvent.clear(dialog.getByLabelText(/^Type production/));
    await userEvent.type(dialog.getByLabelText(/^Type production/), "production");
    await waitFor(() =>
      expect(dialog.getByRole("button", { name: /^Force-expire 2/ }).getAttribute("aria-disabled")).toBeNull(),
    );
  });

  it.each([
    [1, null, null],
    [2, null, "2"],
    [100, "staging", "100"],
    [101, "staging", "staging"],
    [101, null, "force-expire"],
    [1, "production", "production"],
  ])("grows its friction with reach: %i locks in %s", (count, environment, expected) => {
    expect(confirmationFor(count, environment)).toBe(expected);
  });

  it("shows how far it is, stops on request, and says what was not begun", async () => {
    open({ locks: [] });
    const items = Array.from({ length: 21 }, (_, at) => ({ id: `${at}`, resource: `${at}`, fingerprint: "8f3a91c2" }));
    const plain = globalThis.fetch;
    let answer: (() => void) | undefined;
    vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
      const isReal = typeof init.body === "string" && init.body.includes('"dryRun":false');
      if (isReal) {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      return plain(input, init);
    });
    const onDone = vi.fn();
    show(<BulkDialog items={items} onDone={onDone} onLookAgain={vi.fn()} onClose={vi.fn()} />);
    await userEvent.type(await screen.findByLabelText("Reason"), "why");
    await userEvent.type(screen.getByLabelText(/to confirm/), "21");
    await userEvent.click(screen.getByRole("button", { name: "Force-expire 21" }));
    expect((await screen.findByRole<HTMLProgressElement>("progressbar")).max).toBe(21);
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    answer?.();
    expect(await screen.findByText("20 expired · 1 not begun")).toBeTruthy();
    // The one that was not begun stays selected.
    expect(onDone).toHaveBeenCalledExactlyOnceWith(items.slice(0, 20).map(({ id }) => id));
  });
});
