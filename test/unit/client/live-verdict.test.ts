import { describe, expect, it } from "vitest";
import { liveVerdict } from "@/lib/client/live-verdict";
import { HELD_SPECS, lockView, type ReadingSpec } from "../../support/view-fixtures";

describe("the live verdict", () => {
  it("lets the server's verdict stand while nothing expired: it knows how many could renew", () => {
    expect(liveVerdict(lockView("at_risk", HELD_SPECS), 5000).kind).toBe("at_risk");
  });

  it("turns held into free when all keys are over, without a word from the server", () => {
    expect(liveVerdict(lockView("held", HELD_SPECS), 20_400).kind).toBe("free");
  });

  it("turns held into at risk when two of five keys expire early", () => {
    const early = ["8f3a91c2", 1000] as const;
    const late = ["8f3a91c2", 9000] as const;
    const lock = lockView("held", [late, late, late, early, early]);
    expect(liveVerdict(lock, 500).kind).toBe("held");
    expect(liveVerdict(lock, 1500)).toMatchObject({ kind: "at_risk", votes: 3, margin: 1 });
  });

  it("turns at risk into possibly held when one of three keys expires and a node is silent", () => {
    const late = ["8f3a91c2", 9000] as const;
    const specs: readonly ReadingSpec[] = [late, late, ["8f3a91c2", 1000], "-", "?"];
    expect(liveVerdict(lockView("at_risk", specs), 1500).kind).toBe("possibly_held");
  });

  it("counts keys, not values, where a client writes another value on every node", () => {
    const specs = ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd", "eeeeeeee"].map((value) => [value, 5000] as const);
    const lock = lockView("held", specs, { votes: 5, holder: { fingerprint: "aaaaaaaa", label: "redisson" } });
    expect(liveVerdict(lock, 1000)).toMatchObject({ kind: "held", votes: 5 });
  });

  it("never lets a key without expiry run out", () => {
    const specs = HELD_SPECS.map(() => ["8f3a91c2", null] as const);
    expect(liveVerdict(lockView("held", specs), 10 ** 9).kind).toBe("held");
  });
});
