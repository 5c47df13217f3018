import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it } from "vitest";
import { NodesSection } from "@/components/nodes/nodes-section";
import { QuorumPanel } from "@/components/overview/quorum-panel";
import type { Cluster } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterNode, clusterOf, NODE_IDS } from "../../support/view-fixtures";

afterEach(clearBrowser);

const REASON = "its marker is missing (first use, started empty, or flushed), so it may have forgotten votes";
const QUARANTINED = { condition: "quarantined", quarantinedForMs: 23_000, quarantineReason: REASON } as const;

function withQuarantine(over: Partial<Cluster> = {}): Cluster {
  const nodes = NODE_IDS.map((id) => clusterNode(id, id === "e" ? QUARANTINED : {}));
  return clusterOf({ voting: 4, canLose: 1, nodes, ...over });
}

async function open(cluster: Cluster, bootstrapped: object) {
  const seen = stubApi({
    "GET /cluster": () => [cluster],
    "POST /cluster/bootstrap": () => [bootstrapped],
  });
  show(
    <NuqsTestingAdapter hasMemory>
      <NodesSection />
    </NuqsTestingAdapter>,
  );
  await screen.findByRole("article", { name: "Node e" });
  return seen;
}

describe("a quarantine", () => {
  it("is told on the overview with its countdown and its reason", () => {
    show(<QuorumPanel cluster={{ value: withQuarantine(), takenAt: performance.now() }} />);
    expect(screen.getByText(/e is quarantined/).textContent).toMatch(
      /e is quarantined, 2[23](\.\d)? s left: its marker/,
    );
  });

  it("can be ended by an operator who gives a reason and types that no lock is held", async () => {
    const seen = await open(withQuarantine(), { nodes: [{ node: "e", admitted: true, reason: null }] });
    expect(screen.getByText(/1 of 5 nodes is kept out/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Bootstrap…" }));
    const dialog = within(await screen.findByRole("dialog"));
    const button = dialog.getByRole("button", { name: /^Bootstrap/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await userEvent.type(dialog.getByLabelText("Reason"), "fresh masters");
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await userEvent.type(dialog.getByLabelText(/to confirm/), "no lock is held");
    await userEvent.click(button);
    expect(seen.find(({ method }) => method === "POST")).toMatchObject({
      path: "/cluster/bootstrap",
      body: { reason: "fresh masters" },
    });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("stays in the dialog when a node could not be told", async () => {
    await open(withQuarantine(), { nodes: [{ node: "e", admitted: false, reason: "did not answer in time" }] });
    await userEvent.click(screen.getByRole("button", { name: "Bootstrap…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getByLabelText("Reason"), "fresh masters");
    await userEvent.type(dialog.getByLabelText(/to confirm/), "no lock is held");
    await userEvent.click(dialog.getByRole("button", { name: "Bootstrap" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("Node e was not told: did not answer in time.");
  });
});

describe("the restart guard", () => {
  it("has nothing to say while every node votes", async () => {
    await open(clusterOf(), {});
    expect(screen.queryByRole("button", { name: "Bootstrap…" })).toBeNull();
    expect(screen.queryByText(/restart guard is off/)).toBeNull();
  });

  it("says that it is off, and how to switch it on", async () => {
    await open(clusterOf({ embedded: false, guard: { mode: "off", quarantineMs: 0 } }), {});
    expect(screen.getByText("REDLOCK_GUARD=full")).toBeTruthy();
  });
});
