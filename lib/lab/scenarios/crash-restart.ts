import { LAB_NODES_MAX } from "@/lib/contract";
import { judge } from "../judge";
import type { Sight } from "../observer";
import { of, type Question, type Scenario } from "../scenario";
import { type Actor, DOOR, SECOND_DOOR, type Stage } from "../stage";

const TTL_MS = 6000;
const AGAIN_MS = 250;
/** Two holders at once last long enough to be seen. */
const SEEN_MS = 600;
const TRIES_MAX = 100;

const QUESTIONS: readonly Question[] = [
  {
    id: "forgotten",
    before: "killed (SIGKILL)",
    ask: "A voter of A is killed and comes back empty. Is B granted the lock while A believes to hold it?",
    options: ["No", "Yes: two holders"],
    answer: (events) => Number(judge(events).overlaps.some(({ first }) => first.resource === DOOR)),
  },
  {
    id: "guarded",
    before: "The same again with the restart guard",
    ask: "The same with the restart guard. When is D granted the lock?",
    options: ["At once", "When C's has ended", "Never"],
    answer(events) {
      const [held, next] = of(events, "granted").filter(({ resource }) => resource === SECOND_DOOR);
      if (held === undefined) return null;
      if (next === undefined) return 2;
      return Number(next.atMs > held.untilMs);
    },
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
      await act(stage, { names: ["A", "B"], text: "without the guard", guardTtlMs: null, resource: DOOR });
      const guardTtlMs = isGuarded ? TTL_MS : null;
      await act(stage, { names: ["C", "D"], text: "with the restart guard", guardTtlMs, resource: SECOND_DOOR });
    },

    check(events) {
      const { overlaps } = judge(events);
      const of1 = overlaps.filter(({ first }) => first.resource === DOOR);
      const of2 = overlaps.filter(({ first }) => first.resource === SECOND_DOOR);
      const refused = of(events, "refused").find(({ resource }) => resource === SECOND_DOOR);
      const [held, next] = of(events, "granted").filter(({ resource }) => resource === SECOND_DOOR);
      return [
        { says: "Without the guard A and B believed to hold the lock at the same time", isMet: of1.length > 0 },
        { says: "With the guard no two did", isMet: held !== undefined && of2.length === 0 },
        {
          says: "With the guard the restarted master said that it is quarantined",
          isMet: refused?.votes.some(({ kind }) => kind === "quarantined") ?? false,
        },
        {
          says: "D was granted the lock later, when C's had ended",
          isMet: held !== undefined && next !== undefined && next.atMs > held.untilMs,
        },
      ];
    },
  };
}

interface Act {
  /** Of the one that holds and the one that asks. */
  readonly names: readonly [string, string];
  readonly text: string;
  readonly guardTtlMs: number | null;
  readonly resource: string;
}

async function act(stage: Stage, { names, text, guardTtlMs, resource }: Act): Promise<void> {
  const { nodes, quorum } = stage;
  const [holder, rival] = await Promise.all([
    stage.enter(names[0], text, guardTtlMs),
    stage.enter(names[1], text, guardTtlMs),
  ]);
  if (guardTtlMs !== null) {
    await stage.bootstrap(holder);
    stage.tell("The same again with the restart guard. No lock is held, and an operator has said so.");
  }
  const voters = stage.pick(quorum);
  const others = nodes.filter((node) => !voters.includes(node));
  stage.cut(holder, others);
  const held = await stage.acquire(holder, resource, TTL_MS);
  if (held.kind !== "granted") throw new Error(`${holder.name} was refused a free lock: ${held.text}.`);
  stage.tell(`${holder.name} holds the lock by the votes of ${voters.join(", ")}, a bare majority.`);
  // As many as any two majorities share: one, or two when the number of masters is even.
  for (const node of voters.slice(0, 2 * quorum - nodes.length)) await loseVote(stage, node);
  await stage.reach(rival, nodes);
  const taken = await insist(stage, rival, resource);
  const isShared = taken.atUs < held.untilUs;
  const meanwhile = isShared ? `while ${holder.name} believes to hold it: two holders` : `: ${holder.name}'s has ended`;
  stage.tell(`${rival.name} is granted the lock${isShared ? " " : ""}${meanwhile}.`);
  await stage.pauseMs(SEEN_MS);
  stage.mend(holder, others);
  await Promise.all([stage.release(holder, held.id), stage.release(rival, taken.id)]);
  const isGone = (sight: Sight): boolean => sight.holders[resource] === undefined;
  await stage.until((sights) => [...sights.values()].every(isGone), `${resource} to be given back`);
}

async function loseVote(stage: Stage, node: string): Promise<void> {
  await stage.kill(node);
  await stage.until((sights) => sights.get(node)?.state === "down", `node ${node} to be down`);
  await stage.restart(node);
  await stage.until((sights) => sights.get(node)?.state === "up", `node ${node} to be up`);
  stage.tell(`${node} crashed and is back. It has nothing on disk, so it has forgotten its vote.`);
}

/** Asks again and again until the lock is granted. */
async function insist(stage: Stage, rival: Actor, resource: string) {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await stage.acquire(rival, resource, TTL_MS);
    if (taken.kind === "granted") return taken;
    if (tries === 0) {
      stage.tell(`${rival.name} is refused: ${taken.votes.map(({ node, text }) => `${node} ${text}`).join("; ")}.`);
    }
    await stage.pauseMs(AGAIN_MS);
  }
  throw new Error(`${rival.name} was not granted the lock in ${TRIES_MAX} tries.`);
}
