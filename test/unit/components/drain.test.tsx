import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it } from "vitest";
import { NodesSection } from "@/components/nodes/nodes-section";
import type { ClusterNode } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterNode, clusterOf, NODE_IDS } from "../../support/view-fixtures";

afterEach(clearBrowser);

const GUARDED = { mode: "full", quarantineMs: 60_602 } as const;

async function open(ofE: Partial<ClusterNode>, answer: object, over: object = {}) {
  const nodes = NODE_IDS.map((id) => clusterNode(id, id === "e" ? ofE : {}));
  const seen = stubApi({
    "GET /cluster": () => [clusterOf({ nodes, guard: GUARDED, ...over })],
    "POST /cluster/nodes/e/drain": () => [answer],
    "DELETE /cluster/nodes/e/drain": () => [answer],
  });
  show(
    <NuqsTestingAdapter hasMemory>
      <NodesSection />
    </NuqsTestingAdapter>,
  );
  return { seen, card: within(await screen.findByRole("article", { name: "Node e" })) };
}

describe("draining a node", () => {
  it("says what it costs, asks for a reason and sends it", async () => {
    const { seen, card } = await open({}, { outcome: "drained", reason: null }, { canLose: 1 });
    await userEvent.click(card.getByRole("button", { name: "Drain… node e" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/no other node may fail/)).toBeTruthy();
    const button = dialog.getByRole("button", { name: /^Drain/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await userEvent.type(dialog.getByLabelText("Reason"), "new kernel");
    await userEvent.click(button);
    expect(seen.find(({ method }) => method === "POST")).toMatchObject({ body: { reason: "new kernel" } });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("stays in the dialog when the node refuses", async () => {
    const { card } = await open({}, { outcome: "refused", reason: "it has no vote now" });
    await userEvent.click(card.getByRole("button", { name: "Drain… node e" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getByLabelText("Reason"), "new kernel");
    await userEvent.click(dialog.getByRole("button", { name: "Drain" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("Not drained: it has no vote now.");
  });

  it("is undone with one click, and a node that still waits says for what", async () => {
    const drained = { condition: "drained", undrainable: true } as const;
    const { seen, card } = await open(drained, { outcome: "refused", reason: "quarantined for 9 s" });
    expect(card.getByText("drained")).toBeTruthy();
    expect(card.queryByRole("button", { name: /^Drain/ })).toBeNull();
    await userEvent.click(card.getByRole("button", { name: "Undrain node e" }));
    expect(seen.some(({ method }) => method === "DELETE")).toBe(true);
    expect((await card.findByRole("alert")).textContent).toContain("Not back yet: quarantined for 9 s.");
  });

  it("is not offered without a guard", async () => {
    const { card } = await open({}, {}, { guard: { mode: "off", quarantineMs: 0 } });
    expect(card.queryByRole("button", { name: /Drain/ })).toBeNull();
  });
});
