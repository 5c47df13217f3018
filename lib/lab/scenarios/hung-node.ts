import { LAB_NODES_MAX } from "@/lib/contract";
import { whetherGranted } from "../questions";
import { of, type Scenario } from "../scenario";
import { DOOR, LAB_NODE_TIMEOUT_MS, SECOND_DOOR } from "../stage";
import { ask } from "../tries";

const TTL_MS = 5000;
/** The careless client's lock is seen, and then seen to end. */
const GHOST_TTL_MS = 2500;
/** A refusal takes one time limit; several are not many, on a busy machine. */
const LIMITS_MAX = 5;

/** Nodes that accept a connection and say nothing. */
export const hungNode: Scenario = {
  id: "hung-node",
  title: "A node that hangs is not a node that is down",
  question:
    "Masters stand still in the middle of an acquire and go on later. Who waits, and what becomes of the late SET?",
  steps: [
    "A minority of the masters is paused: A takes the lock all the same.",
    "A majority is paused: A is refused after one time limit. A careless client (SET NX PX, no script) gives up too.",
    "The masters go on and carry out what they were sent.",
  ],
  expected:
    "A waits for one time limit and leaves nothing behind. The careless SET is carried out late: a lock without a holder.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },

  questions: [
    {
      id: "minority",
      before: "paused (SIGSTOP)",
      ask: "A minority of the masters stands still: it takes requests and answers none. Is A granted the lock?",
      options: ["No: it must hear from all of them", "Yes, by the others"],
      answer(events) {
        const granted = of(events, "granted")[0];
        const resumed = of(events, "fault").find(({ act }) => act === "heal");
        if (granted !== undefined && granted.atMs < (resumed?.atMs ?? Number.POSITIVE_INFINITY)) return 1;
        return whetherGranted(events, "A");
      },
    },
    {
      id: "late-set",
      before: "resumed (SIGCONT)",
      ask: "The masters go on. What becomes of the SET that X gave up on?",
      options: ["It is carried out late: a lock without a holder", "It is gone with the connection"],
      answer(events) {
        const isThere = of(events, "node").some(({ keys }) => keys.some(({ resource }) => resource === SECOND_DOOR));
        if (isThere) return 0;
        return of(events, "granted").length > 1 ? 1 : null;
      },
    },
  ],

  async play(stage) {
    const { nodes, quorum } = stage;
    const [client, careless] = await Promise.all([
      stage.enter("A", "has this engine"),
      stage.enter("X", "sends SET NX PX by itself and gives up after the same time limit"),
    ]);
    const hung = stage.pick(quorum);
    const few = hung.slice(0, nodes.length - quorum);
    for (const node of few) await stage.machines.pause(node);
    const first = await ask(client, DOOR, TTL_MS);
    if (first.kind === "granted") {
      stage.tell(
        `${few.length} of ${nodes.length} stand still. A had its majority from the others and waited for none of them.`,
      );
      await client.release(first.id);
    }
    for (const node of hung.slice(few.length)) await stage.machines.pause(node);
    const second = await client.acquire(DOOR, TTL_MS);
    if (second.kind === "refused")
      stage.tell("A majority stands still. A is refused after one time limit and asks all nodes to forget it.");
    const set = ["SET", SECOND_DOOR, "careless", "NX", "PX", String(GHOST_TTL_MS)];
    const [ghost = ""] = hung;
    await careless.raw(ghost, set);
    stage.tell(`X sent its SET to ${ghost}, heard nothing and went away.`);
    for (const node of hung) await stage.machines.resume(node);
    await stage.until((sights) => sights.get(ghost)?.holders[SECOND_DOOR] !== undefined, `the late SET on ${ghost}`);
    stage.tell(`${ghost} has carried out the late SET of X: a lock that nobody believes to hold, until it expires.`);
    await client.reach(nodes);
    await stage.until((sights) => sights.get(ghost)?.holders[SECOND_DOOR] === undefined, "the ghost to expire");
    const third = await ask(client, DOOR, TTL_MS);
    if (third.kind === "granted") stage.tell("Nothing of A was left behind: it takes the lock at once, on every node.");
  },

  check(events, n) {
    const [first, third] = of(events, "granted");
    const refused = of(events, "refused").at(-1);
    const paused = new Set(
      of(events, "node")
        .filter(({ state }) => state === "paused")
        .map(({ node }) => node),
    );
    const resumedAt =
      of(events, "told").find(({ text }) => text.includes("late SET of X"))?.atMs ?? Number.POSITIVE_INFINITY;
    const seen = (resource: string) =>
      of(events, "node").filter(
        ({ atMs, keys }) => atMs > (refused?.atMs ?? 0) && keys.some((key) => key.resource === resource),
      );
    const tookMs = refused === undefined ? Number.POSITIVE_INFINITY : refused.atMs - refused.askedMs;
    // As each node was last seen before A asked again: a key that the release behind it takes back at once is none that is left.
    const before = of(events, "node").filter(({ atMs }) => third !== undefined && atMs < third.askedMs);
    const last = [...new Map(before.map((event) => [event.node, event])).values()];
    const isLeft = last.some(({ keys }) => keys.some(({ resource }) => resource === DOOR));
    return [
      {
        says: "A was granted the lock while a minority hung",
        isMet: first?.votes.some(({ kind }) => kind === "timeout") ?? false,
      },
      {
        says: `A was refused within ${LIMITS_MAX} time limits while a majority hung`,
        isMet: tookMs < LIMITS_MAX * LAB_NODE_TIMEOUT_MS,
      },
      {
        says: "The careless SET was carried out after its client had given up",
        isMet:
          of(events, "raw")[0]?.answer === null &&
          seen(SECOND_DOOR).some(({ node }) => paused.has(node)) &&
          resumedAt > 0,
      },
      {
        says: "A's late requests left no key on any node",
        isMet: refused !== undefined && last.length === n && !isLeft,
      },
      {
        says: "A was granted it again by every node",
        isMet: third?.votes.filter(({ kind }) => kind === "granted").length === n,
      },
    ];
  },
};
