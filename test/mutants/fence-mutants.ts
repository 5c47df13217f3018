import { type Mutant, RANDOM_FAULTS, RANDOM_STEPS } from "./mutant";

/** Rules of nodes that forget, and of fencing tokens. */
export const FENCE_MUTANTS: readonly Mutant[] = [
  {
    name: "no quarantine",
    seenIn: "redlock 4, redlock 5, sesamecare, redlock-universal",
    edits: [
      {
        file: "redlock/simulation/simulated-server.ts",
        find: "if (this.#quarantineMs > 0) this.store.quarantine(this.#quarantineMs);",
        replace: "",
      },
    ],
    caughtBy: [RANDOM_FAULTS],
  },
  {
    name: "fence counters without write-back",
    seenIn: null,
    edits: [{ file: "redlock/fencing.ts", find: "if (behind.length > 0) {", replace: "if (behind.length < 0) {" }],
    caughtBy: ["a fence outlives the nodes that did not issue it", RANDOM_STEPS],
  },
  {
    name: "fence written back whoever holds the lock",
    seenIn: null,
    edits: [
      {
        file: "redlock/simulation/simulated-store.ts",
        find: "raiseFence({ resources, token, fence }: RaiseFenceRequest): RaiseFenceVote {",
        replace:
          "raiseFence({ resources, token, fence }: RaiseFenceRequest): RaiseFenceVote {\n" +
          "    if (token !== null) return this.#fences.raise(resources, fence);",
      },
    ],
    // Random steps of clocks met it in 9 of 3000 schedules of the prototype.
    caughtBy: ["a fence is written back only to the holder"],
  },
  {
    name: "a node without counters begins at 0",
    seenIn: null,
    edits: [
      {
        file: "redlock/simulation/simulated-fences.ts",
        find: "const highWater = this.#highWater;",
        replace: "const highWater = this.#highWater ?? 0;",
      },
    ],
    // Random steps meet these two in about one schedule of a hundred.
    caughtBy: ["lost counters are recovered from the others"],
  },
  {
    name: "recovery that asks nobody",
    seenIn: null,
    edits: [
      {
        file: "redlock/fence-recovery.ts",
        find: "const fence = Math.max(fences.lastSeen, ...known);",
        replace: "const fence = fences.lastSeen;",
      },
    ],
    caughtBy: ["lost counters are recovered from the others"],
  },
];
