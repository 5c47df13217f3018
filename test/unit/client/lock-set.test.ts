import { describe, expect, it } from "vitest";
import { lockSetOfSnapshot, mergeLocks } from "@/lib/client/lock-set";
import { ageOf } from "@/lib/client/received";
import { clusterOf, HELD_SPECS, lockList, lockSetOf, lockView, scanOf } from "../../support/view-fixtures";

const ALL = "/api/v1/events";
const lock = lockView("held", HELD_SPECS);
const other = lockView("held", HELD_SPECS, { resource: "orders:43" });

function snapshot(nowMs = 1000) {
  const event = { cluster: clusterOf(), locks: [lock, other], total: 2, scan: scanOf(5), readAt: lock.readAt + 300 };
  return lockSetOfSnapshot(event, ALL, nowMs);
}

describe("the set of locks", () => {
  it("ages a reading by the server's own clock, whatever the browser's says", () => {
    const seen = snapshot(1000).byId.get(lock.id);
    expect(seen && ageOf(seen, 1000)).toBe(300);
    expect(seen && ageOf(seen, 1500)).toBe(800);
  });

  it("takes what changed and drops what is gone", () => {
    const changed = { ...lock, verdict: "at_risk" as const, readAt: lock.readAt + 1000 };
    const event = { readAt: lock.readAt + 1000, changed: [changed], removed: [other.id], scan: scanOf(4) };
    const set = mergeLocks(snapshot(), event, ALL, 2000);
    expect(set?.byId.get(lock.id)?.value.verdict).toBe("at_risk");
    expect(set?.byId.has(other.id)).toBe(false);
    expect(set?.scan.complete).toBe(4);
  });

  it("does not let an older reading overwrite a younger one", () => {
    const old = { ...lock, verdict: "split" as const, readAt: lock.readAt - 1 };
    const event = { readAt: lock.readAt, changed: [old], removed: [], scan: scanOf(5) };
    expect(mergeLocks(snapshot(), event, ALL)?.byId.get(lock.id)?.value.verdict).toBe("held");
  });

  it("drops a difference that comes before any snapshot", () => {
    const event = { readAt: 1, changed: [lock], removed: [], scan: scanOf(5) };
    expect(mergeLocks(undefined, event, ALL)).toBeUndefined();
  });

  it("knows that a cut list is not the whole", () => {
    expect(lockSetOf(lockList([lock])).isWhole).toBe(true);
    expect(lockSetOf(lockList([lock], { nextCursor: "more" })).isWhole).toBe(false);
  });
});
