import { LAB_NODES_MAX } from "@/lib/contract";
import { judge } from "../judge";
import { BARE_MAJORITY, firstTry, whenGuarded } from "../questions";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR } from "../stage";
import { restartVoters } from "./restarted-voter";

/** Longer than a busy machine takes from a grant to the kill, the restart and the next question. */
const TTL_MS = 8000;

const QUESTIONS: readonly Question[] = [
  BARE_MAJORITY,
  {
    id: "forgotten",
    before: "killed (SIGKILL)",
    ask: "A voter of A is killed and comes back empty. Is B granted the lock while A believes to hold it?",
    options: ["No", "Yes: two holders"],
    answer(events) {
      if (firstTry(events, "B") === undefined) return null;
      return Number(judge(events).overlaps.some(({ first }) => first.resource === DOOR));
    },
  },
  {
    id: "guarded",
    before: "The same again with the restart guard",
    ask: "The same with the restart guard. When is D granted the lock?",
    options: ["At once", "When C's has ended", "Never"],
    answer: (events) => whenGuarded(events, { held: "C", next: "D" }),
  },
];

/**
 * A master that forgot its vote votes again: without the restart guard, and with it.
 *
 * @param isGuarded whether the clients of the second act have the guard; without it the scenario does not show what it claims
 */
export function crashRestart(isGuarded = true): Scenario {
  return {
    id: "crash-restart",
    title: "Crash and restart without persistence",
    question: "A master that granted A's lock crashes and comes back empty. Can B be granted it too?",
    steps: [
      "A takes the lock on a bare majority; its links to the others are cut.",
      "As many of those masters as any two majorities share (one, or two of an even number) are killed and started again. They have nothing on disk, so they have forgotten. B asks.",
      "The same once more, with clients that have the restart guard.",
    ],
    expected:
      "Without the guard A and B both hold. With it a restarted master is kept out until the first lock has ended.",
    n: { least: 3, most: LAB_NODES_MAX, usual: 5 },

    questions: QUESTIONS,

    async play(stage) {
      const common = { ttlMs: TTL_MS, back: "It has nothing on disk, so it has forgotten its vote." };
      await restartVoters(stage, { ...common, names: ["A", "B"], text: "without the guard", resource: DOOR });
      const guardTtlMs = isGuarded ? TTL_MS : null;
      await restartVoters(stage, {
        ...common,
        ...{ names: ["C", "D"], text: "with the restart guard", guardTtlMs, resource: SECOND_DOOR },
      });
    },

    check(events) {
      const { overlaps } = judge(events);
      const of1 = overlaps.filter(({ first }) => first.resource === DOOR);
      const of2 = overlaps.filter(({ first }) => first.resource === SECOND_DOOR);
      const toldD = events.flatMap((event) => ("votes" in event && event.client === "D" ? event.votes : []));
      const [held, next] = of(events, "granted").filter(({ resource }) => resource === SECOND_DOOR);
      return [
        { says: "Without the guard A and B believed to hold the lock at the same time", isMet: of1.length > 0 },
        { says: "With the guard no two did", isMet: held !== undefined && of2.length === 0 },
        {
          says: "With the guard the restarted master said that it is quarantined",
          isMet: toldD.some(({ kind }) => kind === "quarantined"),
        },
        {
          says: "D was granted the lock later, when C's had ended",
          isMet: held !== undefined && next !== undefined && next.atMs > held.untilMs,
        },
      ];
    },
  };
}
