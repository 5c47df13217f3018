import { LAB_NODES_MAX, type LabEvent, type LabVote } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import { judge } from "../judge";
import { BARE_MAJORITY, whetherGranted } from "../questions";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR, type Stage } from "../stage";
import { take } from "../tries";

const TTL_MS = 8000;
const STEP_MS = 20_000;
/** Clocks of one machine differ by nothing; a busy one reads them late. */
const AGREE_MS = 500;
const FENCED = "fenced ledger";
const TRIES_MAX = 10;
const AGAIN_MS = 200;

const NEXT_ACT = "The clocks are right again";

const QUESTIONS: readonly Question[] = [
  BARE_MAJORITY,
  {
    id: "minority",
    before: "has its clock set",
    ask: "The clock of one of A's voters (two of an even number) jumps ahead, and A's key is gone there. B compares clocks, X looks at nothing but keys. Who is granted the lock beside A?",
    options: ["Nobody", "Only X", "Only B", "Both"],
    answer(events, n) {
      const answers = of(events, "raw").filter(({ client }) => client === "X");
      if (answers.length < n) return null;
      const isTaken = answers.filter(({ answer }) => answer === "+OK").length >= quorumOf(n);
      const isGranted = of(events, "granted").some(({ client }) => client === "B");
      return (isTaken ? 1 : 0) + (isGranted ? 2 : 0);
    },
  },
  {
    id: "majority",
    before: NEXT_ACT,
    ask: "This time the clocks of a majority jump ahead together while C holds. What is D told, which compares clocks?",
    options: ["Refused: it sees who is wrong", "Granted: two holders"],
    answer(events) {
      if (of(events, "granted").some(({ client }) => client === "D")) return 1;
      return whetherGranted(events, "D");
    },
  },
];

/** Keys expire by the wall clock of their master, which an administrator or a broken time server can set. */
export const clocks: Scenario = {
  id: "clocks",
  title: "The wrong time",
  question: "A key lives until its master's wall clock says so. What if that clock jumps?",
  steps: [
    "The clocks of all masters are measured.",
    `A takes a lock on a bare majority. The clock of one of these masters (two of an even number) is set ${STEP_MS / 1000} s ahead. B asks with this engine, X as clients do that look at nothing but keys.`,
    "C takes another lock. The clocks of a majority are set ahead. D asks.",
  ],
  expected:
    "One wrong clock is seen by comparing with the others: X takes the lock from A, B does not. When a majority is wrong nobody can tell, and C and D both hold; the fencing token still tells who was later.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },
  servers: { hasShim: true },
  questions: QUESTIONS,

  async play(stage) {
    await stage.heard(
      (events) => of(events, "clock").find(() => measured(events) === stage.nodes.length),
      "every clock to be measured",
    );
    stage.tell("All clocks are measured, and agree.");
    const { emulatedBecause } = stage.clocks;
    if (emulatedBecause !== null) {
      stage.tell(`From here on wrong clocks are emulated, not real: ${emulatedBecause}.`);
    }
    await minority(stage);
    await majority(stage);
  },

  check(events, n) {
    const first = [
      ...new Map(
        of(events, "clock")
          .toReversed()
          .map((event) => [event.node, event.offsetMs]),
      ).values(),
    ];
    const agree = {
      says: `Every clock was measured, and all agreed within ${AGREE_MS} ms`,
      isMet: first.length === n && Math.max(...first) - Math.min(...first) <= AGREE_MS,
    };
    const grantedTo = (client: string) => of(events, "granted").find((event) => event.client === client);
    const [own, held, next] = [grantedTo("A"), grantedTo("C"), grantedTo("D")];
    const asked = of(events, "refused").filter(({ client }) => client === "B");
    const taken = of(events, "raw").filter(({ answer }) => answer === "+OK");
    const { overlaps } = judge(events);
    const jumped = of(events, "fault").filter(({ act }) => act === "clock");
    return [
      agree,
      {
        says: "Each jump of a clock was measured",
        isMet: jumped.length > 0 && of(events, "clock").filter(isAhead).length >= jumped.length,
      },
      {
        says: "X was granted a majority of the votes while A believed to hold the lock",
        isMet: own !== undefined && taken.length >= quorumOf(n) && taken.every(({ atMs }) => atMs < own.untilMs),
      },
      {
        says: "B was refused, and told whose clock is wrong",
        isMet: grantedTo("B") === undefined && asked.some(({ votes }) => votes.some(isAboutClock)),
      },
      {
        says: "When a majority was wrong C and D believed to hold the lock at the same time",
        isMet: overlaps.length === 1 && overlaps.every((each) => each.first.resource === SECOND_DOOR),
      },
      {
        says: "D's fencing token was higher, so C's late write was refused",
        isMet:
          (held?.fence ?? Number.POSITIVE_INFINITY) < (next?.fence ?? 0) &&
          of(events, "write")
            .map(({ client, isAccepted }) => `${client} ${isAccepted}`)
            .join() === "D true,C false",
      },
    ];
  },
};

