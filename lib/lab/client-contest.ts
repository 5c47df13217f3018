import { createMasters, fingerprintOf, type Master, noGuard, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine, SeededRandom } from "@/lib/redlock";
import { AskedOf, inTurn, noted } from "./client-nodes";
import type { ClientAnswers, ContestTask, ContestWin } from "./client-task";
import { nowUs } from "./intervals";

const CONNECT_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 10;
/** Between giving the lock back and wanting it again. */
const REST_MS = 5;

interface Contender {
  readonly index: number;
  readonly engine: RedlockEngine;
  readonly asked: AskedOf;
  tries: number;
}

/** Clients in one process, each with connections of its own. */
export class Crowd {
  readonly #ways: { readonly urls: readonly string[]; readonly nodeTimeoutMs: number };
  readonly #members: (readonly Master[])[] = [];

  constructor(ways: { readonly urls: readonly string[]; readonly nodeTimeoutMs: number }) {
    this.#ways = ways;
  }

  /** Connects so many of them, one after the other: all at once, they would be too slow for each other's time limits. */
  async gather(clients: number): Promise<void> {
    const { urls, nodeTimeoutMs } = this.#ways;
    const deadline = performance.now() + CONNECT_WITHIN_MS;
    while (this.#members.length < clients) {
      const masters = createMasters(urls, { nodeTimeoutMs, probeEveryMs: 0, guard: noGuard(), coalesce: false });
      this.#members.push(masters);
      const isReady = (master: Master): boolean =>
        master.status().state === "up" && master.status().refusesGrants === null;
      while (!masters.every(isReady)) {
        if (performance.now() > deadline) throw new Error(`not connected within ${CONNECT_WITHIN_MS} ms`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        await Promise.all(masters.map((master) => master.probe()));
      }
    }
  }

  /** Lets them want one lock, all from the same moment on and for a while. @throws RangeError when too few were gathered */
  async contend(task: ContestTask): Promise<ClientAnswers["contend"]> {
    if (task.clients > this.#members.length)
      throw new RangeError(`clients must be gathered first, got ${task.clients}`);
    const contenders = this.#members.slice(0, task.clients).map((masters, index) => this.#train(index, masters, task));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, (task.startUs - nowUs()) / 1000)));
    const until = performance.now() + task.forMs;
    const wins = (await Promise.all(contenders.map((each) => fight(each, task, until)))).flat();
    return { wins, ...sums(contenders, new Set(wins.map(({ token }) => token))) };
  }

  #train(index: number, masters: readonly Master[], task: ContestTask): Contender {
    const { nodeTimeoutMs } = this.#ways;
    const chance = new SeededRandom(task.seed + index);
    const asked = new AskedOf();
    const nodes = task.isInTurn ? inTurn(masters, shuffled(masters.length, chance), asked) : noted(masters, asked);
    const random = { token: systemRandom.token, fraction: () => chance.fraction() };
    const engine = new RedlockEngine(nodes, { clock: systemClock, random, settings: { nodeTimeoutMs } });
    return { index, engine, asked, tries: 0 };
  }
}

type Win = ContestWin & { readonly token: string };

async function fight(contender: Contender, task: ContestTask, until: number): Promise<readonly Win[]> {
  const { engine, index, asked } = contender;
  const { resource, ttlMs, holdMs, retryDelayMs: retryDelay, retryJitterMs: retryJitter } = task;
  const wins: Win[] = [];
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
    const askedUs = nowUs();
    // A signal and no `waitMs`, which starts no try that could outlast it: with a wide time limit hardly any, and the rest at once.
    const call = { retryCount: -1, retryDelay, retryJitter, signal: AbortSignal.timeout(Math.ceil(left)) };
    const outcome = await engine.tryAcquire([resource], ttlMs, call);
    contender.tries += outcome.attempts;
    if (outcome.kind === "not_acquired") continue;
    const { lock } = outcome;
    const atUs = nowUs() + 1;
    const untilUs = atUs + Math.floor(lock.remaining() * 1000);
    await new Promise((resolve) => setTimeout(resolve, holdMs));
    const endedUs = nowUs();
    const { token } = lock;
    const waitedMs = (atUs - askedUs) / 1000;
    const votes = asked.votes.get(token)?.toSorted((a, b) => a.node.localeCompare(b.node)) ?? [];
    wins.push({ client: index, holder: fingerprintOf(token), token, askedUs, atUs, untilUs, endedUs, waitedMs, votes });
    await lock.release();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return wins;
}

/** @param won tokens of the tries that won */
function sums(contenders: readonly Contender[], won: ReadonlySet<string>) {
  let [tries, splitTries, wastedVotes, commands, wastedCommands] = [0, 0, 0, 0, 0];
  const triesMs: number[] = [];
  for (const { asked, ...contender } of contenders) {
    tries += contender.tries;
    commands += asked.commands;
    for (const { fromUs, untilUs } of asked.tries.values()) triesMs.push((untilUs - fromUs) / 1000);
    for (const [token, count] of asked.commandsOf) if (!won.has(token)) wastedCommands += count;
    for (const [token, votes] of asked.votes) {
      const granted = votes.filter(({ kind }) => kind === "granted").length;
      if (won.has(token) || granted === 0) continue;
      splitTries += 1;
      wastedVotes += granted;
    }
  }
  return { tries, triesMs, splitTries, wastedVotes, commands, wastedCommands };
}

function shuffled(length: number, chance: SeededRandom): readonly number[] {
  const left = Array.from({ length }, (_, index) => index);
  return Array.from({ length }, () => left.splice(Math.floor(chance.fraction() * left.length), 1)[0] ?? 0);
}
