import { expect, it } from "vitest";
import { verdictChanges } from "@/components/layout/announcer";
import { HELD_SPECS, lockList, lockSetOf, lockView } from "../../support/view-fixtures";

it("announces changed verdicts in words, but neither new nor vanished locks", () => {
  const before = new Map([
    ["orders%3A42", "held" as const],
    ["same", "held" as const],
    ["vanished", "held" as const],
  ]);
  const now = ["orders:42", "same", "new"].map((resource) =>
    lockView(resource === "orders:42" ? "at_risk" : "held", HELD_SPECS, { resource }),
  );
  expect(verdictChanges(before, lockSetOf(lockList(now), 0))).toEqual(["orders:42 is now at risk"]);
});
