import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { DiscoverySection } from "@/components/discovery/discovery-section";
import type { DiscoveryAnswer } from "@/lib/contract";
import { type Answer, clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf } from "../../support/view-fixtures";

afterEach(clearBrowser);
// A generous bound for a busy machine: what must not happen is waiting for ever.
vi.setConfig({ testTimeout: 30_000 });

const LINE = 'REDLOCK_KEY_PATTERNS="orders:* jobs:*"';

const LOCKS: DiscoveryAnswer["groups"][number] = {
  pattern: "jobs:*",
  type: "string",
  keys: 12,
  expiring: 12,
  covered: 0,
  nodes: ["a", "b"],
  looksLikeLock: "probable",
  label: "node-redlock or compatible",
  why: ["12 of 12 look like node-redlock or compatible (probable)."],
  examples: ["jobs:1", "jobs:2", "jobs:3"],
};
const CACHE: DiscoveryAnswer["groups"][number] = {
  ...LOCKS,
  pattern: "session:*",
  looksLikeLock: "no",
  label: null,
  expiring: 7,
  why: ["Neither their names nor what is in them looks like a lock."],
  examples: ["session:1"],
};

function answerOf(over: Partial<DiscoveryAnswer> = {}): DiscoveryAnswer {
  return {
    readAt: 1_800_000_000_000,
    nodes: [
      { node: "a", sampled: 2000, of: 51_000, complete: false, reason: null },
      { node: "b", sampled: 12, of: 12, complete: true, reason: null },
      { node: "c", sampled: 0, of: null, complete: false, reason: "unreachable: connect ECONNREFUSED" },
    ],
    groups: [LOCKS, CACHE],
    moreGroups: 0,
    patterns: LINE,
    current: ["orders:*"],
    ...over,
  };
}

/** Opens the page and presses its button, once for each answer. */
async function sampled(...answers: readonly Answer[]) {
  let asked = 0;
  const seen = stubApi({
    "GET /cluster": () => [clusterOf()],
    "GET /discovery": () => answers[asked++] ?? ERROR,
  });
  show(<DiscoverySection />);
  for (const count of answers.map((_, index) => index + 1)) {
    await userEvent.click(await screen.findByRole("button", { name: /^Sample (the nodes|again)$/ }));
    await waitFor(() => expect(asked).toBe(count));
    await screen.findByRole("button", { name: /^Sample (the nodes|again)$/ });
  }
  return seen;
}

const ERROR: Answer = [{ code: "internal", message: "Something went wrong.", requestId: "r-1" }, 500];

it("samples nothing before it is asked to", async () => {
  const seen = await sampled();
  expect(screen.getByText("Nothing sampled yet")).toBeTruthy();
  expect(seen).toEqual([]);
});

it("says what looks like locks and why, the other groups too, and what is read now", async () => {
  await sampled([answerOf()]);
  const table = within(await screen.findByRole("table", { name: /look like locks/ }));
  const [, locks, cache] = table.getAllByRole("row").map(({ textContent }) => textContent);
  for (const text of ["jobs:*", "jobs:1, jobs:2, jobs:3", "12 keys", "nodes a, b", "Probably locks", "12 of 12 look"]) {
    expect(locks).toContain(text);
  }
  expect(locks).toMatch(/no$/);
  for (const text of ["session:*", "Not locks", "7 expiring", "Neither their names"]) expect(cache).toContain(text);
});

it("says of each node how much was looked at, and why a node gave nothing", async () => {
  await sampled([answerOf()]);
  const panel = within(await screen.findByRole("region", { name: "Nodes sampled" }));
  expect(panel.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "a: 2,000 of 51,000 keys",
    "b: 12 keys, all there are",
    "c: 0 keys · ended early: unreachable: connect ECONNREFUSED",
  ]);
});

it("copies the line to set", async () => {
  await sampled([answerOf()]);
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await userEvent.click(await screen.findByRole("button", { name: "Copy line" }));
  expect(writeText).toHaveBeenCalledWith(LINE);
  expect(screen.getByText(LINE)).toBeTruthy();
});

it("says that nothing has to be set when all that looks like locks is read already", async () => {
  await sampled([answerOf({ patterns: null, groups: [{ ...LOCKS, covered: 12 }, CACHE] })]);
  expect(await screen.findByText(/Nothing has to be set/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Copy line" })).toBeNull();
});

it("says what not to set when no pattern would tell locks from other keys", async () => {
  await sampled([answerOf({ patterns: null, groups: [{ ...LOCKS, pattern: "*" }] })]);
  expect(await screen.findByText(/leave REDLOCK_KEY_PATTERNS unset/)).toBeTruthy();
});

it("leaves out what is read now where no patterns are set, and says that every key is", async () => {
  await sampled([answerOf({ current: null, groups: [{ ...LOCKS, covered: 12 }] })]);
  expect(await screen.findByText(/reads every key/)).toBeTruthy();
  expect(screen.queryByRole("columnheader", { name: "Read now" })).toBeNull();
});

it("tells nodes without keys from nodes without an answer", async () => {
  const nodes = answerOf().nodes;
  await sampled([answerOf({ groups: [], nodes: nodes.slice(1) })], [answerOf({ groups: [], nodes: nodes.slice(2) })]);
  expect(await screen.findByText("No node could be sampled")).toBeTruthy();
  expect(screen.getByRole("link", { name: "See the nodes" })).toBeTruthy();
  await clearBrowser();
  await sampled([answerOf({ groups: [], nodes: nodes.slice(1) })]);
  expect(await screen.findByText("No keys")).toBeTruthy();
});

it("shows a failure with its next step, and keeps what was found before", async () => {
  await sampled([answerOf()], ERROR);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Something went wrong.");
  expect(alert.textContent).toContain("Try again");
  expect(screen.getByText("jobs:*")).toBeTruthy();
});

it("says that it is at work and when it is done, and takes no second order meanwhile", async () => {
  let settle = (_: Response): void => undefined;
  const fetched = vi.fn(() => new Promise<Response>((resolve) => (settle = resolve)));
  vi.stubGlobal("fetch", fetched);
  show(<DiscoverySection />);
  await userEvent.click(screen.getByRole("button", { name: "Sample the nodes" }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("Sampling"));
  const button = screen.getByRole("button", { name: /^Sample the nodes/ });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await userEvent.keyboard("{Enter}");
  await userEvent.click(button);
  expect(fetched).toHaveBeenCalledTimes(1);
  settle(new Response(JSON.stringify({ data: answerOf() })));
  expect(await screen.findByText("jobs:*")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("Sampled: 1 of 2 groups of keys look like locks.");
  // Who pressed it with the keyboard is still there.
  expect(document.activeElement?.textContent).toBe("Sample again");
});
