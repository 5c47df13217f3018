import { LAB_NODES_MAX } from "@/lib/contract";
import { DRIFT_FACTOR, driftMs } from "@/lib/redlock";
import type { Actor } from "../actor";
import { judge } from "../judge";
import { firstTry, whetherGranted } from "../questions";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR, type Stage } from "../stage";
import { insist } from "../tries";

const TTL_MS = 8000;
/** Of the one that sleeps. */
const SHORT_TTL_MS = 3000;
/** Patient with its nodes, so that a slow answer is an answer. */
const NODE_TIMEOUT_MS = 6000;
const REPLIES_LATE_MS = 2000;
/** What B's job takes: more than a slow acquire leaves. */
const NEEDED_MS = 6500;
/** Room for what a process does between two readings of the clock: a busy machine may stop it there. */
const SLACK_MS = 200;

const QUESTIONS: readonly Question[] = [
  {
    id: "slow-answer",
    before: "loses replies",
    ask: `A asks for ${TTL_MS} ms, and the answers take ${REPLIES_LATE_MS} ms. For how long does it believe when it hears them?`,
    options: [`For ${TTL_MS} ms`, `For less than ${TTL_MS - REPLIES_LATE_MS} ms`],
    answer(events) {
      const own = firstTry(events, "A");
      return own?.kind === "granted" ? Number(own.untilMs - own.atMs < TTL_MS - REPLIES_LATE_MS) : null;
    },
  },
  {
    id: "asleep",
    before: "paused (SIGSTOP)",
    ask: "The masters have voted for D, and D sleeps until its lock has expired. What does it claim when it wakes?",
    options: ["Nothing", "The lock: it has won"],
    answer: (events) => whetherGranted(events, "D"),
  },
];

/** The time that an acquire takes is time of the lock. */
export const validity: Scenario = {
  id: "validity",
  title: "A slow win is a short lock",
  question: "The masters vote at once, and their answers take long. From when on does the time of the lock run?",
  steps: [
    `A asks for ${TTL_MS} ms. The replies are held for ${REPLIES_LATE_MS} ms. B waits for the lock.`,
    `C asks the same way, and needs ${NEEDED_MS} ms to be left.`,
    "D asks, and its process is stopped before it hears the replies, for longer than its lock lives.",
  ],
  expected:
    "Time runs from the first request, so A's lock is shorter by what the answers took and by the drift. C and D won too late, which is a loss: they claim nothing and leave nothing.",
  n: { least: 1, most: LAB_NODES_MAX, usual: 5 },
  questions: QUESTIONS,

  async play(stage) {
    const [slow, next, choosy, sleeper] = await Promise.all([
      stage.enter("A", "hears late", { nodeTimeoutMs: NODE_TIMEOUT_MS }),
      stage.enter("B", "waits for the lock"),
      stage.enter("C", `needs ${NEEDED_MS} ms`, { nodeTimeoutMs: NODE_TIMEOUT_MS }),
      stage.enter("D", "falls asleep in the middle of its acquire", { nodeTimeoutMs: NODE_TIMEOUT_MS }),
    ]);
    await asksSlowly(stage, slow, next);
    await asksForMuch(stage, choosy);
    await fallsAsleep(stage, sleeper);
  },

  check(events) {
    const granted = (client: string) => of(events, "granted").find((event) => event.client === client);
    const refused = (client: string) => of(events, "refused").find((event) => event.client === client);
    const [own, next] = [granted("A"), granted("B")];
    const [late, asleep] = [refused("C"), refused("D")];
    const mostMs = TTL_MS - driftMs(TTL_MS, DRIFT_FACTOR);
    const votesOf = (event: typeof late) => event?.votes.filter(({ kind }) => kind === "granted").length ?? 0;
    return [
      {
        says: `A heard after ${REPLIES_LATE_MS} ms and believed for what was left, less the drift`,
        isMet:
          own !== undefined &&
          own.atMs - own.askedMs >= REPLIES_LATE_MS &&
          own.untilMs - own.askedMs <= mostMs + SLACK_MS,
      },
      {
        says: "B was granted the lock when A's time was over, and while a client that counts from the answer would still believe",
        isMet: own !== undefined && next !== undefined && next.atMs > own.untilMs && next.atMs < own.atMs + TTL_MS,
      },
      {
        says: "C had its majority, too late, and was refused",
        isMet: late !== undefined && votesOf(late) > late.votes.length / 2 && late.text.includes("too late"),
      },
      {
        says: "D woke after its lock had expired and claimed nothing",
        isMet: asleep !== undefined && asleep.atMs - asleep.askedMs > SHORT_TTL_MS && granted("D") === undefined,
      },
      { says: "No two held the lock", isMet: own !== undefined && judge(events).overlaps.length === 0 },
    ];
  },
};

async function asksSlowly(stage: Stage, slow: Actor, next: Actor): Promise<void> {
  slow.ways.deafen(stage.nodes);
  const asking = slow.acquire(DOOR, TTL_MS);
  asking.catch(() => {});
  await voted(stage, DOOR);
  stage.tell("The masters vote for A. Their replies are on their way, and the time of the keys runs.");
  await stage.pauseMs(REPLIES_LATE_MS);
  await slow.ways.mend(stage.nodes);
  const won = await asking;
  if (won.kind === "granted") {
    const leftMs = Math.round((won.untilUs - won.atUs) / 1000);
    stage.tell(`A hears that it has won, and believes for ${leftMs} ms more, not for ${TTL_MS}.`);
  }
  const taken = await insist(stage, next, { resource: DOOR, ttlMs: TTL_MS });
  stage.tell("A's time is over and B holds the lock. A client that counts from the answer would still believe.");
  await next.release(taken.id);
}

async function asksForMuch(stage: Stage, choosy: Actor): Promise<void> {
  choosy.ways.deafen(stage.nodes);
  const asking = choosy.acquire(SECOND_DOOR, TTL_MS, { minValidityMs: NEEDED_MS });
  asking.catch(() => {});
  await voted(stage, SECOND_DOOR);
  await stage.pauseMs(REPLIES_LATE_MS);
  await choosy.ways.mend(stage.nodes);
  const lost = await asking;
  if (lost.kind === "refused") stage.tell("C has every vote and not enough time: a loss. It takes its votes back.");
  await free(stage, SECOND_DOOR);
}

async function fallsAsleep(stage: Stage, sleeper: Actor): Promise<void> {
  sleeper.ways.deafen(stage.nodes);
  const asking = sleeper.acquire(SECOND_DOOR, SHORT_TTL_MS);
  asking.catch(() => {});
  await voted(stage, SECOND_DOOR);
  sleeper.pause();
  await sleeper.ways.mend(stage.nodes);
  stage.tell("The masters vote for D. Their replies lie at its door, and it is asleep.");
  await free(stage, SECOND_DOOR);
  sleeper.resume();
  const lost = await asking;
  if (lost.kind === "refused") stage.tell("D wakes, finds that its time is over, and claims nothing.");
}

/** Waits until a node has the key: its client asked all of them at the same time. */
function voted(stage: Stage, resource: string): Promise<void> {
  return stage.until(
    (sights) => [...sights.values()].some(({ holders }) => holders[resource] !== undefined),
    `a vote for ${resource}`,
  );
}

function free(stage: Stage, resource: string): Promise<void> {
  return stage.until(
    (sights) => [...sights.values()].every(({ holders }) => holders[resource] === undefined),
    `${resource} to be free on every node`,
  );
}
