import { LAB_CROWD, LAB_NODES_MAX, type LabCrowd, type LabEvent } from "@/lib/contract";
import type { Actor } from "../actor";
import type { ClientAnswers } from "../client-task";
import { nowUs } from "../intervals";
import { judge } from "../judge";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, type Stage } from "../stage";

const TTL_MS = 3000;
const FOR_MS = 2500;
const HOLD_MS = 25;
const RETRY_MS = 200;
/** How far away a master is at most: without a distance all clients of a machine are heard in the same order everywhere. */
const FAR_MS_MAX = 12;
/** Rounds in which contests whose times are compared take turns: a machine is busier in one second than in the next. */
const TURNS = 3;
const PROCESSES = 5;
const GATHER_AT_ONCE = 2;
/** No node fails here; so many clients make a busy machine slow. */
const NODE_TIMEOUT_MS = 1500;
/** Until every process knows of the next contest. */
const READY_MS = 100;
/** A lock that is held for so short a time is seen by chance anyway. */
const LOOK_EVERY_MS = 250;

type Contest = Extract<LabEvent, { readonly kind: "contest" }>;

const USUAL: LabCrowd = { clients: 10, isJittered: true, isInTurn: false };
const FEW: LabCrowd = { ...USUAL, clients: LAB_CROWD.least };
const MANY: LabCrowd = { ...USUAL, clients: LAB_CROWD.most };
const IN_TURN: LabCrowd = { ...USUAL, isInTurn: true };
const STIFF: LabCrowd = { ...USUAL, isJittered: false };
/** Those of a group take turns. */
const COMPARED: readonly (readonly LabCrowd[])[] = [[FEW], [MANY], [USUAL, IN_TURN], [STIFF]];

const QUESTIONS: readonly Question[] = [
  {
    id: "waste",
    before: "is long: requests are late",
    ask: "Clients at a distance of their own from each master want one lock at the same moment. For each win, do 50 of them waste more votes than 2?",
    options: ["No: somebody is always first", "Yes: the votes split among more of them"],
    answer(events) {
      const [few, many] = [FEW, MANY].map((crowd) => contestOf(events, crowd));
      return few === undefined || many === undefined ? null : Number(wastePerWin(many) > wastePerWin(few));
    },
  },
];

/** Many clients, one name. */
export const contention: Scenario = {
  id: "contention",
  title: "Everybody wants the same lock",
  question: "Clients ask for one lock at the same time. Does somebody win, how long do they wait, and what is wasted?",
  steps: [
    "As many clients as you choose want one lock, hold it for a moment, and want it again, the way you choose. Each is at a distance of its own from each master, by the seed.",
    "For comparison 2, 50 and 10 clients, with jitter, all masters asked at once.",
    "10 clients that ask one master after the other, each in an order of its own; and 10 whose pauses between two tries are all the same.",
  ],
  expected:
    "Never two at a time. Votes split and are wasted, the more the more clients there are. Asking one master after the other makes each try as long as all its requests together, so that votes have more time to split.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },
  crowd: USUAL,
  lookEveryMs: LOOK_EVERY_MS,
  questions: QUESTIONS,

  async play(stage) {
    const crowd = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) =>
        stage.enter(`P${index + 1}`, "is a process with several clients, each with connections of its own", {
          nodeTimeoutMs: NODE_TIMEOUT_MS,
        }),
      ),
    );
    const each = LAB_CROWD.most / PROCESSES;
    // A few at a time, so that a busy machine has time for each of them.
    for (let gathered = 0; gathered < each; gathered += GATHER_AT_ONCE) {
      const clients = Math.min(each, gathered + GATHER_AT_ONCE);
      await Promise.all(crowd.map((actor) => actor.gather(clients)));
    }
    for (const actor of crowd) {
      actor.ways.putAway(new Map(stage.nodes.map((node) => [node, stage.upTo(FAR_MS_MAX)])));
    }
    for (const group of groupsOf(stage.crowd)) await fight(stage, crowd, group);
  },

  check(events, _, crowd) {
    const contests = of(events, "contest");
    const [few, many, usual, inTurn] = [FEW, MANY, USUAL, IN_TURN].map((each) => contestOf(events, each));
    return [
      {
        says: "No two ever held the lock",
        isMet: of(events, "granted").length > 0 && judge(events).overlaps.length === 0,
      },
      {
        says: "Every contest was fought, yours first; 2 clients won, and so did the usual 10",
        isMet: contests.length === groupsOf(crowd).flat().length && wonIn(few) > 0 && wonIn(usual) > 0,
      },
      {
        says: "50 clients wasted more votes for each win than 2",
        isMet: wastePerWin(many) > wastePerWin(few),
      },
      {
        says: "One master after the other, a try took longer than with all of them asked at once",
        isMet: (inTurn?.tryMs ?? 0) > (usual?.tryMs ?? Number.POSITIVE_INFINITY),
      },
    ];
  },
};

