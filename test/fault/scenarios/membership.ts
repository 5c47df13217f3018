// Clients that disagree about the masters, and lists that name one server more than once.

import { exclusion, notLive, ok, RESOURCE, refusedWith, type Scenario, shown, violated } from "../scenario";
import {
  acquireSoon,
  block,
  keysOn,
  nodeAt,
  nowMs,
  pauseMs,
  settledWithin,
  tryUntilGranted,
  unblock,
} from "../scenario-steps";

const otherList: Scenario = {
  name: "two clients with different lists",
  says: "A names three masters and holds two of them, B names five",
  ttlMs: 3000,
  async play({ b, nodes, ttlMs, open }) {
    const three = nodes.slice(0, 3);
    const a = await open(
      three.map(({ server }) => server.url),
      { isFirst: true },
    );
    await block(three.slice(2), 5000);
    const lock = await acquireSoon(a, ttlMs, 5000);
    await unblock(three.slice(2));
    if (lock === null) return notLive("never got it");
    const second = await tryUntilGranted(b, ttlMs, 2 * ttlMs);
    // Here nobody is let in after the ttl either: the lists still differ.
    return second.lock === null ? refusedWith(second, /another list of masters/) : exclusion(lock, second);
  },
};

const sameAddress: Scenario = {
  name: "one master named three times",
  says: "a list of five with one address in it three times; that server fails, and of five masters one may",
  ttlMs: 1000,
  async play({ nodes, ttlMs, open }) {
    const [first, second, third] = nodes.map(({ server }) => server.url);
    if (first === undefined || second === undefined || third === undefined) throw new RangeError("too few nodes");
    const opened = await settledWithin(open([first, first, first, second, third], { isFirst: true }), 5000);
    if (opened === null) return notLive("no answer in 5 s");
    if (opened.kind === "rejected") {
      const words = /two nodes are named|same server/.exec(opened.reason)?.[0];
      return words === undefined ? notLive(opened.reason) : { kind: "refused", note: `at start: ${words}` };
    }
    await (await acquireSoon(opened.value, ttlMs, 5000))?.release();
    await nodeAt(nodes, 0).server.kill();
    const { lock, tookMs } = await tryUntilGranted(opened.value, ttlMs, 3000);
    return lock === null ? notLive(`none in ${shown(tookMs)}`) : ok(`granted after ${shown(tookMs)}`);
  },
};

const sameServer: Scenario = {
  name: "one master named by three databases",
  says: "three of the five are databases of one server, which grants all three votes and then restarts empty",
  ttlMs: 3000,
  async play({ nodes, ttlMs, open }) {
    const [first, ...others] = nodes.slice(0, 3);
    if (first === undefined) throw new RangeError("too few nodes");
    const list = [0, 1, 2].map((database) => `${first.server.url}/${database}#database-${database}`);
    list.push(...others.map(({ server }) => server.url));
    const a = await open(list, { isFirst: true });
    const b = await open(list);
    await (await acquireSoon(a, ttlMs, 3000))?.release();
    await (await acquireSoon(b, ttlMs, 3000))?.release();
    await block(others, 5000);
    const lock = await acquireSoon(a, ttlMs, 1000);
    await unblock(others);
    if (lock === null) return ok("one server is one vote: refused");
    await first.server.kill();
    first.forget();
    await first.server.restart();
    return exclusion(lock, await tryUntilGranted(b, ttlMs, 3 * ttlMs));
  },
};

const otherDatabase: Scenario = {
  name: "beside redlock 5 in database 3",
  says: "A is configured for database 3 of each master, and so is a client of redlock 5",
  ttlMs: 3000,
  async play({ nodes, ttlMs, open }) {
    const list = nodes.map(({ server }) => `${server.url}/3`);
    const a = await open(list, { isFirst: true });
    const b = await open(list, { kind: "redlock-5" });
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    return exclusion(lock, await tryUntilGranted(b, ttlMs, 3 * ttlMs));
  },
};

const halfOfFour: Scenario = {
  name: "two of four nodes are dead",
  says: "half of the votes is no majority: the client must say so and take its votes back",
  ttlMs: 3000,
  membership: 4,
  a: { commandTimeoutMs: 300 },
  async play({ a, nodes, ttlMs }) {
    const living = nodes.slice(0, 2);
    await Promise.all(nodes.slice(2).map(({ server }) => server.kill()));
    const startedAt = nowMs();
    const settled = await settledWithin(a.acquire(RESOURCE, ttlMs), 5000);
    if (settled === null) return notLive("no answer in 5 s");
    if (settled.kind === "fulfilled") return violated("granted by two of four");
    const tookMs = nowMs() - startedAt;
    while ((await keysOn(living)) > 0 && nowMs() < startedAt + 2 * ttlMs) await pauseMs(20);
    const leftMs = nowMs() - startedAt - tookMs;
    const left = leftMs > 100 ? `, its votes stayed for ${shown(leftMs)}` : "";
    return ok(`refused after ${shown(tookMs)}${left}`);
  },
};

/** Scripted faults of the list of masters. */
export const MEMBERSHIP_SCENARIOS: readonly Scenario[] = [
  otherList,
  sameAddress,
  sameServer,
  otherDatabase,
  halfOfFour,
];
