import { LAB_NODES_MAX, type LabEvent } from "@/lib/contract";
import { judge } from "../judge";
import type { Sight } from "../observer";
import { of, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR } from "../stage";
import { ask } from "../tries";

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
    left.ways.cut(rest(most));
    right.ways.cut(most);
    const [won, lost] = await Promise.all([ask(left, DOOR, TTL_MS), right.acquire(DOOR, TTL_MS)]);
    if (won.kind === "granted" && lost.kind === "refused") {
      stage.tell(`A reaches ${most.join(", ")}, a majority, and wins. B does not, and is refused.`);
    }
    await left.ways.mend(rest(most));
    await right.ways.mend(most);
    await Promise.all([left.reach(nodes), right.reach(nodes)]);
    const few = stage.pick(quorum - 1);
    const others = rest(few).slice(0, quorum - 1);
    left.ways.cut(rest(few));
    right.ways.cut(rest(others));
    const both = await Promise.all([left.acquire(SECOND_DOOR, TTL_MS), right.acquire(SECOND_DOOR, TTL_MS)]);
    if (both.every(({ kind }) => kind === "refused")) {
      stage.tell(
        `A reaches ${few.join(", ")} and B ${others.join(", ")}. Neither is a majority, so nobody can have it.`,
      );
    }
    await left.ways.mend(rest(few));
    await right.ways.mend(rest(others));
    await right.reach(nodes);
    const isFree = (sight: Sight): boolean => sight.holders[SECOND_DOOR] === undefined;
    await stage.until((sights) => [...sights.values()].every(isFree), "what was held back to arrive and leave nothing");
    const after = await ask(right, SECOND_DOOR, TTL_MS);
    if (after.kind === "granted") stage.tell("The network is mended. B asks again and wins.");
  },

  check(events) {
    const tries = events.filter((event) => event.kind === "granted" || event.kind === "refused");
    const kindsOf = (client: string, resource: string) =>
      tries.filter((event) => event.client === client && event.resource === resource).map(({ kind }) => kind);
    return [
      { says: "A won on the side of the majority", isMet: kindsOf("A", DOOR).at(-1) === "granted" },
      { says: "B was refused on the other side", isMet: kindsOf("B", DOOR).join() === "refused" },
      {
        says: "In the dead zone both were refused",
        isMet: kindsOf("A", SECOND_DOOR).join() === "refused" && kindsOf("B", SECOND_DOOR)[0] === "refused",
      },
      { says: "Once the network was mended B won", isMet: kindsOf("B", SECOND_DOOR).at(-1) === "granted" },
      {
        says: "No two believed to hold one lock",
        isMet: of(events, "granted").length > 0 && judge(events).overlaps.length === 0,
      },
    ];
  },
};

/** By what each of them was told while they were cut off. @returns index into WINNERS */
function winnerOf(events: readonly LabEvent[], resource: string): number | null {
  const asked = events.findIndex((event) => "resource" in event && event.resource === resource);
  const mended = events.findIndex((event, index) => index > asked && event.kind === "fault" && event.act === "heal");
  const told = ["A", "B"].map((client) =>
    events
      .slice(0, mended < 0 ? undefined : mended)
      .findLast(
        (event) =>
          (event.kind === "granted" || event.kind === "refused") &&
          event.client === client &&
          event.resource === resource,
      ),
  );
  if (told.includes(undefined)) return null;
  const [left, right] = told.map((event) => event?.kind === "granted");
  return (left === true ? 1 : 0) + (right === true ? 2 : 0);
}
