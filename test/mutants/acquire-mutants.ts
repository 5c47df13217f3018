import type { Edit } from "./load-mutant";
import { type Mutant, RANDOM_FAULTS } from "./mutant";

const ALWAYS_IN_TIME: Edit = {
  file: "redlock/attempt.ts",
  find: "const isInTime = deadline - engine.clock.now() > settings.minValidityMs;",
  replace: "const isInTime = true;",
};

/** Rules of winning a lock. */
export const ACQUIRE_MUTANTS: readonly Mutant[] = [
  {
    name: "quorum of N/2",
    seenIn: "redlock-universal with quorum: 2 of 4",
    edits: [
      {
        file: "redlock/quorum.ts",
        find: "Math.floor(membership / 2) + 1",
        replace: "Math.max(1, Math.floor(membership / 2))",
      },
    ],
    caughtBy: [RANDOM_FAULTS],
  },
  {
    name: "elapsed time not subtracted",
    seenIn: "redlock-universal",
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "const deadline = poll.startedAt + ttlMs",
        replace: "const deadline = engine.clock.now() + ttlMs",
      },
    ],
    caughtBy: ["a win counts from before its requests"],
  },
  {
    name: "late votes count and validity is not checked",
    seenIn: "redlock 5, sesamecare",
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "limitMs: timeLimitMs(engine.nodeTimeoutMs, ttlMs),",
        replace: "limitMs: 20 * ttlMs,",
      },
      ALWAYS_IN_TIME,
    ],
    caughtBy: ["a lock won too late is refused", RANDOM_FAULTS],
  },
  {
    name: "no validity check",
    seenIn: "redlock 5, sesamecare",
    edits: [ALWAYS_IN_TIME],
    caughtBy: ["a lock won too late is refused"],
  },
  {
    name: "time counted from the first try, and not checked",
    seenIn: "redlock 5",
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "const deadline = poll.startedAt + ttlMs",
        replace:
          "const first = ((request as { first?: number }).first ??= poll.startedAt);\n  const deadline = first + ttlMs",
      },
      ALWAYS_IN_TIME,
    ],
    caughtBy: [RANDOM_FAULTS],
  },
  {
    name: "no drift margin",
    seenIn: null,
    edits: [
      { file: "redlock/validity.ts", find: "return ttlMs * driftFactor + EXPIRY_RESOLUTION_MS;", replace: "return 0;" },
    ],
    caughtBy: ["clocks of different speed are allowed for"],
  },
  {
    name: "faults count as votes",
    seenIn: "much like redlock-py, whose quorum counted only the nodes connected",
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "switch (tally({ granted,",
        replace: "switch (tally({ granted: granted + faults,",
      },
    ],
    caughtBy: [RANDOM_FAULTS],
  },
  {
    name: "same token over retries",
    seenIn: "redlock 4",
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "this.token = engine.random.token();",
        replace: "this.token = (request as { token?: Token }).token ??= engine.random.token();",
      },
    ],
    caughtBy: ["every try has a token of its own"],
  },
  {
    name: "partial votes kept",
    seenIn: "redlock 5, sesamecare",
    edits: [{ file: "redlock/attempt.ts", find: "  abandon(engine, resources, token, ttlMs);", replace: "" }],
    caughtBy: ["a refused try leaves no vote behind"],
  },
  {
    name: "only nodes that granted are released",
    seenIn: null,
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "  abandon(engine, resources, token, ttlMs);",
        replace:
          "  const nodes = engine.nodes.filter((_, index) => ballots[index]?.vote.kind === 'granted');\n" +
          "  abandon({ ...engine, nodes }, resources, token, ttlMs);",
      },
    ],
    caughtBy: ["nodes that were silent are released too"],
  },
  {
    name: "an even split waits for a quorum of refusals",
    seenIn: "redlock 5, sesamecare",
    edits: [{ file: "redlock/quorum.ts", find: "denied > membership - quorum", replace: "denied >= quorum" }],
    caughtBy: ["an even split is decided", RANDOM_FAULTS],
  },
  {
    name: "requests are never cancelled",
    seenIn: "the prototype of this engine",
    edits: [
      {
        file: "redlock/attempt.ts",
        find: "return this.isOver || this.claim.isGivenUp;",
        replace: "return false;",
      },
    ],
    caughtBy: ["a request nobody waits for is cancelled"],
  },
];
