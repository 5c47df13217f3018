import { type Mutant, RANDOM_FAULTS } from "./mutant";

/** Rules of extending, noticing a loss and releasing, and of what a node does with a key. */
export const HOLDING_MUTANTS: readonly Mutant[] = [
  {
    name: "failed extension releases",
    seenIn: "redlock 4",
    edits: [
      { file: "redlock/extension.ts", find: "import { countVotes,", replace: "import { abandon, countVotes," },
      {
        file: "redlock/extension.ts",
        find: 'if (decision !== "lost") return',
        replace:
          'if (decision !== "lost") abandon(engine, key.resources, key.token, ttlMs);\n  if (decision !== "lost") return',
      },
    ],
    caughtBy: ["a failed extension deletes nothing", RANDOM_FAULTS],
  },
  {
    name: "extension after local expiry",
    seenIn: "redlock-universal",
    edits: [
      {
        file: "redlock/extension.ts",
        find: 'if (holding?.remaining() === 0) return nobodyAsked("lost");',
        replace: "",
      },
      { file: "redlock/extension.ts", find: ", holding?.remaining() ?? ttlMs),", replace: ", ttlMs)," },
      {
        file: "redlock/extension.ts",
        find: 'decision === "extended" && ownMs > 0 &&',
        replace: 'decision === "extended" &&',
      },
      {
        file: "redlock/holding.ts",
        find: "if (this.remaining() === 0) return;\n    this.#deadline",
        replace: "this.#end = null;\n    this.#deadline",
      },
    ],
    caughtBy: ["an ended lock is not extended", RANDOM_FAULTS],
  },
  {
    name: "extension counted from the reply",
    seenIn: null,
    edits: [
      {
        file: "redlock/extension.ts",
        find: "const reached = poll.startedAt + ttlMs",
        replace: "const reached = engine.clock.now() + ttlMs",
      },
    ],
    caughtBy: ["an extension counts from before its requests"],
  },
  {
    name: "extension by a single node",
    seenIn: null,
    edits: [
      {
        file: "redlock/extension.ts",
        find: 'if (extended >= quorum) return "extended";',
        replace: 'if (extended >= 1) return "extended";',
      },
    ],
    caughtBy: ["an extension needs a majority"],
  },
  {
    name: "a denied lock is still believed in",
    seenIn: null,
    edits: [{ file: "redlock/extension.ts", find: "  holding?.lose(new", replace: "  void (new" }],
    caughtBy: ["a lock that a majority denies is lost"],
  },
  {
    name: "heal behind a release",
    seenIn: null,
    edits: [
      {
        file: "redlock/heal.ts",
        find: "if (plan.isGivenUp() || ttlMs < 1) return;",
        replace: "if (ttlMs < 1) return;",
      },
      {
        file: "redlock/heal.ts",
        find: "plan.isGivenUp() || plan.remainingMs() <= 0",
        replace: "plan.remainingMs() <= 0",
      },
    ],
    caughtBy: ["nothing is healed behind a release"],
  },
  {
    name: "no timer for the end of the validity",
    seenIn: "redlock 5, sesamecare",
    edits: [
      {
        file: "redlock/holding.ts",
        find: "if (this.#cancelTimer !== null || this.remaining() === 0) return;",
        replace: "return;",
      },
    ],
    caughtBy: ["a holder in a black hole is told in time"],
  },
  {
    name: "check trusts what was last noticed",
    seenIn: "the AbortSignal of every library",
    edits: [{ file: "redlock/holding.ts", find: "check(): void {\n    this.#refresh();", replace: "check(): void {" }],
    caughtBy: ["check looks at the clock"],
  },
  {
    name: "blind DEL",
    seenIn: null,
    edits: [
      {
        file: "redlock/simulation/simulated-store.ts",
        find: "if (this.get(resource)?.value === token) this.delete(resource);",
        replace: "this.delete(resource);",
      },
    ],
    caughtBy: ["a key of another is left alone", RANDOM_FAULTS],
  },
  {
    name: "blind extension",
    seenIn: null,
    edits: [
      {
        file: "redlock/simulation/simulated-store.ts",
        find: "extend({ resources, token, ttlMs }: ExtendRequest): ExtendVote {",
        replace:
          "extend({ resources, token, ttlMs }: ExtendRequest): ExtendVote {\n" +
          "    for (const resource of resources) if (this.get(resource) !== null) this.set(resource, token, ttlMs);",
      },
    ],
    // Random faults do not show it since late requests are refused by the server: an extension that comes in time finds its own key.
    caughtBy: ["a key of another is left alone"],
  },
];