function isAboutClock({ kind, text }: LabVote): boolean {
  return kind === "error" && /its clock (is|was) /.test(text);
}

function measured(events: Parameters<typeof of>[0]): number {
  return new Set(of(events, "clock").map(({ node }) => node)).size;
}

/** Sets the clocks of nodes, and waits until that has been measured. */
async function setClocks(stage: Stage, nodes: readonly string[], aheadMs: number): Promise<void> {
  for (const node of nodes) await stage.clocks.set(node, aheadMs);
  const isMeasured = (events: readonly LabEvent[]): boolean => {
    const latest = new Map(of(events, "clock").map((event) => [event.node, event]));
    return nodes.every((node) => {
      const event = latest.get(node);
      return event !== undefined && isAhead(event) === aheadMs > 0;
    });
  };
  await stage.heard((events) => (isMeasured(events) ? events.at(-1) : undefined), "the clocks to be measured");
}

function isAhead({ offsetMs }: { readonly offsetMs: number }): boolean {
  return offsetMs > STEP_MS / 2;
}

async function minority(stage: Stage): Promise<void> {
  const { nodes, quorum, clocks } = stage;
  const [holder, rival, careless] = await Promise.all([
    stage.enter("A", "holds the lock"),
    stage.enter("B", "has this engine, which compares clocks"),
    stage.enter("X", "sends SET NX PX and looks at nothing else"),
  ]);
  const voters = stage.pick(quorum);
  const others = nodes.filter((node) => !voters.includes(node));
  holder.ways.cut(others);
  await take(holder, DOOR, TTL_MS);
  const wrong = voters.slice(0, 2 * quorum - nodes.length);
  await setClocks(stage, wrong, STEP_MS);
  await stage.until(
    (sights) => wrong.every((node) => sights.get(node)?.holders[DOOR] === undefined),
    "the keys to expire",
  );
  stage.tell(`${wrong.join(", ")} jumped ahead, and the key of A is gone there, long before its time.`);
  // A vote that is late by the step, as below, is what the emulation has not.
  if (clocks.emulatedBecause !== null) await rival.readClocks();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const asked = await rival.acquire(DOOR, TTL_MS);
    if (asked.kind === "granted") break;
    const found = asked.votes.filter(isAboutClock);
    stage.tell(
      found.length === 0
        ? "B is refused. The first vote that is late by the wrong clock only shows that something is wrong."
        : `B is refused: ${found.map(({ node, text }) => `${node} ${text}`).join("; ")}.`,
    );
    if (found.length > 0) break;
    await stage.pauseMs(AGAIN_MS);
    // Asks for the clocks as well: on a busy machine the first answers may have been too slow to tell.
    await rival.reach(nodes);
  }
  let votes = 0;
  for (const node of nodes) {
    const answer = await careless.raw(node, ["SET", DOOR, "careless", "NX", "PX", String(TTL_MS)]);
    if (answer === "+OK") votes += 1;
  }
  stage.tell(`X was granted ${votes} of ${nodes.length} votes, so it would hold the lock beside A.`);
  await setClocks(stage, wrong, 0);
  await holder.ways.mend(others);
  stage.tell(`${NEXT_ACT}. C takes another lock.`);
}

async function majority(stage: Stage): Promise<void> {
  const { quorum, clocks } = stage;
  const [holder, next, fenced] = await Promise.all([
    stage.enter("C", "holds another lock"),
    stage.enter("D", "has this engine"),
    stage.ledger(FENCED, true),
  ]);
  const held = await take(holder, SECOND_DOOR, TTL_MS, { fencing: true });
  const wrong = stage.pick(quorum);
  await setClocks(stage, wrong, STEP_MS);
  await stage.until(
    (sights) => wrong.every((node) => sights.get(node)?.holders[SECOND_DOOR] === undefined),
    "the keys to expire",
  );
  stage.tell(`${wrong.join(", ")}, a majority, jumped ahead together. Who is right now?`);
  if (clocks.emulatedBecause !== null) await next.readClocks();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await next.acquire(SECOND_DOOR, TTL_MS, { fencing: true });
    if (taken.kind === "refused") {
      await stage.pauseMs(AGAIN_MS);
      continue;
    }
    stage.tell(
      "D is granted the lock while C believes to hold it: two holders, and every clock of the majority agrees.",
    );
    await next.write(fenced, { id: taken.id, value: "by D", isFenced: true, workMs: 0, isCareful: false });
    await holder.write(fenced, { id: held.id, value: "by C", isFenced: true, workMs: 0, isCareful: false });
    return;
  }
  stage.tell("D was refused again and again.");
}
