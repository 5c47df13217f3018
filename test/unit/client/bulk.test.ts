import { afterEach, describe, expect, it } from "vitest";
import { type BulkItem, type BulkReport, bulkForceExpire } from "@/lib/client/bulk";
import type { ForceExpireAnswer } from "@/lib/contract";
import { type Answer, clearBrowser, type SeenRequest, stubApi } from "../../support/browser-rig";
import { lockDetail, lockView, NODE_IDS } from "../../support/view-fixtures";

afterEach(clearBrowser);

const BULK = "POST /locks/bulk/force-expire";

function itemsOf(count: number): BulkItem[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    resource: `r${index}`,
    fingerprint: "8f3a91c2",
  }));
}

function answerOf(result: "deleted" | "changed" | "gone" | "unreachable", outcome: ForceExpireAnswer["outcome"]) {
  const nodes = NODE_IDS.map((node) => ({ node, result, remainingMs: null, reason: null }));
  return { outcome, dryRun: false, oldHolderMayActForMs: 0, freeFromMs: 0, nodes };
}

function resourcesIn({ body }: SeenRequest): string[] {
  return (body.items as { resource: string }[]).map(({ resource }) => resource);
}

function allExpired(request: SeenRequest): Answer {
  const items = resourcesIn(request).map((resource) => ({
    resource,
    answer: answerOf("deleted", "expired"),
    error: null,
  }));
  return [{ items }];
}

function run(
  items: readonly BulkItem[],
  signal = new AbortController().signal,
  onReports?: (r: readonly BulkReport[]) => void,
) {
  return bulkForceExpire(items, { reason: "stuck", dryRun: false }, { signal, ...(onReports && { onReports }) });
}

describe("force-expiring many locks", () => {
  it("asks for at most twenty at a time, and reports as it goes", async () => {
    const seen = stubApi({ [BULK]: allExpired });
    const progress: number[] = [];
    const reports = await run(itemsOf(45), undefined, (brought) => progress.push(brought.length));
    expect(seen.filter(({ method }) => method === "POST").map((request) => resourcesIn(request).length)).toEqual([
      20, 20, 5,
    ]);
    expect(progress).toEqual([20, 20, 5]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(Array(45).fill("expired"));
  });

  it("sends the token that was selected", async () => {
    const seen = stubApi({ [BULK]: allExpired });
    await run(itemsOf(1));
    expect(seen[0]?.body).toEqual({
      items: [{ resource: "r0", fingerprint: "8f3a91c2" }],
      reason: "stuck",
      dryRun: false,
    });
  });

  it("begins nothing after it was stopped, and finishes what was begun", async () => {
    const stopper = new AbortController();
    const seen = stubApi({
      [BULK]: (request) => {
        stopper.abort();
        return allExpired(request);
      },
    });
    const reports = await run(itemsOf(25), stopper.signal);
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(reports.filter(({ outcome }) => outcome === "expired")).toHaveLength(20);
    expect(reports.slice(20).map(({ outcome }) => outcome)).toEqual(Array(5).fill("untouched"));
  });

  it("tells apart every way an item can end", async () => {
    const refusal = (code: string) => ({ answer: null, error: { code, message: `because ${code}` } });
    const results = [
      { answer: answerOf("deleted", "expired"), error: null },
      { answer: answerOf("unreachable", "partial"), error: null },
      { answer: answerOf("unreachable", "none"), error: null },
      { answer: answerOf("changed", "none"), error: null },
      { answer: answerOf("gone", "none"), error: null },
      refusal("layout_refused"),
      refusal("quorum_unreachable"),
      refusal("not_found"),
      refusal("lock_changed"),
      refusal("lock_changed"),
    ];
    stubApi({
      [BULK]: () => [{ items: results.map((result, index) => ({ resource: `r${index}`, ...result })) }],
      // Of the two that no longer have their token one is free, the other somebody else's.
      "GET /locks/r8": () => [lockDetail(lockView("free", ["-", "-", "-", "-", "-"], { resource: "r8" }))],
      "GET /locks/r9": () => [lockDetail()],
    });
    const reports = await run(itemsOf(11));
    expect(reports.map(({ outcome }) => outcome)).toEqual([
      "expired",
      "partial",
      "unreachable",
      "changed",
      "gone",
      "refused",
      "unreachable",
      "failed",
      "gone",
      "changed",
      "unknown", // the answer does not name the eleventh
    ]);
    expect(reports[5]?.reason).toBe("because layout_refused");
  });

  it.each([
    ["read_only", 403, "failed"],
    ["internal", 500, "unknown"],
  ] as const)("ends when a request fails with %s, and says so of every item", async (code, status, outcome) => {
    const seen = stubApi({ [BULK]: () => [{ code, message: "It failed.", requestId: "r-1" }, status] });
    const reports = await run(itemsOf(30));
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(reports).toHaveLength(30);
    expect(reports[0]).toMatchObject({ outcome, reason: expect.stringContaining("It failed.") });
    expect(reports[29]).toMatchObject({ outcome: "untouched", reason: expect.stringContaining("It failed.") });
  });
});
