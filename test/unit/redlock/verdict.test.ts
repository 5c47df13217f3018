import { describe, expect, test } from "vitest";
import { type NodeReading, type VerdictKind, verdictOf } from "@/lib/redlock";
import { words } from "../../support/redlock-rig";

/**
 * One letter per node: `A` `B` hold a token for 10 s, `a` holds A for 5 s, `N` holds A without expiry, `.` free, `?` unknown,
 * `#` a foreign key for 10 s, `%` a foreign key without expiry.
 */
function readings(picture: string): NodeReading[] {
  return [...picture].map(readingOf);
}

function readingOf(letter: string): NodeReading {
  switch (letter) {
    case "A":
    case "B":
    case "C":
      return { kind: "token", fingerprint: letter, remainingMs: 10_000 };
    case "a":
      return { kind: "token", fingerprint: "A", remainingMs: 5000 };
    case "N":
      return { kind: "token", fingerprint: "A", remainingMs: null };
    case "?":
      return { kind: "unknown", reason: "did not answer in time" };
    case "#":
      return { kind: "foreign", type: "hash", remainingMs: 10_000 };
    case "%":
      return { kind: "foreign", type: "zset", remainingMs: null };
    default:
      return { kind: "free" };
  }
}

describe("the verdict on one resource", () => {
  test.each<[picture: string, kind: VerdictKind, fingerprint: string | null, votes: number, margin: number | null]>([
    // N = 1: the only node is the margin.
    ["A", "at_risk", "A", 1, 1],
    [".", "free", null, 0, null],
    ["?", "possibly_held", null, 0, null],
    ["#", "leftover", null, 0, null],
    // N = 3, quorum 2.
    ["AAA", "held", "A", 3, 2],
    ["AA.", "at_risk", "A", 2, 1],
    ["AA?", "at_risk", "A", 2, 1],
    ["AAB", "at_risk", "A", 2, 1],
    ["A..", "leftover", "A", 1, 0],
    ["A.?", "possibly_held", "A", 1, 0],
    ["AB.", "split", null, 1, null],
    ["AB?", "possibly_held", null, 1, null],
    ["ABC", "split", null, 1, null],
    [".??", "possibly_held", null, 0, null],
    ["..?", "free", null, 0, null],
    // N = 4, quorum 3: two silent nodes hide no quorum, but leave none that could say free.
    ["AAAA", "held", "A", 4, 3],
    ["AAA.", "held", "A", 3, 2],
    ["AA..", "leftover", "A", 2, 1],
    ["AA.?", "possibly_held", "A", 2, 1],
    ["AABB", "split", null, 2, null],
    ["...?", "free", null, 0, null],
    ["..??", "possibly_held", null, 0, null],
    // N = 5, quorum 3.
    ["AAAAA", "held", "A", 5, 3],
    ["AAAA.", "held", "A", 4, 2],
    ["AAA..", "at_risk", "A", 3, 1],
    ["AAA??", "at_risk", "A", 3, 1],
    ["AAABB", "at_risk", "A", 3, 1],
    ["AA???", "possibly_held", "A", 2, 0],
    ["AA..?", "possibly_held", "A", 2, 0],
    ["A...?", "leftover", "A", 1, -1],
    ["AA...", "leftover", "A", 2, 0],
    ["AABB?", "possibly_held", null, 2, null],
    ["AAB.?", "possibly_held", "A", 2, 0],
    ["AABB.", "split", null, 2, null],
    ["AB...", "split", null, 1, null],
    ["AB..?", "split", null, 1, null],
    [".....", "free", null, 0, null],
    ["...??", "free", null, 0, null],
    ["..???", "possibly_held", null, 0, null],
    ["?????", "possibly_held", null, 0, null],
    // Keys that are no locks block all the same, but nobody holds them.
    ["#####", "leftover", null, 0, null],
    ["%....", "leftover", null, 0, null],
    ["AA###", "leftover", "A", 2, 0],
    ["AAA##", "at_risk", "A", 3, 1],
    ["A####", "leftover", "A", 1, -1],
    ["##???", "possibly_held", null, 0, null],
    // Keys without expiry are held like others.
    ["NNNNN", "held", "A", 5, 3],
    ["NN...", "leftover", "A", 2, 0],
  ])("%s reads %s", (picture, kind, fingerprint, votes, margin) => {
    expect(verdictOf(readings(picture))).toMatchObject({ kind, fingerprint, votes, margin });
  });

  test.each([
    ["A", 1],
    ["AA", 2],
    ["AAA", 2],
    ["AAAA", 3],
    ["AAAAA", 3],
    ["AAAAAA", 4],
    ["AAAAAAA", 4],
  ])("counts a quorum of the configured nodes: %s needs %i", (picture, quorum) => {
    expect(verdictOf(readings(picture)).quorum).toBe(quorum);
  });

  test("is at risk when too few nodes could confirm an extension, however many hold it", () => {
    expect(verdictOf(readings("AAAAA"), { votingNodes: 3 }).kind).toBe("held");
    expect(verdictOf(readings("AAAAA"), { votingNodes: 2 }).kind).toBe("at_risk");
  });

  test("never calls a token held without a quorum of readings, nor free with a key in sight (all words, N = 1 to 5)", () => {
    for (let membership = 1; membership <= 5; membership += 1) {
      for (const word of words([..."AB.?#"], membership)) {
        const verdict = verdictOf(readings(word.join("")));
        const count = (letter: string): number => word.filter((each) => each === letter).length;
        const most = Math.max(count("A"), count("B"));
        const isHeld = verdict.kind === "held" || verdict.kind === "at_risk";
        expect(isHeld, word.join("")).toBe(most >= verdict.quorum);
        const isFree = count("A") + count("B") + count("#") === 0 && count(".") >= verdict.quorum;
        expect(verdict.kind === "free", word.join("")).toBe(isFree);
        const mayBeHeld = most < verdict.quorum && most + count("?") >= verdict.quorum;
        if (mayBeHeld) expect(verdict.kind, word.join("")).toBe("possibly_held");
      }
    }
  });
});

