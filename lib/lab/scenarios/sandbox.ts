import { LAB_NODES_MAX } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import { judge } from "../judge";
import { Sandbox } from "../sandbox";
import { of, type Scenario } from "../scenario";

const CLIENTS = 3;
const LOOK_EVERY_MS = 50;
const OPEN_MS = 5 * 60_000;

/** Everything at once, by hand. */
export const sandbox: Scenario = {
  id: "sandbox",
  title: "Sandbox",
  question: "Can you make two clients hold one lock?",
  steps: [
    `${CLIENTS} clients without the restart guard take the lock, hold it and give it back, again and again.`,
    "Kill, pause, cut, delay, set clocks, change what clients do, let others enter: any fault, on anything, at any time.",
    `The run stays open until you end it, ${OPEN_MS / 60_000} minutes at most. Then the record is judged.`,
  ],
  expected:
    "As long as no vote is forgotten and the clocks of a majority are right, no two clients hold the lock. You may do worse.",
  n: { least: 1, most: LAB_NODES_MAX, usual: 5 },
  servers: { hasShim: true },
  limitMs: OPEN_MS + 60_000,

  async play(stage) {
    const run = new Sandbox(stage);
    try {
      for (let count = 0; count < CLIENTS; count += 1) await run.enter(false);
      stage.takeCommands((command) => run.obey(command));
      stage.tell("The sandbox is open: do what you like.");
      const closesMs = stage.nowMs + OPEN_MS;
      while (!run.isOver && !stage.isNearlyFull && stage.nowMs < closesMs) await stage.pauseMs(LOOK_EVERY_MS);
      stage.tell("The sandbox is closed.");
    } finally {
      run.close();
    }
  },

  check(events, n) {
    const granted = of(events, "granted");
    const quorum = quorumOf(n);
    return [
      { says: "Somebody was granted the lock", isMet: granted.length > 0 },
      {
        says: `Nobody was granted it by fewer than ${quorum} of ${n} votes`,
        isMet: granted.every(({ votes }) => votes.filter(({ kind }) => kind === "granted").length >= quorum),
      },
      { says: "No two believed to hold it at the same time", isMet: judge(events).overlaps.length === 0 },
    ];
  },
};
