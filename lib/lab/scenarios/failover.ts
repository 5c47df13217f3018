import type { Actor } from "../actor";
import { judge } from "../judge";
import { whenGuarded, whetherGranted } from "../questions";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR, type Stage } from "../stage";
import { insist, take } from "../tries";

const TTL_MS = 5000;
/** Two holders at once last long enough to be seen. */
const SEEN_MS = 600;

const QUESTIONS: readonly Question[] = [
  {
    id: "unheard",
    before: "cut: replication is held",
    ask: "b hears nothing of its master any more. A asks a, the master. What is A told?",
    options: ["Refused: the replica must have it too", "Granted"],
    answer(events) {
      const cut = of(events, "fault").find(({ act }) => act === "cut");
      return cut === undefined ? null : whetherGranted(events, "A", cut.atMs);
    },
  },
  {
    id: "promoted",
    before: "killed (SIGKILL)",
    ask: "The master dies and its replica takes its place. B asks while A believes to hold the lock. What is B told?",
    options: ["Refused: A holds it", "Granted: two holders"],
    answer: (events) => whetherGranted(events, "B"),
  },
  {
    id: "guarded",
    before: "The same with the restart guard",
    ask: "The same with the restart guard. When is D granted the lock?",
    options: ["At once", "When C's time is over", "Never"],
    answer: (events) => whenGuarded(events, { held: "C", next: "D" }),
  },
];

/** A replica takes the place of its primary before it has heard of a lock. */
export const failover: Scenario = {
  id: "failover",
  title: "Why a replica is not enough",
  question: "One master with a replica that takes its place when it dies. Can two clients hold one lock?",
  steps: [
    "a is the master and b its replica. The replication is cut, and A takes the lock on a.",
    "a is killed before b has heard of it, and b is promoted. B asks b, the master now.",
    "The same once more with the roles exchanged, and with clients that have the restart guard.",
  ],
  expected:
    "Replication is asynchronous, so A and B both hold. With the guard the promoted replica is noticed and kept out until A's time is over.",
  n: { least: 2, most: 2, usual: 2 },
  questions: QUESTIONS,
  // Without this a primary waits 5 s for more replicas before it sends its data.
  servers: { args: ["--repl-diskless-sync-delay", "0"] },

  async play(stage) {
    const [first = "", second = ""] = stage.nodes;
    await act(stage, { names: ["A", "B"], primary: first, replica: second, resource: DOOR, guardTtlMs: null });
    await stage.machines.restart(first);
    await stage.until((sights) => sights.get(first)?.state === "up", `node ${first} to be up`);
    stage.tell("The same with the restart guard, and with the roles exchanged.");
    await act(stage, { names: ["C", "D"], primary: second, replica: first, resource: SECOND_DOOR, guardTtlMs: TTL_MS });
  },

  check(events) {
    const { overlaps } = judge(events);
    const grantedTo = (client: string) => of(events, "granted").find((event) => event.client === client);
    const [held, taken] = [grantedTo("C"), grantedTo("D")];
    const toldD = events.flatMap((event) => ("votes" in event && event.client === "D" ? event.votes : []));
    const promoted = of(events, "raw").filter(({ command }) => command === "REPLICAOF NO ONE");
    return [
      {
        says: "Both replicas were promoted after the master had died",
        isMet: promoted.length === 2 && promoted.every(({ answer }) => answer === "+OK"),
      },
      {
        says: "A and B believed to hold the lock at the same time",
        isMet: overlaps.some(({ first }) => first.resource === DOOR),
      },
      {
        says: "With the guard the promoted replica said that it may not vote yet",
        isMet: toldD.some(({ kind }) => kind === "quarantined"),
      },
      {
        says: "D was granted the lock when C's time was over, and no two held it",
        isMet:
          held !== undefined &&
          taken !== undefined &&
          taken.atMs > held.untilMs &&
          !overlaps.some(({ first }) => first.resource === SECOND_DOOR),
      },
    ];
  },
};

interface Act {
  readonly names: readonly [string, string];
  readonly primary: string;
  readonly replica: string;
  readonly resource: string;
  readonly guardTtlMs: number | null;
}

async function act(stage: Stage, { names, primary, replica, resource, guardTtlMs }: Act): Promise<void> {
  const { machines } = stage;
  const link = await machines.linkTo(primary);
  await machines.administer(replica, ["REPLICAOF", "127.0.0.1", String(link.ports[0])]);
  // Both are there before the lock is taken: on a busy machine a process may take as long to start as the lock lives.
  const [holder, rival] = await Promise.all([
    stage.enter(names[0], `locks on the master, which is ${primary}`, { guardTtlMs, nodes: [primary] }),
    stage.enter(names[1], `will lock on ${replica} when that is the master`, { guardTtlMs, nodes: [replica] }),
  ]);
  if (guardTtlMs !== null) await holder.bootstrap();
  await replicates(stage, { holder, replica, resource });
  stage.tell(`${replica} follows ${primary}: what ${names[0]} takes on one is seen on the other.`);
  link.setMode(0, "partitioned");
  stage.note({
    kind: "fault",
    target: `link of ${replica} to ${primary}`,
    text: "cut: replication is held",
    act: "cut",
    links: [],
  });
  const held = await take(holder, resource, TTL_MS);
  stage.tell(`${names[0]} holds the lock. ${primary} has it, ${replica} has not heard of it.`);
  await machines.kill(primary);
  await stage.until((sights) => sights.get(primary)?.state === "down", `node ${primary} to be down`);
  await machines.administer(replica, ["REPLICAOF", "NO", "ONE"]);
  stage.tell(`${primary} is dead, and ${replica} is the master now.`);
  await rival.reach([replica]);
  const taken = await insist(stage, rival, { resource, ttlMs: TTL_MS }, ({ votes }) =>
    stage.tell(`${names[1]} is refused: ${votes.map(({ node, text }) => `${node} ${text}`).join("; ")}.`),
  );
  const isShared = taken.atUs < held.untilUs;
  stage.tell(
    isShared
      ? `${names[1]} is granted the lock while ${names[0]} believes to hold it: two holders.`
      : `${names[1]} is granted the lock, when ${names[0]}'s time is over.`,
  );
  await stage.pauseMs(SEEN_MS);
  await rival.release(taken.id);
}

/** Waits until a lock of the holder is seen on the replica, and gives it back. */
async function replicates(
  stage: Stage,
  { holder, replica, resource }: { readonly holder: Actor; readonly replica: string; readonly resource: string },
): Promise<void> {
  const { id } = await take(holder, resource, TTL_MS);
  const sees = (isThere: boolean) =>
    stage.until(
      (sights) => (sights.get(replica)?.holders[resource] !== undefined) === isThere,
      `${replica} to follow its master`,
    );
  await sees(true);
  await holder.release(id);
  await sees(false);
}
