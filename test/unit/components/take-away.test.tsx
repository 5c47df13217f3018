import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import type { TakeAwayVerb } from "@/components/locks/take-away";
import { TakeAwayDialog } from "@/components/locks/take-away-dialog";
import type { ForceExpireAnswer } from "@/lib/contract";
import { type Answer, clearBrowser, type SeenRequest, show, stubApi } from "../../support/browser-rig";
import { clusterOf, lockDetail, lockView, NODE_IDS, scanOf } from "../../support/view-fixtures";

afterEach(clearBrowser);

const token = ["1c77d0ab", 15_600] as const;
const detail = lockDetail(lockView("at_risk", [token, token, token, "-", "?"]));
const path = `/locks/${detail.id}`;

function answerTo({ body }: SeenRequest, over: Partial<ForceExpireAnswer> = {}): Answer {
  const results = ["deleted", "deleted", "deleted", "gone", "unreachable"] as const;
  const nodes = NODE_IDS.map((node, index) => ({
    node,
    result: results[index] ?? "gone",
    remainingMs: index < 3 ? 15_600 : null,
    reason: index === 4 ? "connection refused" : null,
  }));
  return [{ outcome: "expired", dryRun: body.dryRun, oldHolderMayActForMs: 15_600, freeFromMs: 0, nodes, ...over }];
}

function Dialog({ first = "force-expire" }: { readonly first?: TakeAwayVerb }) {
  const [verb, setVerb] = useState<TakeAwayVerb | null>(first);
  return <TakeAwayDialog lock={{ value: detail, takenAt: null }} verb={verb} onVerb={setVerb} />;
}

function stub(forceExpire: (request: SeenRequest) => Answer, environment: string | null = null) {
  return stubApi({
    "GET /cluster": () => [clusterOf({ environment })],
    "GET /locks": () => [{ readAt: 1, locks: [], total: 0, counts: {}, nextCursor: null, scan: scanOf(5) }],
    [`GET ${path}`]: () => [detail],
    [`POST ${path}/force-expire`]: forceExpire,
    [`POST ${path}/revoke`]: (request) => answerTo(request),
  });
}

describe("force-expire", () => {
  it("runs dry on opening and says what will happen on every node, and until when the old holder may act", async () => {
    const seen = stub((request) => answerTo(request));
    show(<Dialog />);
    const table = await screen.findByRole("table", { name: /what will happen on every node/i });
    expect(within(table).getAllByText("key will be deleted")).toHaveLength(3);
    expect(within(table).getByText("has no key: nothing to do")).toBeTruthy();
    expect(within(table).getByText("connection refused")).toBeTruthy();
    expect(screen.getByText(/old holder may still act/i).textContent).toMatch(/15\.\d s/);
    expect(seen.filter(({ method }) => method === "POST").map(({ body }) => body.dryRun)).toEqual([true]);
  });

  it("offers the safer ways first", async () => {
    stub((request) => answerTo(request));
    show(<Dialog />);
    const choices = within(await screen.findByRole("list", { name: "Safer choices" }));
    expect(choices.getAllByRole("listitem").map(({ textContent }) => textContent?.slice(0, 13))).toEqual([
      "Safest: wait.",
      "Safer: revoke",
    ]);
    await userEvent.click(choices.getByRole("button", { name: "Revoke instead" }));
    expect(await screen.findByRole("heading", { name: /^Revoke/ })).toBeTruthy();
  });

  it("does nothing without a reason, then acts on the token that was seen and shows every node's result", async () => {
    const seen = stub((request) => answerTo(request));
    show(<Dialog />);
    const button = await screen.findByRole("button", { name: /^Force-expire/ });
    await userEvent.click(button);
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(1);
    await userEvent.type(screen.getByLabelText("Reason"), "worker crashed");
    await userEvent.click(screen.getByRole("button", { name: "Force-expire" }));
    const table = await screen.findByRole("table", { name: /what happened on every node/i });
    expect(within(table).getAllByText("key deleted")).toHaveLength(3);
    expect(screen.getByText(/e could not be reached/)).toBeTruthy();
    expect(seen.filter(({ method }) => method === "POST").at(-1)?.body).toEqual({
      fingerprint: "1c77d0ab",
      reason: "worker crashed",
      dryRun: false,
    });
  });

  it("says that the lock changed hands, and looks at it again on request", async () => {
    let looks = 0;
    const changed: Answer = [{ code: "lock_changed", message: "changed", requestId: "r-1" }, 409];
    const seen = stub((request) => {
      if (request.body.dryRun !== true) return changed;
      looks += 1;
      return answerTo(request);
    });
    show(<Dialog />);
    await userEvent.type(await screen.findByLabelText("Reason"), "worker crashed");
    await userEvent.click(screen.getByRole("button", { name: "Force-expire" }));
    expect((await screen.findByRole("alert")).textContent).toContain("The lock changed hands since you looked");
    await userEvent.click(screen.getByRole("button", { name: "Look at it as it is now" }));
    await screen.findByLabelText("Reason");
    expect(looks).toBe(2);
    expect(seen.filter(({ body }) => body.dryRun === false)).toHaveLength(1);
  });

  it("names the reason where the layout must not be released from outside, and offers no second try", async () => {
    stub(() => [{ code: "layout_refused", message: "Redisson wakes its waiters itself.", requestId: "r" }, 409]);
    show(<Dialog />);
    expect((await screen.findByRole("alert")).textContent).toContain("Redisson wakes its waiters itself.");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("asks for the resource's name in production", async () => {
    stub((request) => answerTo(request), "production");
    show(<Dialog />);
    await userEvent.type(await screen.findByLabelText("Reason"), "worker crashed");
    const typed = await screen.findByLabelText(/to confirm/);
    expect(screen.getByRole("button", { name: /^Force-expire/ }).getAttribute("aria-disabled")).toBe("true");
    await userEvent.type(typed, "orders:42");
    await waitFor(() =>
      expect(screen.getByRole("button", { name: /^Force-expire/ }).getAttribute("aria-disabled")).toBeNull(),
    );
  });
});
