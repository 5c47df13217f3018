import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { IncidentsSection } from "@/components/incidents/incidents-section";
import { LockEvidence } from "@/components/locks/lock-evidence";
import { NextChance } from "@/components/locks/next-chance";
import { NodeMatrix } from "@/components/locks/node-matrix";
import { IncidentsPanel } from "@/components/overview/incidents-panel";
import { keys } from "@/lib/client/keys";
import { applyEvent } from "@/lib/client/live-provider";
import { received } from "@/lib/client/received";
import type { LockDetail } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, incidentOf, lockDetail, lockView } from "../../support/view-fixtures";

vi.setConfig({ testTimeout: 30_000 });
afterEach(clearBrowser);

const SINCE = 1_800_000_000_000;

function serve(...incidents: ReturnType<typeof incidentOf>[]): void {
  stubApi({
    "GET /cluster": () => [clusterOf()],
    "GET /incidents": () => [{ readAt: SINCE, since: SINCE, incidents }],
  });
}

describe("incidents", () => {
  it("say what would stand there when there is none", async () => {
    serve();
    show(<IncidentsSection />);
    await screen.findByText("No incident noticed");
    expect(screen.getByText(/restarted empty or was flushed/)).toBeTruthy();
  });

  it("are cards with both tokens, the overlap in words and as a picture, the cause and the next step", async () => {
    serve(incidentOf());
    show(<IncidentsSection />);
    const card = within(await screen.findByRole("article", { name: "orders:42" }));
    expect(card.getByText("restarted empty")).toBeTruthy();
    expect(card.getByRole("img", { name: "8f3a91c2 held until 26.0 s after 1c77d0ab got it" })).toBeTruthy();
    expect(card.getByText(/Node c restarted/)).toBeTruthy();
    expect(card.getByText(/Use a restart guard/)).toBeTruthy();
    expect(card.getByText("lost in a restart")).toBeTruthy();
    expect(card.getByRole("link", { name: "orders:42" }).getAttribute("href")).toBe("/locks/orders%3A42");
  });

  it("stand on the overview as soon as the stream tells of one, newest first, once", async () => {
    serve();
    show(<IncidentsPanel />, "shared");
    await screen.findByText(/None since/);
    act(() => applyEvent("incident", incidentOf(), keys.events));
    const other = incidentOf({ id: "2", lock: { id: "b", resource: "b" } });
    act(() => applyEvent("incident", other, keys.events));
    act(() => applyEvent("incident", other, keys.events));
    await screen.findByText("orders:42");
    expect(screen.getAllByRole("listitem").map((item) => within(item).getByRole("link").textContent)).toEqual([
      "b",
      "orders:42",
    ]);
  });
});

describe("a lock's page", () => {
  const showDetail = (over: Partial<LockDetail>) => {
    stubApi({ "GET /cluster": () => [clusterOf()] });
    const lock = received(lockDetail(lockView("held", HELD_SPECS), over));
    show(
      <>
        <LockEvidence lock={lock} />
        <NextChance lock={lock} />
        <NodeMatrix lock={lock} />
      </>,
    );
  };

  it("gives the reasons for stuck with their numbers, and what is usual for names like it", () => {
    const pattern = { name: "orders:*", holds: 40, holdMs: { p50: 900, p99: 4100 }, renewals: { p50: 1, p99: 2 } };
    const text = "Held more than 8.2 s: 99 % of the 40 holds of orders:* ended within 4.1 s.";
    showDetail({
      usual: { resource: null, pattern },
      evidence: [{ kind: "held_long", text, numbers: { heldMs: 9000 } }],
    });
    const reasons = within(screen.getByRole("list", { name: "What speaks for its being stuck" }));
    expect(reasons.getByRole("listitem").textContent).toBe(`held far longer than usual. ${text}`);
    expect(screen.getByText("0.9 s (half of 40), 4.1 s (99 %); half renewed once or more")).toBeTruthy();
  });

  it("says that nothing speaks for stuck", () => {
    showDetail({});
    expect(screen.getByText("Nothing speaks for its being stuck.")).toBeTruthy();
  });

  it("counts down to the next chance, and on a node that is barred for longer than its key lives", () => {
    const obstacles = [
      { node: "a", canAcquire: false, reason: "Quarantined: its marker is missing.", freeInMs: 45_000 },
    ];
    showDetail({ nextChance: { inMs: 20_400, text: "Now 0 of 5 nodes would grant it." }, obstacles });
    expect(screen.getByText(/An acquire could next succeed in/).textContent).toMatch(/in 20\.\d s\.$/);
    expect(screen.getByText(/Possible in/).textContent).toMatch(/Possible in 4[45]\.\d s\.$/);
  });

  it("says that an acquire would not succeed by itself, and why", () => {
    showDetail({ nextChance: { inMs: null, text: "a, b, c of 5 nodes have a reason." } });
    expect(screen.getByText("An acquire would not succeed by itself.")).toBeTruthy();
    expect(screen.getByText("a, b, c of 5 nodes have a reason.")).toBeTruthy();
  });
});
