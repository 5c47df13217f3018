// Nodes that are dead, hung or in somebody's hands for ever, and clients that block themselves.

import {
  notLive,
  ok,
  RESOURCE,
  refusedWith,
  type Scenario,
  type ScenarioOutcome,
  type Stage,
  shown,
  violated,
} from "../scenario";
import { acquireSoon, block, nowMs, settledWithin, tryUntilGranted } from "../scenario-steps";

const ANSWER_WITHIN_MS = 5000;

const evenSplit: Scenario = {
  name: "even split of four nodes",
  says: "two of four nodes are held by another: nobody can win, and the client must say so",
  ttlMs: 2000,
  membership: 4,
  async play(stage) {
    await block(stage.nodes.slice(0, 2), 10_000);
    return settles(stage, "refused");
  },
};

const keptVotes: Scenario = {
  name: "votes of a refused try",
  says: "between two tries a client must give back the nodes it did win, or it blocks itself and everybody else",
  ttlMs: 4000,
  a: { retryCount: 60, retryDelayMs: 100 },
  async play({ a, b, nodes, ttlMs }) {
    await block(nodes.slice(0, 2), 150);
    await block(nodes.slice(2, 3), 10_000);
    const startedAt = nowMs();
    const acquiring = a.acquire(RESOURCE, ttlMs);
    await settledWithin(acquiring, 50);
    await Promise.race([settledWithin(acquiring, 1.5 * ttlMs), acquireSoon(b, ttlMs, 1.5 * ttlMs)]);
    const waitedMs = nowMs() - startedAt;
    if (waitedMs < ttlMs / 2) return ok(`granted after ${shown(waitedMs)}`);
    return notLive(
      waitedMs < 1.5 * ttlMs ? `granted after ${shown(waitedMs)}` : `nobody got it in ${shown(1.5 * ttlMs)}`,
    );
  },
};

const twoDead: Scenario = {
  name: "two of five nodes are dead",
  says: "a majority is left: the lock must be had at once",
  ttlMs: 2000,
  a: { retryCount: 3 },
  async play(stage) {
    await Promise.all(stage.nodes.slice(3).map(({ server }) => server.kill()));
    return settles(stage, "granted");
  },
};

const twoFrozen: Scenario = {
  name: "two of five nodes are frozen",
  says: "the same when they hang: connections stay open, nothing is answered",
  ttlMs: 2000,
  a: { retryCount: 3 },
  async play(stage) {
    for (const { server } of stage.nodes.slice(3)) server.pause();
    return settles(stage, "granted");
  },
};

const threeFrozen: Scenario = {
  name: "three of five nodes are frozen",
  says: "no majority is left: the client must say so",
  ttlMs: 2000,
  async play(stage) {
    for (const { server } of stage.nodes.slice(0, 3)) server.pause();
    return settles(stage, "refused");
  },
};

/** An acquire must end, in this way. */
async function settles({ a, ttlMs }: Stage, how: "granted" | "refused"): Promise<ScenarioOutcome> {
  const startedAt = nowMs();
  const settled = await settledWithin(a.acquire(RESOURCE, ttlMs), ANSWER_WITHIN_MS);
  const tookMs = nowMs() - startedAt;
  if (settled === null) return notLive(`no answer in ${shown(tookMs)}`);
  const isGranted = settled.kind === "fulfilled";
  if (isGranted && how === "refused") return violated("granted without a majority");
  return isGranted === (how === "granted") ? ok(`${how} after ${shown(tookMs)}`) : notLive("refused");
}

const noExpiry: Scenario = {
  name: "keys without expiry on three nodes",
  says: "somebody's keys will never expire: nobody can ever take the lock, and an operator must learn why",
  ttlMs: 1000,
  async play({ a, nodes, ttlMs }) {
    await block(nodes.slice(0, 3), null);
    const tried = await tryUntilGranted(a, ttlMs, 1.5 * ttlMs);
    return tried.lock === null ? refusedWith(tried, /no expiry/) : violated("granted over somebody's keys");
  },
};

/** Scripted faults in which a client waits for what never comes. */
export const HUNG_SCENARIOS: readonly Scenario[] = [evenSplit, keptVotes, twoDead, twoFrozen, threeFrozen, noExpiry];
