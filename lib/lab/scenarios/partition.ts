import { LAB_NODES_MAX, type LabEvent } from "@/lib/contract";
import { judge } from "../judge";
import type { Sight } from "../observer";
import { of, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR } from "../stage";

const TTL_MS = 10_000;

const WINNERS = ["Nobody", "Only A", "Only B", "Both"];

/** Two clients that do not see the same masters. */
export const partition: Scenario = {
  id: "partition",
  title: "A cut through the network",
  question: "Two clients are cut off from different masters. Can both win? Can it be that nobody can?",
  steps: [
    "A reaches a bare majority of the masters, B the others. Both ask for one lock.",
    "Now neither of them reaches a majority. Both ask for another lock.",
    "The network is mended, and B asks again.",
  ],
  expected:
    "Only the client on the side of the majority wins. In the dead zone nobody does, until the network is mended.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },

  questions: [
    {
      id: "majority",
      before: "cut: bytes are held both ways",
      ask: "A reaches a bare majority of the masters, B the others. Both ask for one lock. Who wins?",
      options: WINNERS,
      answer: (events) => winnerOf(events, DOOR),
    },
    {
      id: "dead-zone",
      before: "mended: held bytes arrive",
      ask: "Now neither of them reaches a majority. Both ask for another lock. Who wins?",
      options: WINNERS,
      answer: (events) => winnerOf(events, SECOND_DOOR),
    },
  ],

  async play(stage) {
    const { nodes, quorum } = stage;
    const [left, right] = await Promise.all([stage.enter("A", "on one side"), stage.enter("B", "on the other side")]);
    const rest = (side: readonly string[]) => nodes.filter((node) => !side.includes(node));
    const most = stage.pick(quorum);
    stage.cut(left, rest(most));
    stage.cut(right, most);
    const [won, lost] = await Promise.all([stage.acquire(left, DOOR, TTL_MS), stage.acquire(right, DOOR, TTL_MS)]);
    if (won.kind === "granted" && lost.kind === "refused") {
      stage.tell(`A reaches ${most.join(", ")}, a majority, and wins. B does not, and is refused.`);
    }
    stage.mend(left, rest(most));
    stage.mend(right, most);
    await Promise.all([stage.reach(left, nodes), stage.reach(right, nodes)]);
    const few = stage.pick(quorum - 1);
    const others = rest(few).slice(0, quorum - 1);
    stage.cut(left, rest(few));
    stage.cut(right, rest(others));
    const both = await Promise.all([
      stage.acquire(left, SECOND_DOOR, TTL_MS),
      stage.acquire(right, SECOND_DOOR, TTL_MS),
    ]);
    if (both.every(({ kind }) => kind === "refused")) {
      stage.tell(
        `A reaches ${few.join(", ")} and B ${others.join(", ")}. Neither is a majority, so nobody can have it.`,
      );
    }
    stage.mend(left, rest(few));
    stage.mend(right, rest(others));
    await stage.reach(right, nodes);
    const isFree = (sight: Sight): boolean => sight.holders[SECOND_DOOR] === undefined;
    await stage.until((sights) => [...sights.values()].every(isFree), "what was held back to arrive and leave nothing");
    const after = await stage.acquire(right, SECOND_DOOR, TTL_MS);
    if (after.kind === "granted") stage.tell("The network is mended. B asks again and wins.");
  },

  check(events) {
    const tries = events.filter((event) => event.kind === "granted" || event.kind === "refused");
    const kindsOf = (client: string, resource: string) =>
      tries.filter((event) => event.client === client && event.resource === resource).map(({ kind }) => kind);
    return [
      { says: "A won on the side of the majority", isMet: kindsOf("A", DOOR).join() === "granted" },
      { says: "B was refused on the other side", isMet: kindsOf("B", DOOR).join() === "refused" },
      {
        says: "In the dead zone both were refused",
        isMet: kindsOf("A", SECOND_DOOR).join() === "refused" && kindsOf("B", SECOND_DOOR)[0] === "refused",
      },
      { says: "Once the network was mended B won", isMet: kindsOf("B", SECOND_DOOR)[1] === "granted" },
      {
        says: "No two believed to hold one lock",
        isMet: of(events, "granted").length > 0 && judge(events).overlaps.length === 0,
      },
    ];
  },
};

/** By what each of them was told at its first try. @returns index into WINNERS */
function winnerOf(events: readonly LabEvent[], resource: string): number | null {
  const first = ["A", "B"].map((client) =>
    events.find(
      (event) =>
        (event.kind === "granted" || event.kind === "refused") &&
        event.client === client &&
        event.resource === resource,
    ),
  );
  if (first.includes(undefined)) return null;
  const [left, right] = first.map((event) => event?.kind === "granted");
  return (left === true ? 1 : 0) + (right === true ? 2 : 0);
}
