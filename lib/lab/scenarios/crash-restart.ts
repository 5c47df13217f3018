import { LAB_NODES_MAX } from "@/lib/contract";
import { judge } from "../judge";
import { of, type Scenario } from "../scenario";
import { type Actor, DOOR, SECOND_DOOR, type Stage } from "../stage";

const TTL_MS = 6000;
const AGAIN_MS = 150;
const TRIES_MAX = 200;

/**
 * A master that forgot its vote votes again: without the restart guard, and with it.
 *
 * @param isGuarded whether the clients of the second act have the guard; without it the scenario does not show what it claims
 */
export function crashRestart(isGuarded = true): Scenario {
  return {
    id: "crash-restart",
    title: "Crash and restart without persistence",
    question: "One of the masters that granted A's lock crashes and comes back empty. Can B be granted it too?",
    steps: [
      "A takes the lock on a bare majority; its links to the others are cut.",
      "One of the masters that granted it is killed and started again. It has nothing on disk, so it has forgotten. B asks.",
      "The same once more, with clients that have the restart guard.",
    ],
    expected: "Without the guard A and B both hold. With it the restarted master is kept out until A's lock has ended.",
    n: { least: 3, most: LAB_NODES_MAX, usual: 5 },

    async play(stage) {
      const bare = await stage.enter("A", "without the guard");
      const rival = await stage.enter("B", "without the guard");
      await act(stage, { holder: bare, rival, resource: DOOR });
      const guardTtlMs = isGuarded ? TTL_MS : null;
      const guarded = await stage.enter("C", "with the restart guard", guardTtlMs);
      const guardedRival = await stage.enter("D", "with the restart guard", guardTtlMs);
      if (isGuarded) await stage.bootstrap(guarded);
      stage.tell("The same again, with the restart guard: an operator has said that no lock is held.");
      await act(stage, { holder: guarded, rival: guardedRival, resource: SECOND_DOOR });
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

async function act(
  stage: Stage,
  { holder, rival, resource }: { readonly holder: Actor; readonly rival: Actor; readonly resource: string },
): Promise<void> {
  const { nodes, quorum } = stage;
  const voters = stage.pick(quorum);
  const others = nodes.filter((node) => !voters.includes(node));
  await stage.cut(holder, others);
  const held = await stage.acquire(holder, resource, TTL_MS);
  if (held.kind !== "granted") throw new Error(`${holder.name} was refused a free lock: ${held.text}.`);
  stage.tell(`${holder.name} holds the lock by the votes of ${voters.join(", ")}, a bare majority.`);
  const [victim = ""] = voters;
  await stage.kill(victim);
  await stage.until((sights) => sights.get(victim)?.state === "down", `node ${victim} to be down`);
  await stage.heal(victim);
  await stage.until((sights) => sights.get(victim)?.state === "up", `node ${victim} to be up`);
  stage.tell(`${victim} crashed and is back. It has nothing on disk, so it has forgotten its vote.`);
  await stage.reach(rival, nodes);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await stage.acquire(rival, resource, TTL_MS);
    if (taken.kind === "granted") {
      stage.tell(
        `${rival.name} is granted the lock${taken.atUs < held.untilUs ? ` while ${holder.name} believes to hold it: two holders` : `: ${holder.name}'s has ended`}.`,
      );
      break;
    }
    if (tries === 0)
      stage.tell(`${rival.name} is refused: ${taken.votes.map(({ node, text }) => `${node} ${text}`).join("; ")}.`);
    await stage.pauseMs(AGAIN_MS);
  }
  await stage.mend(holder, others);
}
