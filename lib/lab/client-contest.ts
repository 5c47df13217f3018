import { createMasters, fingerprintOf, type Master, noGuard, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine, SeededRandom } from "@/lib/redlock";
import { AskedOf, inTurn, noted } from "./client-nodes";
import type { ClientAnswers, ContestTask, ContestWin } from "./client-task";
import { nowUs } from "./intervals";

const CONNECT_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 10;
/** Between giving the lock back and wanting it again. */
const REST_MS = 5;

interface Contender {
  readonly index: number;
  readonly engine: RedlockEngine;
  readonly masters: readonly Master[];
  readonly asked: AskedOf;
  tries: number;
}

/** Lets several clients, each with connections of its own, want one lock for a while. */
export async function contend(
  task: ContestTask,
  { urls, nodeTimeoutMs }: { readonly urls: readonly string[]; readonly nodeTimeoutMs: number },
): Promise<ClientAnswers["contend"]> {
  const contenders = Array.from({ length: task.clients }, (_, index) => hire(index, task, urls, nodeTimeoutMs));
  try {
    await connected(contenders.flatMap(({ masters }) => masters));
    const until = performance.now() + task.forMs;
    const wins = await Promise.all(contenders.map((each) => fight(each, task, until)));
    return { wins: wins.flat(), ...sums(contenders, new Set(wins.flat().map(({ token }) => token))) };
  } finally {
    await Promise.all(contenders.flatMap(({ masters }) => masters.map((master) => master.close())));
  }
}

function hire(index: number, task: ContestTask, urls: readonly string[], nodeTimeoutMs: number): Contender {
  const chance = new SeededRandom(task.seed + index);
  const masters = createMasters(urls, { nodeTimeoutMs, probeEveryMs: 0, guard: noGuard(), coalesce: false });
  const asked = new AskedOf();
  const nodes = task.isInTurn ? inTurn(masters, shuffled(urls.length, chance), asked) : noted(masters, asked);
  const random = { token: systemRandom.token, fraction: () => chance.fraction() };
  const engine = new RedlockEngine(nodes, { clock: systemClock, random, settings: { nodeTimeoutMs } });
  return { index, engine, masters, asked, tries: 0 };
}

type Win = ContestWin & { readonly token: string };

async function fight(contender: Contender, task: ContestTask, until: number): Promise<readonly Win[]> {
  const { engine, index } = contender;
  const { resource, ttlMs, holdMs, retryDelayMs: retryDelay, retryJitterMs: retryJitter } = task;
  const wins: Win[] = [];
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
    const askedUs = nowUs();
    const outcome = await engine.tryAcquire([resource], ttlMs, { waitMs: left, retryDelay, retryJitter });
    contender.tries += outcome.attempts;
    if (outcome.kind === "not_acquired") continue;
    const { lock } = outcome;
    const atUs = nowUs() + 1;
    const untilUs = atUs + Math.floor(lock.remaining() * 1000);
    await new Promise((resolve) => setTimeout(resolve, holdMs));
    const endedUs = nowUs();
    const { token } = lock;
    const waitedMs = (atUs - askedUs) / 1000;
    wins.push({ client: index, holder: fingerprintOf(token), token, askedUs, atUs, untilUs, endedUs, waitedMs });
    await lock.release();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return wins;
}

/** @param won tokens of the tries that won */
function sums(contenders: readonly Contender[], won: ReadonlySet<string>) {
  let [tries, splitTries, wastedVotes, commands] = [0, 0, 0, 0];
  for (const { asked, ...contender } of contenders) {
    tries += contender.tries;
    commands += asked.commands;
    for (const [token, votes] of asked.granted) {
      if (won.has(token)) continue;
      splitTries += 1;
      wastedVotes += votes;
    }
  }
  return { tries, splitTries, wastedVotes, commands };
}

async function connected(masters: readonly Master[]): Promise<void> {
  const deadline = performance.now() + CONNECT_WITHIN_MS;
  while (!masters.every((master) => master.status().state === "up")) {
    if (performance.now() > deadline) throw new Error(`not connected within ${CONNECT_WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function shuffled(length: number, chance: SeededRandom): readonly number[] {
  const left = Array.from({ length }, (_, index) => index);
  return Array.from({ length }, () => left.splice(Math.floor(chance.fraction() * left.length), 1)[0] ?? 0);
}
