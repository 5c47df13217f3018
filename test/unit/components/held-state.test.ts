import { describe, expect, it } from "vitest";
import { heldStateOf } from "@/components/locks/use-held-state";
import type { HeldLock } from "@/lib/client";
import { HELD_SPECS, lockList, lockSetOf, lockView } from "../../support/view-fixtures";

const lock = lockView("held", HELD_SPECS);
const held: HeldLock = {
  id: lock.id,
  resources: [lock.resource],
  token: "secret",
  fingerprint: "8f3a91c2",
  ttlMs: 30_000,
  keepAlive: false,
  note: null,
  validityMs: 29_000,
  validFrom: 1000,
};
const setAt = (nowMs: number, seen = lock) => lockSetOf(lockList([seen]), nowMs);
const nothing = lockSetOf(lockList([]), 5000);

describe("what is known of a lock held in this tab", () => {
  it("is its own validity until the nodes have been read since", () => {
    expect(heldStateOf(held, setAt(900), 0)).toMatchObject({ kind: "held", remainingMs: 29_000, takenAt: 1000 });
  });

  it("is what the nodes say once they were read", () => {
    expect(heldStateOf(held, setAt(1500), 500)).toMatchObject({ kind: "held", remainingMs: 20_000, takenAt: 1500 });
  });

  it("ends when the nodes name another holder, or an operator revoked it", () => {
    const stolen = lockView("held", [["ffffffff", 9000], ["ffffffff", 9000], ["ffffffff", 9000], "-", "-"]);
    expect(heldStateOf(held, setAt(1500, stolen), 500).kind).toBe("ended");
    expect(heldStateOf(held, setAt(1500, { ...lock, revoked: true }), 500).kind).toBe("ended");
  });

  it("ends when no node shows it, but not before the nodes had time to", () => {
    expect(heldStateOf(held, nothing, 1000).kind).toBe("held");
    expect(heldStateOf(held, nothing, 4000).kind).toBe("ended");
  });

  it("is asked of the nodes after a reload, whose clock starts anew", () => {
    const reloaded = { ...held, validFrom: null };
    expect(heldStateOf(reloaded, undefined, 0).kind).toBe("checking");
    expect(heldStateOf(reloaded, setAt(10), 0).kind).toBe("held");
    expect(heldStateOf(reloaded, nothing, 0).kind).toBe("ended");
  });
});
