import { describe, expect, test } from "vitest";
import { hintsOf } from "@/lib/inventory/explain";
import { type NodeState, nextChanceOf, obstaclesOf } from "@/lib/inventory/obstacles";
import { lockView } from "./lock-view";

describe("hints", () => {
  test("name the dead zone and a majority that silent nodes could complete", () => {
    const uneven = lockView("r", {
      heldForAtLeastMs: 1000,
      freeFromMs: 9000,
      remaining: [1000, 1000, 1000, 9000, 9000],
    });
    expect(hintsOf(uneven, false).join("\n")).toContain("Between the two clocks");
    const doubtful = lockView("r", { verdict: "possibly_held", freeFromMs: null });
    expect(hintsOf(doubtful, false).join("\n")).toContain("treat the lock as held");
  });

  test("say where a lock is held whose client never asks a majority", () => {
    const leftover = lockView("r", { verdict: "leftover", remaining: [1000, null, null] });
    expect(hintsOf(leftover, true).join()).toContain("held on a.");
    expect(hintsOf(leftover, false).join()).not.toContain("held on");
  });

  test("say nothing about a healthy lock", () => {
    const healthy = { heldForAtLeastMs: 988, freeFromMs: 1000, remaining: [1000, 1000, 1000, 1000, 1000] };
    expect(hintsOf(lockView("r", healthy), false)).toEqual([]);
  });
});

const UP: NodeState = {
  state: "up",
  condition: "admitted",
  role: "master",
  quarantinedForMs: 0,
  quarantineReason: null,
  refusesGrants: null,
  faults: [],
};

/** One node with a free key and this state. */
function obstacleOf(state: Partial<NodeState>, remaining: number | null = null) {
  const lock = lockView("r", { remaining: [remaining] });
  const nodes = lock.nodes.map((node) => ({ ...node, quarantined: state.condition === "quarantined" }));
  const [obstacle] = obstaclesOf({ ...lock, nodes }, () => ({ ...UP, ...state }));
  return obstacle;
}

describe("obstacles", () => {
  test("say per node whether an acquire could be granted, why not, and from when on", () => {
    const lock = lockView("r", { remaining: [1200, null, Number.POSITIVE_INFINITY] });
    expect(obstaclesOf(lock, () => UP)).toEqual([
      { node: "a", canAcquire: false, reason: "Holds token 00000000.", freeInMs: 1200 },
      { node: "b", canAcquire: true, reason: "Free.", freeInMs: 0 },
      { node: "c", canAcquire: false, reason: "Holds token 00000000, which never expires.", freeInMs: null },
    ]);
  });

  test.each([
    ["loading", { state: "loading" }, /^Loading its data/, null],
    [
      "a replica",
      { condition: "unsafe", role: "slave", faults: ["Role is slave."] },
      /^A read-only replica\. Its vote does not count: Role/,
      null,
    ],
    ["another list of masters", { condition: "config_mismatch", faults: ["Other masters."] }, /Other masters\.$/, null],
    ["a wrong clock", { condition: "clock", faults: ["Its clock is 9 s ahead."] }, /9 s ahead/, null],
    [
      "quarantined",
      { condition: "quarantined", quarantinedForMs: 700.4, quarantineReason: "its marker is missing" },
      /^Quarantined: its marker is missing, so/,
      700,
    ],
    [
      "out of memory",
      { refusesGrants: "out of memory: raise maxmemory" },
      /^Would refuse: out of memory: raise maxmemory\.$/,
      null,
    ],
  ] as const)("a node that is %s", (_, state, reason, freeInMs) => {
    const obstacle = obstacleOf(state as Partial<NodeState>);
    expect(obstacle).toMatchObject({ canAcquire: false, freeInMs });
    expect(obstacle?.reason).toMatch(reason);
  });

  test("a foreign key, a silent node", () => {
    const lock = lockView("r", { remaining: [500, 500] });
    const [first, second] = lock.nodes;
    if (first === undefined || second === undefined) throw new Error("two nodes");
    const nodes = [
      { ...first, reading: "foreign" as const, reason: "a key of type hash" },
      { ...second, reading: "unknown" as const, remainingMs: null, reason: "no answer within the time limit" },
    ];
    expect(obstaclesOf({ ...lock, nodes }, () => UP)).toEqual([
      { node: "a", canAcquire: false, reason: "Holds a key of type hash.", freeInMs: 500 },
      { node: "b", canAcquire: null, reason: "Nothing is known: no answer within the time limit.", freeInMs: null },
    ]);
  });

  test("two on one node: it grants once both are gone", () => {
    const state = { condition: "quarantined", quarantinedForMs: 700 } as const;
    expect(obstacleOf(state, 900)).toMatchObject({ canAcquire: false, freeInMs: 900 });
    expect(obstacleOf(state, 100)).toMatchObject({ freeInMs: 700 });
    expect(obstacleOf({ refusesGrants: "out of memory" }, 100)).toMatchObject({ freeInMs: null });
  });
});

describe("the next chance", () => {
  const chanceOf = (remaining: readonly (number | null)[]) =>
    nextChanceOf(obstaclesOf(lockView("r", { remaining }), () => UP));

  test("is the moment at which a majority is free", () => {
    expect(chanceOf([null, null, null, 900, 900])).toMatchObject({ inMs: 0, text: expect.stringContaining("3 of 5") });
    expect(chanceOf([null, 100, 300, 200, Number.POSITIVE_INFINITY])).toMatchObject({ inMs: 200 });
    const never = chanceOf([null, null, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(never).toMatchObject({ inMs: null, text: expect.stringContaining("c, d, e of 5 nodes") });
  });
});
