import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { AcquireDialog } from "@/components/locks/acquire-dialog";
import { HeldTray } from "@/components/locks/held-tray";
import { heldLocks } from "@/lib/client";
import type { AcquireAnswer } from "@/lib/contract";
import { type Answer, clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, lockList } from "../../support/view-fixtures";

afterEach(async () => {
  for (const { token } of heldLocks.get()) heldLocks.forget(token);
  await clearBrowser();
});

const REFUSED: AcquireAnswer = {
  outcome: "not_acquired",
  lock: null,
  attempts: 3,
  reason: "Somebody else holds it on a majority.",
  votes: [
    { node: "a", vote: "granted", roundTripMs: 0.6 },
    { node: "b", vote: "refused", roundTripMs: 0.5, holder: "1c77d0ab", remainingMs: 15_200 },
    { node: "c", vote: "timeout", roundTripMs: null },
    { node: "d", vote: "quarantined", roundTripMs: 0.7, reason: "restarted 7 s ago" },
    { node: "e", vote: "unreachable", roundTripMs: null, reason: "connection refused" },
  ],
};

const TOKEN = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";

const WON: AcquireAnswer = {
  outcome: "acquired",
  lock: {
    id: "orders%3A42",
    resources: ["orders:42"],
    token: TOKEN,
    fingerprint: "ab12cd34",
    validityMs: 29_650,
    keepAlive: false,
    fencingToken: null,
  },
  attempts: 1,
  reason: null,
  votes: ["a", "b", "c", "d", "e"].map((node) => ({ node, vote: "granted", roundTripMs: 0.5 })),
};

function open(answer: Answer) {
  const seen = stubApi({
    "GET /cluster": () => [clusterOf()],
    "GET /locks": () => [lockList([])],
    "POST /locks": () => answer,
    "POST /locks/orders%3A42/release": () => [{ outcome: "released", votes: [] }],
  });
  show(
    <>
      <AcquireDialog isOpen onOpenChange={() => undefined} resource="orders:42" />
      <HeldTray />
    </>,
  );
  return seen;
}

describe("acquire by hand", () => {
  it("shows every node's vote after a refusal, and who is in the way for how long", async () => {
    open([REFUSED]);
    await userEvent.click(screen.getByRole("button", { name: "Acquire" }));
    const table = within(await screen.findByRole("table", { name: "The vote of every node" }));
    const rows = table.getAllByRole("row").map(({ textContent }) => textContent);
    expect(rows).toEqual([
      "NodeVoteWhyRound trip",
      "agranted0.6 ms",
      "brefusedheld by 1c77d0ab for 15.2 s more0.5 ms",
      "ctimeoutno answer in time; a release follows, in case the request arrived–",
      "dquarantinedrestarted 7 s ago0.7 ms",
      "eunreachableconnection refused–",
    ]);
    expect(screen.getByText(/Not acquired after 3 attempts/)).toBeTruthy();
    expect(heldLocks.get()).toEqual([]);
  });

  it("keeps what was typed for another try", async () => {
    open([REFUSED]);
    await userEvent.clear(screen.getByLabelText("Time to live"));
    await userEvent.type(screen.getByLabelText("Time to live"), "5m");
    await userEvent.click(screen.getByRole("button", { name: "Acquire" }));
    await userEvent.click(await screen.findByRole("button", { name: "Change and try again" }));
    expect((screen.getByLabelText("Time to live") as HTMLInputElement).value).toBe("5m");
  });

  it("asks nothing of the nodes while the input is wrong, and says why", async () => {
    const seen = open([WON]);
    await userEvent.clear(screen.getByLabelText("Time to live"));
    await userEvent.type(screen.getByLabelText("Time to live"), "30");
    await userEvent.click(screen.getByRole("button", { name: "Acquire" }));
    expect(await screen.findByText(/A time with its unit/)).toBeTruthy();
    expect(seen.some(({ method }) => method === "POST")).toBe(false);
  });

  it("shows the token once, counts down, and warns before the page is left", async () => {
    open([WON]);
    await userEvent.click(screen.getByRole("button", { name: "Acquire" }));
    expect(await screen.findByText(TOKEN)).toBeTruthy();
    const tray = within(screen.getByRole("region", { name: "Held here", hidden: true }));
    expect(tray.getByRole("timer", { hidden: true }).textContent).toMatch(/^29\.\d s$/);
    expect(tray.queryByText(TOKEN)).toBeNull();
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
  });

  it("asks for a fencing token only when told to, and shows it to be copied", async () => {
    const fenced = WON.lock === null ? WON : { ...WON, lock: { ...WON.lock, fencingToken: 894_000_000_000_123 } };
    const seen = open([fenced]);
    await userEvent.click(screen.getByLabelText(/^Fencing token/));
    await userEvent.click(screen.getByRole("button", { name: "Acquire" }));
    expect(await screen.findByText("894000000000123")).toBeTruthy();
    expect(screen.getByRole("button", { name: /Copy fencing token/ })).toBeTruthy();
    expect(seen.find(({ path }) => path === "/locks")?.body).toMatchObject({ fencing: true });
  });

  it("releases from the dialog, and warns no more", async () => {
    const seen = open([WON]);
    await userEvent.click(screen.getByRole("button", { name: "Acquire" }));
    await userEvent.click(await screen.findByRole("button", { name: "Release" }));
    expect(await screen.findByText("You no longer hold it.")).toBeTruthy();
    expect(seen.find(({ path }) => path.endsWith("/release"))?.body).toMatchObject({ token: TOKEN });
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(false);
  });
});