describe("the two clocks", () => {
  /** What is left of 10 s and 5 s after the allowed drift of 1 % + 2 ms. */
  const LONG = 9898;
  const SHORT = 4948;

  test.each<[picture: string, heldForAtLeastMs: number | null, freeFromMs: number | null]>([
    ["AAAAA", LONG, 10_000],
    ["aAAAA", LONG, 10_000],
    // The third largest time counts for the holder, the third smallest for the others.
    ["aaAAA", LONG, 10_000],
    ["aaaAA", SHORT, 5000],
    ["AAA..", LONG, 10_000],
    ["aaA..", SHORT, 5000],
    ["AA...", 0, 0],
    [".....", 0, 0],
    // The dead zone: nobody holds, nobody can acquire.
    ["AA???", 0, null],
    ["AAA??", LONG, 10_000],
    ["AAAA?", LONG, 10_000],
    ["..???", 0, null],
    ["...??", 0, 0],
    // No expiry blocks for ever, and holds for ever.
    ["NNNNN", null, null],
    ["NNN..", null, null],
    ["NN...", 0, 0],
    ["NNAaa", LONG, 10_000],
    ["%%%..", 0, null],
    ["##%..", 0, 10_000],
    ["A", LONG, 10_000],
    ["?", 0, null],
    ["AAAA", LONG, 10_000],
    ["AA..", 0, 10_000],
    ["AA.", LONG, 10_000],
  ])("%s is held for at least %s and free from %s", (picture, heldForAtLeastMs, freeFromMs) => {
    expect(verdictOf(readings(picture))).toMatchObject({ heldForAtLeastMs, freeFromMs });
  });

  test("says when a key has no expiry, be it a lock or not", () => {
    expect(verdictOf(readings("N....")).noExpiry).toBe(true);
    expect(verdictOf(readings("%....")).noExpiry).toBe(true);
    expect(verdictOf(readings("A....")).noExpiry).toBe(false);
    expect(verdictOf(readings("?....")).noExpiry).toBe(false);
  });

  test("counts the age of the readings as passed", () => {
    const verdict = verdictOf(readings("AAAAA"), { ageMs: 4000 });
    expect(verdict).toMatchObject({ kind: "held", freeFromMs: 6000, heldForAtLeastMs: 6000 - 60 - 2 });
  });

  test("takes a key whose time is over for gone", () => {
    expect(verdictOf(readings("aaAAA"), { ageMs: 5000 })).toMatchObject({ kind: "at_risk", votes: 3 });
    expect(verdictOf(readings("aaaAA"), { ageMs: 5000 })).toMatchObject({ kind: "leftover", votes: 2, freeFromMs: 0 });
    expect(verdictOf(readings("AAAAA"), { ageMs: 20_000 }).kind).toBe("free");
    expect(verdictOf(readings("NNNNN"), { ageMs: 20_000 }).kind).toBe("held");
  });

  test("never promises the holder less than nothing", () => {
    const last: NodeReading = { kind: "token", fingerprint: "A", remainingMs: 1 };
    expect(verdictOf([last, last, last]).heldForAtLeastMs).toBe(0);
  });
});
