import { describe, expect, test } from "vitest";
import { quorumOf, tally } from "@/lib/redlock";
import { words } from "../../support/redlock-rig";

describe("the quorum", () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
    [6, 4],
    [7, 4],
  ])("of %i nodes is %i", (membership, quorum) => {
    expect(quorumOf(membership)).toBe(quorum);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("is refused for a membership of %d", (membership) => {
    expect(() => quorumOf(membership)).toThrow(RangeError);
  });

  test("any two quorums share a node (N = 1 to 7)", () => {
    for (let membership = 1; membership <= 7; membership += 1) {
      expect(2 * quorumOf(membership)).toBeGreaterThan(membership);
    }
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7])("the tally of %i nodes", (membership) => {
  const quorum = quorumOf(membership);
  const count = (votes: readonly string[], kind: string): number => votes.filter((vote) => vote === kind).length;
  const tallyOf = (votes: readonly string[]) =>
    tally({ granted: count(votes, "yes"), denied: count(votes, "no"), membership });

  test("wins exactly with a quorum of grants, loses exactly when none can come together, over every combination", () => {
    for (const votes of words(["yes", "no", "open"], membership)) {
      const possible = count(votes, "yes") + count(votes, "open");
      const expected = count(votes, "yes") >= quorum ? "won" : possible < quorum ? "lost" : "open";
      expect(tallyOf(votes), votes.join(" ")).toBe(expected);
    }
  });

  test("is never open once every node has voted", () => {
    for (const votes of words(["yes", "no"], membership)) expect(tallyOf(votes), votes.join(" ")).not.toBe("open");
  });

  test("is never overturned by votes that come later", () => {
    for (const votes of words(["yes", "no", "open"], membership)) {
      const verdict = tallyOf(votes);
      if (verdict === "open") continue;
      for (const late of ["yes", "no"]) {
        expect(tallyOf(votes.map((vote) => (vote === "open" ? late : vote))), votes.join(" ")).toBe(verdict);
      }
    }
  });
});

test.each([2, 4, 6])("an even split of %i nodes loses at once instead of waiting for ever", (membership) => {
  expect(tally({ granted: membership / 2, denied: membership / 2, membership })).toBe("lost");
});

test("a quorum above the majority is honoured", () => {
  expect(tally({ granted: 3, denied: 0, membership: 5, quorum: 4 })).toBe("open");
  expect(tally({ granted: 3, denied: 2, membership: 5, quorum: 4 })).toBe("lost");
  expect(tally({ granted: 4, denied: 1, membership: 5, quorum: 4 })).toBe("won");
});
