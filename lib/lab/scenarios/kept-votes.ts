import { LAB_NODES_MAX, type LabCheck, type LabEvent } from "@/lib/contract";
import { judge } from "../judge";
import { BARE_MAJORITY, whetherGranted } from "../questions";
import { of, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR, type Stage } from "../stage";
import { restartVoters } from "./restarted-voter";

const TTL_MS = 8000;
/** A busy disk takes its time for each vote. */
const DISK_TIMEOUT_MS = 1500;
/** A server writes after two seconds at the latest, however slow its disk: the nodes that are cut off must not cost so much. */
const QUICK_TIMEOUT_MS = 300;
/** No fsync ends before its server does. */
const NEVER_MS = 60_000;
const WAITING_WITHIN_MS = 8000;
const LOOK_EVERY_MS = 25;
const RESTART = "started again with what its disk has";
/** How many operations on its disk a server waits for. */
const PENDING = "return tonumber(string.match(redis.call('INFO','persistence'),'aof_pending_bio_fsync:(%d+)'))";

const n = { least: 3, most: LAB_NODES_MAX, usual: 5 };

/** Whether what is left of the votes refuses the one that asks next. */
const REFUSED_OR_NOT = ["Refused: they have their votes again", "Granted: two holders"];

/** The log is on disk before a vote is. */
export const restartAlways: Scenario = {
  id: "restart-always",
  title: "Crash and restart with a log that is synced at once",
  question: "The same crash, on masters with appendfsync always. What does the master know when it is back?",
  steps: [
    "A takes the lock on a bare majority of masters that write every vote to disk before they answer.",
    "As many of them as any two majorities share are killed and started again. B asks, and A gives its lock back.",
  ],
  expected:
    "They come back with their votes, so B is refused as long as A holds. It costs a write to disk for each vote.",
  n,
  servers: { args: ["--appendonly", "yes", "--appendfsync", "always"] },

  questions: [
    BARE_MAJORITY,
    {
      id: "always",
      before: "killed (SIGKILL)",
      ask: "Voters of A, which write each vote to disk before they answer, are killed and started again. What is B told while A holds?",
      options: REFUSED_OR_NOT,
      answer: (events) => whetherGranted(events, "B"),
    },
  ],

  play: (stage) =>
    restartVoters(stage, {
      ...{ names: ["A", "B"], text: "on masters that sync each vote", resource: DOOR, ttlMs: TTL_MS },
      ...{ back: "It has read its log, and has its vote again.", restart: RESTART, isGivenBack: true },
      ...{ isKept: true, nodeTimeoutMs: DISK_TIMEOUT_MS },
    }),

  check: (events) => keptChecks(events, DOOR),
};

/** The log is on disk a second later, or much later. */
export const restartEverysec: Scenario = {
  id: "restart-everysec",
  title: "Crash and restart with a log that is synced every second",
  question: "appendfsync everysec loses a second of votes when the power fails. And when only the process is killed?",
  steps: [
    "A takes the lock on a bare majority. As many of those masters as any two majorities share are killed and started again. B asks.",
    "Another lock, and the disks of these masters are so slow that the server waits for them, holding back what it would write. Then the same.",
  ],
  expected:
    "A vote that the operating system has survives the kill of the process. With a slow disk it may not even have that, so A and B both hold: everysec is no substitute for the restart guard.",
  n,
  servers: { args: ["--appendonly", "yes", "--appendfsync", "everysec"], hasShim: true },

  questions: [
    BARE_MAJORITY,
    {
      id: "everysec",
      before: "killed (SIGKILL)",
      ask: "Their logs are synced every second. Voters of A are killed right after they voted, and started again. What is B told while A holds?",
      options: REFUSED_OR_NOT,
      answer: (events) => whetherGranted(events, "B"),
    },
    {
      id: "slow-disk",
      before: "has a disk that takes",
      ask: "Now their disks are so slow that the servers wait for them. C takes a lock, the voters are killed and started again. What is D told while C holds?",
      options: REFUSED_OR_NOT,
      answer: (events) => whetherGranted(events, "D"),
    },
  ],

  async play(stage) {
    const common = { ttlMs: TTL_MS, restart: RESTART, isGivenBack: true };
    await restartVoters(stage, {
      ...common,
      ...{ names: ["A", "B"], text: "on masters with quick disks", resource: DOOR },
      isKept: true,
      back: "Its log had reached the operating system, so it has its vote again.",
    });
    const { machines } = stage;
    const { shimProblem } = machines;
    if (shimProblem !== null) {
      stage.note({ kind: "left_out", text: "the slow disk", because: shimProblem });
      return;
    }
    await restartVoters(stage, {
      ...common,
      ...{ names: ["C", "D"], text: "on masters with slow disks", resource: SECOND_DOOR },
      prepare: (nodes) => Promise.all(nodes.map((node) => waitsForDisk(stage, node))).then(() => {}),
      repair: (node) => machines.slowDisk(node, 0),
      nodeTimeoutMs: QUICK_TIMEOUT_MS,
      back: "It was waiting for its disk when it voted, and had written nothing: the vote is lost.",
    });
  },

  check(events) {
    const kept = keptChecks(events, DOOR);
    if (of(events, "left_out").length > 0) return kept;
    const isShared = judge(events).overlaps.some(({ first }) => first.resource === SECOND_DOOR);
    return [...kept, { says: "With slow disks C and D believed to hold the lock at the same time", isMet: isShared }];
  },
};

function keptChecks(events: readonly LabEvent[], resource: string): readonly LabCheck[] {
  const [held, next] = of(events, "granted").filter((event) => event.resource === resource);
  const [refused] = of(events, "refused").filter((event) => event.client === "B" && event.resource === resource);
  const restarted = of(events, "fault").filter(({ text }) => text === RESTART);
  const isBack = restarted.some(({ atMs, target }) =>
    of(events, "node").some(
      (event) =>
        target === `node ${event.node}` &&
        event.atMs > atMs &&
        event.keys.some((key) => key.resource === resource && key.holder === held?.holder),
    ),
  );
  return [
    { says: "A restarted master was seen with A's vote again", isMet: isBack },
    { says: "B was refused while A held", isMet: refused !== undefined },
    {
      says: "B was granted the lock when A had given it back, and no two held it",
      isMet:
        next !== undefined &&
        next.client === "B" &&
        !judge(events).overlaps.some(({ first }) => first.resource === resource),
    },
  ];
}

/** Makes a server's disk slow and waits until the server has noticed: until then it writes at once. */
async function waitsForDisk(stage: Stage, node: string): Promise<void> {
  const { machines } = stage;
  machines.slowDisk(node, NEVER_MS);
  const deadline = stage.nowMs + WAITING_WITHIN_MS;
  for (;;) {
    await machines.ask(node, ["SET", "lab:unrelated", "", "PX", "1000"]);
    if (((await machines.ask(node, ["EVAL", PENDING, "0"])) ?? ":0") !== ":0") return;
    if (stage.nowMs > deadline)
      throw new Error(`Node ${node} did not wait for its disk within ${WAITING_WITHIN_MS} ms.`);
    await stage.pauseMs(LOOK_EVERY_MS);
  }
}
