import { LAB_NODES_MAX, type LabEvent } from "@/lib/contract";
import type { Sight } from "../observer";
import { of, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR } from "../stage";
import { ask } from "../tries";

const TTL_MS = 20_000;

/** Nodes that voted and were not heard. */
export const replyLost: Scenario = {
  id: "reply-lost",
  title: "The vote was cast, the reply was lost",
  question:
    "A majority of the masters grants A its lock, and A never hears of it. Is the lock blocked until it expires?",
  steps: [
    "Replies from a majority of the masters to A and to X are held; their requests pass.",
    "A asks with this engine, is refused, and releases everywhere, also where it heard nothing.",
    "X sends SET NX PX to one of them by itself, hears nothing and goes away. B then asks for both locks.",
  ],
  expected:
    "A's votes are seen on the masters and gone again, so B gets the lock at once. What X left behind stays there.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },

  questions: [
    {
      id: "left-behind",
      before: "loses replies",
      ask: "A majority will vote for A, and A will not hear it. What does A leave on the masters when it is refused?",
      options: ["Its lock, until that expires", "Nothing: it releases also where it heard nothing"],
      answer(events, n) {
        const next = of(events, "granted").find(({ client, resource }) => client === "B" && resource === DOOR);
        if (next === undefined) return null;
        return Number(next.votes.filter(({ kind }) => kind === "granted").length === n);
      },
    },
    {
      id: "careless",
      before: `SET ${SECOND_DOOR}`,
      ask: "X sends SET NX PX to one master by itself, hears nothing and goes away. What does that master tell B?",
      options: ["That the lock is free", "That somebody holds it"],
      answer(events) {
        const [raw] = of(events, "raw");
        const asked = events.findLast((event) => "resource" in event && event.resource === SECOND_DOOR);
        return raw === undefined || asked === undefined ? null : Number(refusedBy(asked, raw.node));
      },
    },
  ],

  async play(stage) {
    const { nodes, quorum } = stage;
    const [client, careless, next] = await Promise.all([
      stage.enter("A", "has this engine"),
      stage.enter("X", "sends SET NX PX by itself and releases nothing it was not granted"),
      stage.enter("B", "comes next"),
    ]);
    const unheard = stage.pick(quorum);
    client.ways.deafen(unheard);
    careless.ways.deafen(unheard);
    const lost = await client.acquire(DOOR, TTL_MS);
    if (lost.kind === "refused")
      stage.tell(`A heard too few votes and is refused. ${unheard.join(", ")} had voted for it.`);
    const isFree = (sight: Sight): boolean => sight.holders[DOOR] === undefined;
    await stage.until((sights) => [...sights.values()].every(isFree), "the votes of A to be taken back");
    stage.tell("A has released on every node, also on those that it did not hear: nothing of it is left.");
    const [node = ""] = unheard;
    await careless.raw(node, ["SET", SECOND_DOOR, "careless", "NX", "PX", String(TTL_MS)]);
    await stage.until((sights) => sights.get(node)?.holders[SECOND_DOOR] !== undefined, `the SET of X on ${node}`);
    stage.tell(`X has gone away and left its lock on ${node}, where it stays until it expires.`);
    await next.reach(nodes);
    const taken = await ask(next, DOOR, TTL_MS);
    if (taken.kind === "granted") stage.tell("B takes the lock of A at once.");
    await next.acquire(SECOND_DOOR, TTL_MS);
    await client.ways.mend(unheard);
    await careless.ways.mend(unheard);
  },

  check(events, n) {
    const [refused] = of(events, "refused").filter(({ client }) => client === "A");
    const [raw] = of(events, "raw");
    const granted = of(events, "granted").filter(({ client }) => client === "B");
    const silent = new Set(refused?.votes.filter(({ kind }) => kind === "timeout").map(({ node }) => node));
    const first = granted.find(({ resource }) => resource === DOOR);
    const second = events.find(
      (event) =>
        (event.kind === "granted" || event.kind === "refused") &&
        event.client === "B" &&
        event.resource === SECOND_DOOR,
    );
    return [
      { says: "A was refused, because a majority was silent", isMet: silent.size > n / 2 },
      {
        says: "Those that it did not hear had voted for it",
        isMet: silent.size > 0 && [...silent].every((node) => hadKey(events, node, DOOR)),
      },
      {
        says: "B was then granted the lock by every node",
        isMet: first?.votes.filter(({ kind }) => kind === "granted").length === n,
      },
      {
        says: "X heard nothing, and its lock refused B on that node",
        isMet: raw?.answer === null && second !== undefined && refusedBy(second, raw.node),
      },
    ];
  },
};

function hadKey(events: readonly LabEvent[], node: string, resource: string): boolean {
  return of(events, "node").some((event) => event.node === node && event.keys.some((key) => key.resource === resource));
}

function refusedBy(event: LabEvent, node: string): boolean {
  if (event.kind !== "granted" && event.kind !== "refused") return false;
  return event.votes.some((vote) => vote.node === node && vote.kind === "refused");
}
