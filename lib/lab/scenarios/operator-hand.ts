import { LAB_NODES_MAX, type LabEvent } from "@/lib/contract";
import { judge } from "../judge";
import { of, type Scenario } from "../scenario";
import { type Actor, DOOR, SECOND_DOOR, type Stage } from "../stage";

const TTL_MS = 5000;
const AGAIN_MS = 250;
const TRIES_MAX = 100;

const WAITS = ["Yes, until A's time is over", "No: two holders"];

/** What force-expire and revoke do to somebody who still believes. */
export const operatorHand: Scenario = {
  id: "operator-hand",
  title: "The operator's hand",
  question:
    "A holder does nothing any more, and an operator takes its lock away. Can the next one hold it while the old one still believes?",
  steps: [
    "A holds a lock and is not told anything. The operator force-expires it: its token is deleted. B asks.",
    "A holds another lock. The operator revokes it: the token is swapped, the remaining time stays. B asks again and again.",
  ],
  expected: "After a force-expire B holds at once, beside A's belief. After a revoke B waits until A's belief is over.",
  n: { least: 1, most: LAB_NODES_MAX, usual: 5 },

  questions: [
    {
      id: "force-expire",
      before: "force-expire",
      ask: "The operator force-expires the lock: A's token is deleted, and A is not told. Does B have to wait?",
      options: WAITS,
      answer: (events) => waitOf(events, DOOR),
    },
    {
      id: "revoke",
      before: "revoke",
      ask: "This time the operator revokes it: the token is swapped, the remaining time stays. Does B have to wait?",
      options: WAITS,
      answer: (events) => waitOf(events, SECOND_DOOR),
    },
  ],

  async play(stage) {
    const [holder, next] = await Promise.all([
      stage.enter("A", "takes locks and does nothing more"),
      stage.enter("B", "waits for the lock"),
    ]);
    await takeAway(stage, { holder, next, action: "force-expire", resource: DOOR });
    await takeAway(stage, { holder, next, action: "revoke", resource: SECOND_DOOR });
  },

  check(events) {
    const { overlaps } = judge(events);
    const [revoked] = of(events, "granted").filter(
      ({ client, resource }) => client === "A" && resource === SECOND_DOOR,
    );
    const [late] = of(events, "granted").filter(({ client, resource }) => client === "B" && resource === SECOND_DOOR);
    return [
      {
        says: "After the force-expire B held the lock while A believed to hold it",
        isMet: overlaps.some(({ first }) => first.resource === DOOR),
      },
      {
        says: "After the revoke no two held it",
        isMet: revoked !== undefined && !overlaps.some(({ first }) => first.resource === SECOND_DOOR),
      },
      {
        says: "B was refused as long as A believed, and was granted it then",
        isMet:
          revoked !== undefined && late !== undefined && late.askedMs > revoked.atMs && late.atMs > revoked.untilMs,
      },
    ];
  },
};

/** Whether B was granted the lock beside A's belief. @returns index into WAITS */
function waitOf(events: readonly LabEvent[], resource: string): number | null {
  const next = of(events, "granted").find((event) => event.client === "B" && event.resource === resource);
  return next === undefined ? null : Number(judge(events).overlaps.some(({ first }) => first.resource === resource));
}

interface Taking {
  readonly holder: Actor;
  readonly next: Actor;
  readonly action: "force-expire" | "revoke";
  readonly resource: string;
}

async function takeAway(stage: Stage, { holder, next, action, resource }: Taking): Promise<void> {
  const held = await stage.acquire(holder, resource, TTL_MS);
  if (held.kind !== "granted") throw new Error(`A was refused a free lock: ${held.text}.`);
  stage.tell(`A holds ${resource} and does nothing more.`);
  await stage.operate(action, resource);
  stage.tell(action === "revoke" ? "The operator has swapped A's token." : "The operator has deleted A's token.");
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await stage.acquire(next, resource, TTL_MS);
    if (taken.kind === "granted") {
      const isShared = taken.atUs < held.untilUs;
      stage.tell(
        isShared
          ? "B is granted the lock, and A does not know: two holders."
          : "B is granted the lock: A's belief is over.",
      );
      return;
    }
    if (tries === 0) stage.tell("B is refused: the nodes hold the lock for nobody until A's time is over.");
    await stage.pauseMs(AGAIN_MS);
  }
  throw new Error(`B was not granted the lock in ${TRIES_MAX} tries.`);
}
