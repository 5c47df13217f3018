import { act, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useAudit, useCluster, useLockSet } from "@/lib/client";
import { applyEvent } from "@/lib/client/live-provider";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf, HELD_SPECS, lockList, lockView, scanOf } from "../../support/view-fixtures";

afterEach(clearBrowser);

const URL = "/api/v1/events";
const lock = lockView("held", HELD_SPECS);

function Probe() {
  const cluster = useCluster();
  const locks = useLockSet();
  const audit = useAudit();
  return (
    <p>
      {cluster.kind === "ready" ? `voting ${cluster.cluster.value.voting}` : cluster.kind},{" "}
      {locks.kind === "ready" ? `${locks.set.byId.size} locks` : locks.kind},{" "}
      {audit.kind === "ready" ? `${audit.entries.length} actions` : audit.kind}
    </p>
  );
}

it("shows what the stream brings, without asking again", async () => {
  const seen = stubApi({
    "GET /cluster": () => [clusterOf()],
    "GET /locks": () => [lockList([])],
    "GET /audit": () => [{ entries: [] }],
  });
  show(<Probe />, "shared");
  await screen.findByText("voting 5, 0 locks, 0 actions");
  const asked = seen.length;
  const other = lockView("held", HELD_SPECS, { resource: "orders:43" });
  act(() => {
    applyEvent(
      "snapshot",
      {
        cluster: clusterOf({ voting: 4 }),
        locks: [lock],
        total: 1,
        scan: scanOf(5),
        readAt: lock.readAt,
      },
      URL,
    );
    applyEvent("locks", { changed: [other], removed: [], scan: scanOf(5), readAt: lock.readAt }, URL);
    applyEvent("cluster", clusterOf({ voting: 3 }), URL);
    const entry = {
      id: "1",
      correlationId: "k",
      at: 1,
      actor: "op",
      action: "lock.revoked",
      target: "x",
      details: null,
    };
    applyEvent("action", { ...entry, phase: "intent", reason: null, outcome: null }, URL);
    applyEvent("action", { ...entry, id: "2", phase: "outcome", reason: null, outcome: "revoked" }, URL);
  });
  await screen.findByText("voting 3, 2 locks, 1 actions");
  expect(seen.length).toBe(asked);
});
