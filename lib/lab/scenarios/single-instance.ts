import { whetherGranted } from "../questions";
import { of, type Scenario } from "../scenario";
import { DOOR } from "../stage";
import { ask, take } from "../tries";

const SHORT_TTL_MS = 600;
const TTL_MS = 20_000;

/** A late release by the token, and by a plain DEL. */
export const singleInstance: Scenario = {
  id: "single-instance",
  title: "One master, and how to give a lock back",
  question: "A client comes back too late and releases a lock that is not its own any more. Whose lock goes?",
  steps: [
    "A takes the lock for a short time (SET NX PX with a random token) and does not come back in time.",
    "B takes it. Now A releases, comparing its token before it deletes.",
    "A deletes with a plain DEL, as careless clients do. Then C asks for the lock.",
  ],
  expected:
    "Compare-and-delete leaves B's lock alone. After the plain DEL, C is granted what B still holds: two holders.",
  n: { least: 1, most: 1, usual: 1 },

  questions: [
    {
      id: "late-release",
      before: "release of A:",
      ask: "A comes back and releases by its token, while B holds the lock. Whose lock goes?",
      options: ["B's", "Nobody's"],
      answer(events) {
        const [released] = of(events, "released");
        if (released === undefined) return null;
        return released.outcome === "released" ? 0 : 1;
      },
    },
    {
      id: "plain-del",
      before: `DEL ${DOOR}`,
      ask: "A sends a plain DEL. What is C told when it asks, while B believes to hold the lock?",
      options: ["Refused: B holds it", "Granted"],
      answer(events) {
        const [deleted] = of(events, "raw");
        return deleted === undefined ? null : whetherGranted(events, "C", deleted.atMs);
      },
    },
  ],

  async play(stage) {
    const [node = ""] = stage.nodes;
    const [late, holder, third] = await Promise.all([
      stage.enter("A", "comes back too late"),
      stage.enter("B", "holds the lock rightly"),
      stage.enter("C", "would like to have it"),
    ]);
    const first = await take(late, DOOR, SHORT_TTL_MS);
    await stage.until((sights) => sights.get(node)?.holders[DOOR] === undefined, "the lock of A to expire");
    stage.tell("A was away for too long: its key has expired.");
    await take(holder, DOOR, TTL_MS);
    stage.tell("B holds the lock now.");
    await late.release(first.id);
    const before = await ask(third, DOOR, TTL_MS);
    if (before.kind === "refused")
      stage.tell("A released by its token, which is not in the key: B still holds, and C is refused.");
    await late.raw(node, ["DEL", DOOR]);
    await stage.until((sights) => sights.get(node)?.holders[DOOR] === undefined, "the plain DEL to be seen");
    stage.tell("A sent a plain DEL: the key of B is gone, and B does not know.");
    const after = await ask(third, DOOR, TTL_MS);
    if (after.kind === "granted") stage.tell("C is granted the lock while B believes to hold it: two holders.");
  },

  check(events) {
    const granted = of(events, "granted");
    const [released] = of(events, "released");
    const [deleted] = of(events, "raw");
    const own = granted.find(({ client }) => client === "B");
    const refusedAt = of(events, "refused").find(({ client }) => client === "C")?.atMs ?? Number.POSITIVE_INFINITY;
    const stolen = granted.find(({ client }) => client === "C");
    const isAfter =
      released !== undefined && refusedAt > released.atMs && deleted !== undefined && refusedAt < deleted.atMs;
    return [
      {
        says: "A's late release by token removed nothing",
        isMet: released !== undefined && released.outcome !== "released",
      },
      { says: "C was refused after it", isMet: isAfter },
      { says: "The plain DEL removed a key", isMet: deleted?.answer === ":1" },
      {
        says: "C was then granted it while B believed to hold it",
        isMet: own !== undefined && stolen !== undefined && stolen.atMs > own.atMs && stolen.atMs < own.untilMs,
      },
    ];
  },
};
