import type { Sight } from "../observer";
import type { Stage } from "../stage";
import { ask, insist, take } from "../tries";

/** Two holders at once last long enough to be seen. */
const SEEN_MS = 600;
/** Within this a vote that is on disk is seen on the master that is back, milliseconds. */
const READ_WITHIN_MS = 5000;

/** One client holds a lock, masters that voted for it are killed and come back, and another client asks. */
export interface RestartAct {
  /** Of the one that holds and the one that asks. */
  readonly names: readonly [string, string];
  readonly text: string;
  readonly resource: string;
  readonly ttlMs: number;
  /** Of the restart guard; none when left out. */
  readonly guardTtlMs?: number | null;
  /** For masters that take their time to vote. */
  readonly nodeTimeoutMs?: number;
  /** Done to the masters in question before the lock is taken. */
  readonly prepare?: (nodes: readonly string[]) => Promise<void>;
  /** Done to one of them while it is down. */
  readonly repair?: (node: string) => void;
  /** Whether one that is back has its vote, as the scenario claims; the record says whether that is so. */
  readonly isKept?: boolean;
  /** What is said of one that is back. */
  readonly back: string;
  /** What the restart is called on record. */
  readonly restart?: string;
  /** Whether the holder gives its lock back when the other one is refused, instead of keeping it to its end. */
  readonly isGivenBack?: boolean;
}

/** Plays it; the record says whether both held. */
export async function restartVoters(stage: Stage, act: RestartAct): Promise<void> {
  const { names, text, guardTtlMs = null, nodeTimeoutMs, resource, ttlMs, isGivenBack = false } = act;
  const { nodes, quorum } = stage;
  const [holder, rival] = await Promise.all([
    stage.enter(names[0], text, { guardTtlMs, nodeTimeoutMs }),
    stage.enter(names[1], text, { guardTtlMs, nodeTimeoutMs }),
  ]);
  if (guardTtlMs !== null) {
    await holder.bootstrap();
    stage.tell("The same again with the restart guard. No lock is held, and an operator has said so.");
  }
  const voters = stage.pick(quorum);
  const others = nodes.filter((node) => !voters.includes(node));
  // As many as any two majorities share: one, or two when the number of masters is even.
  const victims = voters.slice(0, 2 * quorum - nodes.length);
  await act.prepare?.(victims);
  holder.ways.cut(others);
  const held = await take(holder, resource, ttlMs);
  // At once: what a disk has of a vote may be a matter of moments.
  await Promise.all(victims.map((node) => stage.machines.kill(node)));
  stage.tell(`${holder.name} holds the lock by the votes of ${voters.join(", ")}, a bare majority.`);
  for (const node of victims) await comeBack(stage, node, act);
  await rival.reach(nodes);
  const giveBack = async (): Promise<void> => {
    await holder.ways.mend(others);
    await holder.release(held.id);
  };
  const first = await ask(rival, resource, ttlMs);
  if (first.kind === "refused") {
    const votes = first.votes.map(({ node, text: words }) => `${node} ${words}`).join("; ");
    stage.tell(`${rival.name} is refused: ${votes}.`);
    if (isGivenBack) await giveBack();
  }
  const taken = first.kind === "granted" ? first : await insist(stage, rival, { resource, ttlMs });
  stage.tell(
    `${rival.name} is granted the lock${whenOf(holder.name, taken.atUs < held.untilUs, isGivenBack && first !== taken)}.`,
  );
  await stage.pauseMs(SEEN_MS);
  if (!isGivenBack || first === taken) await giveBack();
  await rival.release(taken.id);
  const isGone = (sight: Sight): boolean => sight.holders[resource] === undefined;
  await stage.until((sights) => [...sights.values()].every(isGone), `${resource} to be given back`);
}

function whenOf(holder: string, isBefore: boolean, isGivenBack: boolean): string {
  if (isGivenBack) return `: ${holder} has given it back`;
  return isBefore ? ` while ${holder} believes to hold it: two holders` : `: ${holder}'s has ended`;
}

async function comeBack(
  stage: Stage,
  node: string,
  { resource, repair, isKept = false, back, restart }: RestartAct,
): Promise<void> {
  await stage.until((sights) => sights.get(node)?.state === "down", `node ${node} to be down`);
  repair?.(node);
  await stage.machines.restart(node, restart);
  await stage.until((sights) => sights.get(node)?.state === "up", `node ${node} to be up`);
  const lookUntilMs = stage.nowMs + (isKept ? READ_WITHIN_MS : 0);
  await stage.until(
    (sights) => sights.get(node)?.holders[resource] !== undefined || stage.nowMs > lookUntilMs,
    `the vote of ${node}`,
  );
  stage.tell(`${node} crashed and is back. ${back}`);
}
