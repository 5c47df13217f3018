import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it } from "vitest";
import { NodesSection } from "@/components/nodes/nodes-section";
import type { Cluster } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterNode, clusterOf, NODE_IDS } from "../../support/view-fixtures";

afterEach(clearBrowser);

function withNode(over: Parameters<typeof clusterNode>[1], cluster: Partial<Cluster> = {}): Cluster {
  return clusterOf({ nodes: NODE_IDS.map((id) => clusterNode(id, id === "e" ? over : {})), ...cluster });
}

async function open(cluster: Cluster) {
  const seen = stubApi({
    "GET /cluster": () => [cluster],
    "POST /cluster/nodes/e/faults": () => [{}],
    "DELETE /cluster/nodes/e/faults": () => [{}],
  });
  show(
    <NuqsTestingAdapter>
      <NodesSection />
    </NuqsTestingAdapter>,
  );
  const card = within(await screen.findByRole("article", { name: "Node e" }));
  return { seen, card };
}

describe("the nodes", () => {
  it("are headed by how many vote and how many more may fail", async () => {
    await open(withNode({ state: "down" }, { voting: 4, canLose: 1 }));
    expect(screen.getByText("voting 4 of 5")).toBeTruthy();
    expect(screen.getByText("can lose 1 more")).toBeTruthy();
  });

  it("say what is wrong with a node, and the next step", async () => {
    const { card } = await open(withNode({ state: "down", faults: ["connect ECONNREFUSED: start the server"] }));
    expect(card.getByText("connect ECONNREFUSED: start the server")).toBeTruthy();
    expect(card.getByText("does not vote")).toBeTruthy();
  });

  it("say how their keys get into the list", async () => {
    const { mirror } = clusterNode("e");
    const { card } = await open(withNode({ mirror: { ...mirror, progress: 0.426, keysPerSecond: 61_200 } }));
    expect(card.getByText("Mirror: the node tells its changes, 42 % read at 61,200 keys/s.")).toBeTruthy();
  });

  it("say why a node is asked at intervals instead of telling its changes", async () => {
    const { mirror } = clusterNode("e");
    const modeReason = "CLIENT TRACKING is refused: NOPERM";
    const { card } = await open(withNode({ mirror: { ...mirror, mode: "polling", modeReason } }));
    expect(card.getByText("Mirror: read again at intervals: CLIENT TRACKING is refused: NOPERM.")).toBeTruthy();
  });

  it("offer faults to a running embedded node, and send the one that was clicked", async () => {
    const { seen, card } = await open(clusterOf());
    await userEvent.click(card.getByRole("button", { name: "Kill node e" }));
    expect(seen.find(({ method }) => method === "POST")).toMatchObject({
      path: "/cluster/nodes/e/faults",
      body: { fault: "kill" },
    });
  });

  it("offer only the way back to a faulted one", async () => {
    const { card } = await open(withNode({ process: { state: "paused", pid: 1, link: "open" } }));
    const names = card.getAllByRole("button").map(({ textContent }) => textContent ?? "");
    expect(names.filter((name) => !/^(Copy|Hide)/.test(name))).toEqual(["Resume node e"]);
  });

  it("warn before a node is started empty: it has forgotten its votes", async () => {
    const { seen, card } = await open(
      withNode({ state: "down", process: { state: "stopped", pid: null, link: "open" } }),
    );
    await userEvent.click(card.getByRole("button", { name: /^Start empty/ }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/forgets every vote.*votes again after 1/)).toBeTruthy();
    expect(seen.some(({ method }) => method === "DELETE")).toBe(false);
    await userEvent.click(dialog.getByRole("button", { name: "Start empty" }));
    expect(seen.some(({ method }) => method === "DELETE")).toBe(true);
  });

  it("have no fault buttons when the masters are not ours", async () => {
    const { card } = await open(withNode({ process: null }, { embedded: false }));
    expect(card.queryByRole("button", { name: /Stop|Kill|Pause/ })).toBeNull();
  });

  it("are dead buttons with the reason on a read-only console", async () => {
    const { seen, card } = await open(clusterOf({ readOnly: true }));
    const button = card.getByRole("button", { name: /^Stop node e/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.title).toContain("read-only");
    await userEvent.click(button);
    expect(seen.some(({ method }) => method === "POST")).toBe(false);
  });
});
