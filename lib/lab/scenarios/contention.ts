import { LAB_NODES_MAX, type LabEvent } from "@/lib/contract";
import type { Actor } from "../actor";
import { nowUs } from "../intervals";
import { judge } from "../judge";
import { of, type Scenario } from "../scenario";
import { DOOR, type Stage } from "../stage";

const TTL_MS = 3000;
const FOR_MS = 2500;
const HOLD_MS = 25;
const RETRY_MS = 200;
/** How far away a master is at most: without a distance all clients of a machine are heard in the same order everywhere. */
const FAR_MS_MAX = 6;
const PROCESSES = 5;
/** No node fails here; so many clients make a busy machine slow. */
const NODE_TIMEOUT_MS = 1500;
/** Until every process knows of the next contest. */
const READY_MS = 100;

type Contest = Extract<LabEvent, { readonly kind: "contest" }>;

interface Rules {
  readonly name: string;
  readonly clients: number;
  readonly isJittered?: boolean;
  readonly isInTurn?: boolean;
}

const FEW = { name: "2 clients", clients: 2 };
const SOME = { name: "10 clients", clients: 10 };
const MANY = { name: "50 clients", clients: 50 };
const STIFF = { name: "10 clients, pauses all the same", clients: 10, isJittered: false };
const IN_TURN = { name: "10 clients, masters asked one after the other", clients: 10, isInTurn: true };
const CONTESTS: readonly Rules[] = [FEW, SOME, MANY, STIFF, IN_TURN];

/** Many clients, one name. */
export const contention: Scenario = {
  id: "contention",
  title: "Everybody wants the same lock",
  question:
    "Up to 50 clients ask for one lock at the same time. Does somebody win, how long do they wait, and what is wasted?",
  steps: [
    "2, 10 and then 50 clients want one lock, hold it for a moment, and want it again. Each is at a distance of its own from each master, by the seed.",
    "10 clients whose pauses between two tries are all the same, without jitter.",
    "10 clients that ask one master after the other, each in an order of its own, instead of all at once.",
  ],
  expected:
    "Never two at a time. Votes split and are wasted, the more the more clients there are. Asking one master after the other makes each try as long as all its requests together, so that votes have more time to split.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },

  async play(stage) {
    const crowd = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) =>
        stage.enter(`P${index + 1}`, "is a process with several clients, each with connections of its own", {
          nodeTimeoutMs: NODE_TIMEOUT_MS,
        }),
      ),
    );
    await Promise.all(crowd.map((actor) => actor.gather(MANY.clients / PROCESSES)));
    for (const actor of crowd) {
      for (const node of stage.nodes) actor.putAway(node, stage.upTo(FAR_MS_MAX));
    }
    for (const rules of CONTESTS) await contest(stage, crowd, rules);
  },

  check(events) {
    const contests = of(events, "contest");
    const named = ({ name }: Rules) => contests.find((each) => each.name === name);
    const [few, some, many, inTurn] = [FEW, SOME, MANY, IN_TURN].map(named);
    return [
      {
        says: "No two ever held the lock",
        isMet: of(events, "granted").length > 0 && judge(events).overlaps.length === 0,
      },
      {
        says: "Every contest was fought, and 2 and 10 clients won",
        isMet: contests.length === CONTESTS.length && wonIn(few) > 0 && wonIn(some) > 0,
      },
      {
        says: "50 clients wasted more votes for each win than 2",
        isMet: wastePerWin(many) > wastePerWin(few),
      },
      {
        says: "One master after the other, a try took longer than with all of them asked at once",
        isMet: (inTurn?.tryMs ?? 0) > (some?.tryMs ?? Number.POSITIVE_INFINITY),
      },
    ];
  },
};

function wonIn(contest: Contest | undefined): number {
  return contest?.wins.reduce((sum, wins) => sum + wins, 0) ?? 0;
}

function wastePerWin(contest: Contest | undefined): number {
  return contest === undefined ? Number.NaN : contest.wastedVotes / Math.max(1, wonIn(contest));
}

async function contest(stage: Stage, crowd: readonly Actor[], rules: Rules): Promise<void> {
  const { name, clients, isJittered = true, isInTurn = false } = rules;
  const share = crowd.map((_, index) => Math.floor((clients + crowd.length - 1 - index) / crowd.length));
  const startUs = nowUs() + READY_MS * 1000;
  const seed = Math.floor(stage.upTo(2 ** 20));
  const answers = await Promise.all(
    crowd.flatMap((actor, index) => {
      const own = share[index] ?? 0;
      if (own === 0) return [];
      const common = { startUs, resource: DOOR, ttlMs: TTL_MS, forMs: FOR_MS, holdMs: HOLD_MS, isInTurn };
      const retry = { retryDelayMs: RETRY_MS, retryJitterMs: isJittered ? RETRY_MS : 0 };
      return [actor.contend({ ...common, ...retry, clients: own, seed: seed + 100 * index })];
    }),
  );
  const sum = (of: (answer: (typeof answers)[number]) => number) => answers.reduce((all, each) => all + of(each), 0);
  const wins = answers.flatMap((answer, index) =>
    Array.from({ length: share[index] ?? 0 }, (_, client) => answer.wins.filter((win) => win.client === client).length),
  );
  const triesMs = answers.flatMap((answer) => answer.triesMs).sort((a, b) => a - b);
  const waits = answers.flatMap((answer) => answer.wins.map(({ waitedMs }) => waitedMs)).sort((a, b) => a - b);
  stage.note({
    kind: "contest",
    ...{ name, clients, isJittered, isInTurn, wins, tookMs: FOR_MS },
    tries: sum(({ tries }) => tries),
    tryMs: triesMs[triesMs.length >> 1] ?? 0,
    splitTries: sum(({ splitTries }) => splitTries),
    wastedVotes: sum(({ wastedVotes }) => wastedVotes),
    commands: sum(({ commands }) => commands),
    waitMs: waits.length === 0 ? null : { median: waits[waits.length >> 1] ?? 0, most: waits.at(-1) ?? 0 },
  });
  const winners = wins.filter((each) => each > 0).length;
  stage.tell(`${name}: ${waits.length} wins, by ${winners} of them. Nobody arranged who, and no two at a time.`);
}
