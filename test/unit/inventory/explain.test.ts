import { describe, expect, test } from "vitest";
import { hintsOf, obstaclesOf } from "@/lib/inventory/explain";
import { lockView } from "./lock-view";

describe("hints", () => {
  test("name the dead zone, an uneven expiry, and a key that never ends", () => {
    const uneven = lockView("r", {
      holder: { fingerprint: "8f3a91c2", label: null },
      heldForAtLeastMs: 1000,
      freeFromMs: 9000,
      remaining: [1000, 1000, 1000, 9000, 9000],
    });
    const text = hintsOf(uneven, 3, false).join("\n");
    expect(text).toContain("Between the two clocks");
    expect(text).toContain("expiries differ");
    expect(hintsOf(lockView("r", { noExpiry: true, freeFromMs: null }), 3, false).join()).toContain(
      "never becomes free",
    );
  });

  test("do not call a lock abandoned whose client never asks a majority", () => {
    const leftover = lockView("r", { verdict: "leftover", remaining: [1000, null, null] });
    expect(hintsOf(leftover, 2, false).join()).toContain("nobody holds this lock");
    expect(hintsOf(leftover, 2, true).join()).toContain("held on a.");
    expect(hintsOf(leftover, 2, true).join()).not.toContain("nobody holds");
  });

  test("say nothing about a healthy lock", () => {
    const healthy = { heldForAtLeastMs: 988, freeFromMs: 1000, remaining: [1000, 1000, 1000, 1000, 1000] };
    expect(hintsOf(lockView("r", healthy), 3, false)).toEqual([]);
  });
});

test("obstacles say per node whether an acquire could be granted, and why not", () => {
  const lock = lockView("r", { remaining: [1200, null, Number.POSITIVE_INFINITY] });
  expect(obstaclesOf(lock)).toEqual([
    { node: "a", canAcquire: false, reason: "Holds token 00000000." },
    { node: "b", canAcquire: true, reason: "Free." },
    { node: "c", canAcquire: false, reason: "Holds token 00000000, which never expires." },
  ]);
});
