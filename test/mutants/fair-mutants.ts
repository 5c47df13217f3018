import type { Mutant } from "./mutant";

/** Rules of waiting in the queues of the nodes. */
export const FAIR_MUTANTS: readonly Mutant[] = [
  {
    name: "a release does not hand over",
    seenIn: null,
    edits: [{ file: "redlock/release.ts", find: "    this.queue = queue;\n", replace: "" }],
    caughtBy: ["a release hands over at once"],
  },
  {
    name: "a waiter that gives up stays in the queues",
    seenIn: null,
    edits: [{ file: "redlock/acquire.ts", find: "else stand?.leave();", replace: "else stand?.close();" }],
    caughtBy: ["a waiter that gives up leaves no trace"],
  },
  {
    name: "a silent node is not told of a waiter that was sent to it before",
    seenIn: null,
    edits: [{ file: "redlock/breaker.ts", find: " && (request.queue?.round ?? 1) === 1", replace: "" }],
    caughtBy: ["a node that hung is told of a waiter that left"],
  },
  {
    name: "a minority is never claimed",
    seenIn: null,
    edits: [{ file: "redlock/stand.ts", find: "    else this.#claimLater();", replace: "" }],
    caughtBy: ["a split between waiters ends soon"],
  },
  {
    name: "a waiter relies on being told",
    seenIn: null,
    edits: [{ file: "redlock/stand.ts", find: "LOOK_RETRIES * this.#call", replace: "1000 * this.#call" }],
    caughtBy: ["a word that is lost costs a look"],
  },
  {
    name: "a minority is kept while no majority can be had",
    seenIn: null,
    edits: [{ file: "redlock/stand.ts", find: "      this.#giveBack();\n      return;", replace: "      return;" }],
    caughtBy: ["what cannot be won is given back"],
  },
  {
    name: "each attempt begins a wait of its own",
    seenIn: null,
    edits: [
      {
        file: "redlock/stand.ts",
        find: "this.#since ??= timeOf(this.#engine);",
        replace: "this.#since = timeOf(this.#engine);",
      },
    ],
    caughtBy: ["a waiter that asks again keeps its turn"],
  },
];
