import { LAB_NODES_MAX, type LabEvent } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import { judge } from "../judge";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, type Stage } from "../stage";
import { insist, take } from "../tries";

const TTL_MS = 6000;
/** Time in hand at each extension: a busy machine takes some of it. */
const RESERVE_MS = 4000;
const STEP_MS = 20;
/** Room for what a process does between two readings of the clock: a busy machine may stop it there. */
const SLACK_MS = 50;
/** What the scenario says when the restarted node has the key again; the verdict looks for it. */
const HEALED = "has the key again";

const QUESTIONS: readonly Question[] = [
  {
    id: "minority",
    before: "killed (SIGKILL)",
    ask: "As many masters as may be missing are killed while A works. What becomes of A's lock?",
    options: ["It is extended by the others", "A loses it"],
    answer(events) {
      const killed = of(events, "fault").find(({ act }) => act === "kill");
      const next = events.find(
        (event) =>
          event.kind === "lost" ||
          (event.kind === "extended" && event.outcome === "extended" && event.askedMs > (killed?.atMs ?? 0)),
      );
      return killed === undefined || next === undefined ? null : Number(next.kind === "lost");
    },
  },
  {
    id: "majority",
    before: "cut: bytes are held both ways",
    ask: "A is cut off from a majority while its job goes on. When does the job stop?",
    options: ["By itself, before its lock ends", "When B holds the lock", "Never: it notices nothing"],
    answer(events) {
      const [ended] = of(events, "lost");
      const next = of(events, "granted").find(({ client }) => client === "B");
      if (ended === undefined) return next === undefined ? null : 2;
      return Number(next !== undefined && next.atMs < ended.lastStepMs);
    },
  },
];

type Extended = Extract<LabEvent, { readonly kind: "extended" }>;

/** A job that takes longer than its lock lives. */
export const extension: Scenario = {
  id: "extension",
  title: "A long job on a short lock",
  question: "A job extends its lock again and again while masters fail, one after the other. When must it stop?",
  steps: [
    "A takes a short lock and works. Its engine extends the lock well before each end.",
    "As many masters are killed as may be missing. One of them is started again, empty.",
    "A is cut off from a majority. B waits for the lock.",
  ],
  expected:
    "A minority that fails is not noticed by the job, and an empty master gets the key back. Without a majority A cannot extend, and stops its work before the lock ends; only then B holds.",
  n: { least: 3, most: LAB_NODES_MAX, usual: 5 },
  questions: QUESTIONS,

  async play(stage) {
    const { nodes, quorum, machines } = stage;
    const [worker, next] = await Promise.all([
      stage.enter("A", "works under a lock that is extended"),
      stage.enter("B", "waits for the lock"),
    ]);
    const { id } = await take(worker, DOOR, TTL_MS, { automaticExtensionThreshold: RESERVE_MS });
    await worker.work(id, TTL_MS, STEP_MS);
    await extendedAgain(stage, id);
    stage.tell("A works, and every master has extended its lock.");
    const few = stage.pick(nodes.length - quorum);
    for (const node of few) await machines.kill(node);
    await stage.until(
      (sights) => few.every((node) => sights.get(node)?.state === "down"),
      `${few.join(", ")} to be down`,
    );
    await extendedAgain(stage, id);
    stage.tell(`${few.join(", ")} are dead. The others are a majority and extended A's lock all the same.`);
    const [healed = ""] = few;
    await machines.restart(healed);
    await stage.until((sights) => sights.get(healed)?.holders[DOOR] !== undefined, `the key on ${healed} again`);
    // The node may be seen with the key before the client has told what it did.
    await stage.heard((events) => of(events, "extended").find(metWithout), `A to tell that ${healed} had lost the key`);
    stage.tell(`${healed} came back empty and ${HEALED}: A's extension met it without, and gave it back.`);
    const lost = nodes.filter((node) => node !== healed).slice(0, quorum);
    worker.ways.cut(lost);
    const ended = await stage.heard(
      (events) => of(events, "lost").find((event) => event.id === id),
      "A to lose its lock",
    );
    stage.tell(`A hears from too few masters and stops its work, after ${ended.steps} steps.`);
    await worker.ways.mend(lost);
    for (const node of few.slice(1)) await machines.restart(node);
    await next.reach(nodes.filter((node) => !few.includes(node) || node === healed));
    const taken = await insist(stage, next, { resource: DOOR, ttlMs: TTL_MS });
    stage.tell("B holds the lock now.");
    await next.release(taken.id);
  },

  check(events, n) {
    const [ended] = of(events, "lost");
    const extensions = of(events, "extended").filter(({ outcome }) => outcome === "extended");
    const { claims, overlaps } = judge(events);
    const own = claims.find(({ client }) => client === "A");
    const next = of(events, "granted").find(({ client }) => client === "B");
    const votesOf = ({ votes }: Extended, kind: string) => votes.filter((vote) => vote.kind === kind).length;
    const downAt = (atMs: number) => {
      const last = new Map(
        of(events, "node").flatMap((event) => (event.atMs <= atMs ? [[event.node, event.state]] : [])),
      );
      return [...last.values()].filter((state) => state === "down").length;
    };
    const told = of(events, "told").find(({ text }) => text.includes(HEALED));
    const cutAt = of(events, "fault").find(({ text }) => text.startsWith("cut"))?.atMs ?? Number.POSITIVE_INFINITY;
    return [
      {
        says: "Every master extended the lock while all were there",
        isMet: extensions.some((event) => votesOf(event, "extended") === n),
      },
      {
        says: "The lock was extended while a minority was dead",
        isMet: extensions.some(
          (event) => downAt(event.askedMs) === n - quorumOf(n) && votesOf(event, "extended") > n / 2,
        ),
      },
      {
        says: "The master that came back empty was given the key",
        isMet: told !== undefined && extensions.some((event) => event.atMs < told.atMs && metWithout(event)),
      },
      {
        says: "Without a majority no extension succeeded, and A began no step of its work after its validity",
        isMet:
          ended !== undefined &&
          own !== undefined &&
          ended.atMs > cutAt &&
          ended.lastStepMs <= Math.max(...extensions.map(({ untilMs }) => untilMs)) + SLACK_MS,
      },
      {
        says: "B was granted the lock only then, and no two held it",
        isMet: ended !== undefined && next !== undefined && next.atMs > ended.lastStepMs && overlaps.length === 0,
      },
    ];
  },
};

/** Whether an extension met a node that had lost the key. */
function metWithout({ healing, votes }: Extended): boolean {
  return healing.length > 0 || votes.some(({ kind }) => kind === "missing");
}

/** Waits for an extension that was asked for from now on. */
function extendedAgain(stage: Stage, id: string): Promise<Extended> {
  const sinceMs = stage.nowMs;
  return stage.heard(
    (events) =>
      of(events, "extended").find(
        (event) => event.id === id && event.outcome === "extended" && event.askedMs > sinceMs,
      ),
    `${id} to be extended`,
  );
}
