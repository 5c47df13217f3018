import {
  acquireSoon,
  block,
  notLive,
  nowMs,
  ONE_TRY,
  ok,
  pauseMs,
  RESOURCE,
  type Scenario,
  settledWithin,
  shown,
} from "./scenario";

const evenSplit: Scenario = {
  name: "even split of four nodes",
  says: "two of four nodes are held by another: nobody can win, and the client must say so",
  ttlMs: 2000,
  membership: 4,
  a: ONE_TRY,
  async play({ a, nodes, ttlMs }) {
    await block(nodes.slice(0, 2), 10_000);
    const startedAt = nowMs();
    const settled = await settledWithin(a.acquire(RESOURCE, ttlMs), 1500);
    return settled === null ? notLive("no answer in 1500 ms") : ok(`refused after ${shown(nowMs() - startedAt)}`);
  },
};

const keptVotes: Scenario = {
  name: "votes of a refused try",
  says: "between two tries a client must give back the nodes it did win, or it blocks itself and everybody else",
  ttlMs: 2000,
  membership: 5,
  a: { retryCount: 60, retryDelayMs: 100, commandTimeoutMs: null },
  async play({ a, b, nodes, ttlMs }) {
    await block(nodes.slice(0, 2), 150);
    await block(nodes.slice(2, 3), 10_000);
    const startedAt = nowMs();
    const acquiring = a.acquire(RESOURCE, ttlMs);
    await settledWithin(acquiring, 50);
    await Promise.race([settledWithin(acquiring, 3 * ttlMs), acquireSoon(b, ttlMs, 3 * ttlMs)]);
    const waitedMs = nowMs() - startedAt;
    if (waitedMs < ttlMs / 2) return ok(`granted after ${shown(waitedMs)}`);
    return notLive(waitedMs < 3 * ttlMs ? `granted after ${shown(waitedMs)}` : `nobody got it in ${shown(3 * ttlMs)}`);
  },
};

const frozenMajority: Scenario = {
  name: "three nodes freeze, the client gives up",
  says: "a client asks frozen nodes, gives up after 1 s and goes away; when they wake its requests must leave nothing behind",
  ttlMs: 4000,
  membership: 5,
  a: ONE_TRY,
  async play({ a, b, nodes, ttlMs }) {
    for (const { server } of nodes.slice(0, 3)) server.pause();
    const acquiring = a.acquire(RESOURCE, ttlMs);
    acquiring.catch(() => {});
    await pauseMs(1000);
    a.disconnect();
    await pauseMs(50);
    for (const { server } of nodes.slice(0, 3)) server.resume();
    const startedAt = nowMs();
    const other = await acquireSoon(b, ttlMs, 2 * ttlMs);
    const waitedMs = nowMs() - startedAt;
    await other?.release();
    return waitedMs < ttlMs / 2 ? ok(`free after ${shown(waitedMs)}`) : notLive(`free after ${shown(waitedMs)}`);
  },
};

/** Scripted faults in which a careless client blocks itself or others. */
export const LIVENESS_SCENARIOS: readonly Scenario[] = [evenSplit, keptVotes, frozenMajority];