/** What the viewer wants to see first, then what it is compared with. */
function groupsOf(chosen: LabCrowd | null): readonly (readonly LabCrowd[])[] {
  if (chosen === null) return COMPARED;
  const isChosen = (crowd: LabCrowd): boolean => nameOf(crowd) === nameOf(chosen);
  const own = COMPARED.find((group) => group.some(isChosen)) ?? [chosen];
  const first = [chosen, ...own.filter((crowd) => !isChosen(crowd))];
  return [first, ...COMPARED.filter((group) => group !== own)];
}

function nameOf({ clients, isJittered, isInTurn }: LabCrowd): string {
  return [
    `${clients} clients`,
    isJittered ? "pauses by chance" : "pauses all the same",
    isInTurn ? "one master after the other" : "all masters at once",
  ].join(", ");
}

function contestOf(events: readonly LabEvent[], crowd: LabCrowd): Contest | undefined {
  return of(events, "contest").find(({ name }) => name === nameOf(crowd));
}

function wonIn(contest: Contest | undefined): number {
  return contest?.wins.reduce((sum, wins) => sum + wins, 0) ?? 0;
}

function wastePerWin(contest: Contest | undefined): number {
  return contest === undefined ? Number.NaN : contest.wastedVotes / Math.max(1, wonIn(contest));
}

type Answers = readonly ClientAnswers["contend"][];

/** Lets the contests of a group be fought in turns, and notes what each came to. */
async function fight(stage: Stage, actors: readonly Actor[], group: readonly LabCrowd[]): Promise<void> {
  const turns = group.length > 1 ? TURNS : 1;
  const rounds = group.map((): Answers[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, crowd] of group.entries()) {
      rounds[index]?.push(await round(stage, actors, { crowd, forMs: FOR_MS / turns }));
    }
  }
  for (const [index, crowd] of group.entries()) conclude(stage, crowd, rounds[index] ?? []);
}

interface Round {
  readonly crowd: LabCrowd;
  readonly forMs: number;
}

/** @returns one answer for each process that had clients in it, in their order */
function round(stage: Stage, actors: readonly Actor[], { crowd, forMs }: Round): Promise<Answers> {
  const { clients, isJittered, isInTurn } = crowd;
  const startUs = nowUs() + READY_MS * 1000;
  const seed = Math.floor(stage.upTo(2 ** 20));
  const common = { startUs, resource: DOOR, ttlMs: TTL_MS, forMs, holdMs: HOLD_MS, isInTurn };
  const retry = { retryDelayMs: RETRY_MS, retryJitterMs: isJittered ? RETRY_MS : 0 };
  return Promise.all(
    sharesOf(clients, actors.length).flatMap((share, index) => {
      const actor = actors[index];
      if (actor === undefined || share === 0) return [];
      return [actor.contend(nameOf(crowd), { ...common, ...retry, clients: share, seed: seed + 100 * index })];
    }),
  );
}

function conclude(stage: Stage, crowd: LabCrowd, rounds: readonly Answers[]): void {
  const name = nameOf(crowd);
  const answers = rounds.flat();
  const wins = sharesOf(crowd.clients, PROCESSES).flatMap((share, process) =>
    Array.from({ length: share }, (_, client) =>
      rounds.reduce((sum, own) => sum + (own[process]?.wins.filter((win) => win.client === client).length ?? 0), 0),
    ),
  );
  stage.note({ kind: "contest", name, crowd, wins, tookMs: FOR_MS, ...sumsOf(answers) });
  const winners = wins.filter((each) => each > 0).length;
  const won = wins.reduce((sum, each) => sum + each, 0);
  stage.tell(`${name}: ${won} wins, by ${winners} of them. Nobody arranged who, and no two at a time.`);
}

/** How many clients each process has. */
function sharesOf(clients: number, processes: number): readonly number[] {
  return Array.from({ length: processes }, (_, index) => Math.floor((clients + processes - 1 - index) / processes));
}

function sumsOf(answers: Answers): Omit<Contest, "kind" | "atMs" | "name" | "crowd" | "wins" | "tookMs"> {
  const sum = (of: (answer: Answers[number]) => number) => answers.reduce((all, each) => all + of(each), 0);
  const triesMs = answers.flatMap((answer) => answer.triesMs).sort((a, b) => a - b);
  const waits = answers.flatMap((answer) => answer.wins.map(({ waitedMs }) => waitedMs)).sort((a, b) => a - b);
  return {
    tries: sum(({ tries }) => tries),
    tryMs: triesMs[triesMs.length >> 1] ?? 0,
    splitTries: sum(({ splitTries }) => splitTries),
    wastedVotes: sum(({ wastedVotes }) => wastedVotes),
    commands: sum(({ commands }) => commands),
    wastedCommands: sum(({ wastedCommands }) => wastedCommands),
    waitMs: waits.length === 0 ? null : { median: waits[waits.length >> 1] ?? 0, most: waits.at(-1) ?? 0 },
  };
}
