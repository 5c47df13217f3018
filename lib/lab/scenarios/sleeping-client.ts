import { LAB_NODES_MAX } from "@/lib/contract";
import { judge } from "../judge";
import { of, type Question, type Scenario } from "../scenario";
import { DOOR, SECOND_DOOR, type Stage } from "../stage";
import { insist, take } from "../tries";

const TTL_MS = 3000;
/** Between a look at the lock and the write; the client is stopped in the middle of it. */
const WORK_MS = 1200;
const PLAIN = "plain ledger";
const FENCED = "fenced ledger";

const QUESTIONS: readonly Question[] = [
  {
    id: "late-write",
    before: "client A paused (SIGSTOP)",
    ask: "A has looked at its lock, and stands still before it writes. The lock expires, B takes it and writes. Then A goes on. Who stops its late write?",
    options: ["Its lock, which has expired", "A ledger that checks fencing tokens", "Nobody"],
    answer(events) {
      const late = of(events, "write").find(({ client, ledger }) => client === "A" && ledger === FENCED);
      return late === undefined ? null : late.isAccepted ? 2 : 1;
    },
  },
  {
    id: "second-look",
    before: "client C paused (SIGSTOP)",
    ask: "C stands still like A, but looks at its lock once more just before it writes. What does it write?",
    options: ["Both ledgers", "The plain one", "Nothing"],
    answer(events) {
      const own = of(events, "write").filter(({ client, isAccepted }) => client === "C" && isAccepted);
      if (own.length > 0) return own.some(({ ledger }) => ledger === FENCED) ? 0 : 1;
      return of(events, "looked").some(({ client, remainingMs }) => client === "C" && remainingMs === 0) ? 2 : null;
    },
  },
];

/** A client that stands still while its lock expires, and goes on as if nothing had happened. */
export const sleepingClient: Scenario = {
  id: "sleeping-client",
  title: "The client sleeps",
  question:
    "A client looks at its lock, stands still for longer than the lock lives, and writes when it wakes. Who stops it?",
  steps: [
    "A takes a lock, looks that it is its own, and works. Before it writes its process is stopped.",
    "The lock expires, B takes it and writes. A goes on and writes: to a ledger that checks nothing, and to one that checks fencing tokens.",
    "The same with a client that looks again just before it writes.",
  ],
  expected:
    "The lock cannot stop A: its look was good when it looked. The plain ledger takes A's late write over B's, the fenced one refuses it. A second look helps, as long as nobody sleeps after it.",
  n: { least: 1, most: LAB_NODES_MAX, usual: 5 },
  questions: QUESTIONS,

  async play(stage) {
    await oversleep(stage, { resource: DOOR, names: ["A", "B"], isCareful: false });
    await oversleep(stage, { resource: SECOND_DOOR, names: ["C", "D"], isCareful: true });
  },

  check(events) {
    const heldBy = (client: string) => of(events, "granted").find((event) => event.client === client);
    const writes = (client: string, ledger: string) =>
      of(events, "write").filter((event) => event.client === client && event.ledger === ledger);
    const looks = (client: string) => of(events, "looked").filter((event) => event.client === client);
    const [first, second, third, fourth] = [heldBy("A"), heldBy("B"), heldBy("C"), heldBy("D")];
    const isAfterSecond = (atMs: number): boolean => second !== undefined && atMs > second.atMs;
    return [
      {
        says: "A had looked before it was stopped, and its lock was its own",
        isMet:
          looks("A").length === 2 &&
          looks("A").every(({ atMs, remainingMs }) => remainingMs > 0 && !isAfterSecond(atMs)),
      },
      {
        says: "The locks did their part: no two were held at the same time",
        isMet: first !== undefined && fourth !== undefined && judge(events).overlaps.length === 0,
      },
      {
        says: "The plain ledger took A's write when B had the lock and had written",
        isMet: writes("A", PLAIN).some(({ atMs, isAccepted }) => isAccepted && isAfterSecond(atMs)),
      },
      {
        says: "The fenced ledger refused A, whose number was below B's",
        isMet:
          (first?.fence ?? 0) < (second?.fence ?? 0) &&
          writes("B", FENCED).every(({ isAccepted }) => isAccepted) &&
          writes("A", FENCED).length === 1 &&
          writes("A", FENCED).every(({ atMs, isAccepted }) => !isAccepted && isAfterSecond(atMs)),
      },
      {
        says: "C, which looked once more, wrote nothing",
        isMet:
          third !== undefined &&
          looks("C").filter(({ remainingMs }) => remainingMs === 0).length === 2 &&
          of(events, "write").every(({ client }) => client !== "C"),
      },
    ];
  },
};

interface Sleep {
  readonly resource: string;
  /** Of the one that sleeps and the one that comes next. */
  readonly names: readonly [string, string];
  /** Whether the sleeper looks again before it writes. */
  readonly isCareful: boolean;
}

async function oversleep(stage: Stage, { resource, names, isCareful }: Sleep): Promise<void> {
  const [sleeper, next] = await Promise.all([
    stage.enter(names[0], isCareful ? "looks twice before it writes" : "looks, works and writes"),
    stage.enter(names[1], "comes next"),
  ]);
  const [plain, fenced] = await Promise.all([stage.ledger(PLAIN, false), stage.ledger(FENCED, true)]);
  const { id } = await take(sleeper, resource, TTL_MS, { fencing: true });
  const write = { id, value: `by ${names[0]}`, workMs: WORK_MS, isCareful };
  const late = Promise.all([
    sleeper.write(plain, { ...write, isFenced: false }),
    sleeper.write(fenced, { ...write, isFenced: true }),
  ]);
  // Heard when it is awaited; the run may be stopped before.
  late.catch(() => {});
  await stage.heard(
    (events) => of(events, "looked").filter((event) => event.id === id)[1],
    `${names[0]} to look at its lock`,
  );
  sleeper.pause();
  stage.tell(`${names[0]} has looked: the lock is its own. It has not written yet, and now its process stands still.`);
  const taken = await insist(stage, next, { resource, ttlMs: TTL_MS, wishes: { fencing: true } });
  stage.tell(`The lock of ${names[0]} has expired, and ${names[1]} holds it. ${names[0]} knows nothing of that.`);
  const own = { id: taken.id, value: `by ${names[1]}`, workMs: 0, isCareful: false };
  await next.write(plain, { ...own, isFenced: false });
  await next.write(fenced, { ...own, isFenced: true });
  sleeper.resume();
  const [unfenced, refused] = await late;
  stage.tell(
    isCareful
      ? `${names[0]} wakes, looks again, and ${unfenced === null && refused === null ? "writes nothing" : "writes all the same"}.`
      : `${names[0]} wakes and writes. The plain ledger: ${unfenced?.slice(1)}. The fenced one: ${refused?.slice(1)}.`,
  );
  await next.release(taken.id);
}
