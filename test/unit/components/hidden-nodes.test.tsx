import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NodesSection } from "@/components/nodes/nodes-section";
import type { Cluster } from "@/lib/contract";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterNode, clusterOf, NODE_IDS } from "../../support/view-fixtures";

// A generous bound for a busy machine: what must not happen is waiting for ever.
vi.setConfig({ testTimeout: 30_000 });

afterEach(clearBrowser);

async function open(searchParams = "", cluster: Cluster = clusterOf()) {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  stubApi({ "GET /cluster": () => [cluster] });
  show(
    <NuqsTestingAdapter searchParams={searchParams} onUrlUpdate={onUrlUpdate} hasMemory>
      <NodesSection />
    </NuqsTestingAdapter>,
  );
  await screen.findByText(/^voting/);
  return { onUrlUpdate };
}

function cards(): string[] {
  return screen.queryAllByRole("article").map((card) => card.getAttribute("aria-label") ?? "");
}

describe("a hidden node", () => {
  it("goes out of view, is counted in a notice, and stands in the URL", async () => {
    const { onUrlUpdate } = await open();
    await userEvent.click(screen.getByRole("button", { name: "Hide node b from view" }));
    expect(cards()).toEqual(["Node a", "Node c", "Node d", "Node e"]);
    expect(screen.getByText("1 hidden")).toBeTruthy();
    await vi.waitFor(() => expect(onUrlUpdate.mock.lastCall?.[0].searchParams.get("hide")).toBe("b"));
  });

  it("changes nothing in the arithmetic, and the page says so", async () => {
    await open("?hide=a,b");
    expect(screen.getByText("voting 5 of 5")).toBeTruthy();
    expect(screen.getByText(/still count all 5 nodes/)).toBeTruthy();
  });

  it("does not hide that it is down", async () => {
    const nodes = NODE_IDS.map((id) => clusterNode(id, id === "e" ? { state: "down", process: null } : {}));
    await open("?hide=e", clusterOf({ nodes, voting: 4, canLose: 1 }));
    expect(screen.getByText("(down)")).toBeTruthy();
  });

  it("is shown again with one button, which has the focus after the last card's own went away", async () => {
    await open();
    screen.getByRole("button", { name: "Hide node b from view" }).focus();
    await userEvent.keyboard("{Enter}");
    const button = screen.getByRole("button", { name: "Show it" });
    expect(document.activeElement).toBe(button);
    await userEvent.click(button);
    expect(cards()).toHaveLength(5);
    expect(screen.queryByText(/hidden/)).toBeNull();
  });

  it("that does not exist is passed over", async () => {
    await open("?hide=zz");
    expect(cards()).toHaveLength(5);
    expect(screen.queryByText(/hidden/)).toBeNull();
  });
});
