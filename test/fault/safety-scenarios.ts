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
  violated,
} from "./scenario";

const lateVote: Scenario = {
  name: "late third vote",
  says: "the network holds the deciding reply until the keys have expired and another holds the lock",
  ttlMs: 1000,
  membership: 5,
  a: ONE_TRY,
  async play({ a, b, links, ttlMs }) {
    links[2]?.hold("replies");
    for (const link of links.slice(3)) link.hold("both");
    const acquiring = a.acquire(RESOURCE, ttlMs);
    await settledWithin(acquiring, ttlMs + 100);
    const other = await acquireSoon(b, 2 * ttlMs, ttlMs);
    links[2]?.heal();
    const settled = await settledWithin(acquiring, ttlMs);
    if (other === null) return notLive("nobody else could take it");
    if (settled?.kind !== "fulfilled") return ok("refused");
    return violated(`handed out with ${shown(settled.value.remainingMs())} left while another holds it`);
  },
};

const slowRetries: Scenario = {
  name: "retries longer than the ttl",
  says: "the lock becomes free only after the client has tried for longer than its ttl",
  ttlMs: 500,
  membership: 5,
  a: { retryCount: 60, retryDelayMs: 40, commandTimeoutMs: null },
  async play({ a, nodes, ttlMs }) {
    await block(nodes, 900);
    const settled = await settledWithin(a.acquire(RESOURCE, ttlMs), 4000);
    if (settled?.kind !== "fulfilled") return notLive("never got it");
    const leftMs = settled.value.remainingMs();
    return leftMs > 0 ? ok(`${shown(leftMs)} left`) : violated(`handed out with ${shown(leftMs)} left`);
  },
};

const blackHole: Scenario = {
  name: "holder in a black hole",
  says: "inside using() every connection of the holder goes silent; it must stop in time",
  ttlMs: 1000,
  membership: 5,
  a: { ...ONE_TRY, retryCount: 20 },
  async play({ a, b, links, ttlMs }) {
    if (a.using === null) return { kind: "not_applicable" };
    let isOver = false;
    let stoppedAt: number | null = null;
    let onBegun = (): void => {};
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const working = a.using(RESOURCE, ttlMs, async (isAborted) => {
      onBegun();
      for (const link of links) link.hole("both");
      while (!isAborted() && !isOver) await pauseMs(5);
      stoppedAt = isAborted() ? nowMs() : null;
    });
    // It ends long after this scenario, if at all.
    working.catch(() => {});
    if ((await settledWithin(begun, 5000)) === null) return notLive("never got it");
    const other = await acquireSoon(b, 5 * ttlMs, 3 * ttlMs);
    const grantedAt = nowMs();
    while (stoppedAt === null && nowMs() < grantedAt + 2 * ttlMs) await pauseMs(10);
    isOver = true;
    if (other === null) return notLive("nobody else could take it");
    if (stoppedAt === null) return violated(`never aborted, at least ${shown(nowMs() - grantedAt)} of overlap`);
    const overlapMs = stoppedAt - grantedAt;
    return overlapMs <= 0 ? ok(`aborted ${shown(-overlapMs)} before`) : violated(`overlap of ${shown(overlapMs)}`);
  },
};

const stalledExtension: Scenario = {
  name: "extension while three nodes stall",
  says: "three nodes stand still for a moment during an extension; the lock must not be lost by that",
  ttlMs: 3000,
  membership: 5,
  a: { retryCount: 3, retryDelayMs: 50, commandTimeoutMs: 150 },
  async play({ a, b, nodes, ttlMs }) {
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    for (const { server } of nodes.slice(0, 3)) server.pause();
    const extending = settledWithin(lock.extend(ttlMs), ttlMs);
    await settledWithin(extending, 250);
    for (const { server } of nodes.slice(0, 3)) server.resume();
    const other = await acquireSoon(b, ttlMs, 0.6 * ttlMs);
    const leftMs = lock.remainingMs();
    if (other !== null && leftMs > 0) return violated(`overlap of ${shown(Math.min(leftMs, other.remainingMs()))}`);
    await lock.release();
    return ok(`${shown(leftMs)} left`);
  },
};

const lateRelease: Scenario = {
  name: "late release of an earlier try",
  says: "the release of a failed try, sent over a connection that broke since, arrives after the next try has won",
  ttlMs: 3000,
  membership: 5,
  a: { retryCount: 12, retryDelayMs: 120, commandTimeoutMs: null },
  async play({ a, b, links, nodes, ttlMs }) {
    await block(nodes.slice(0, 3), 500);
    for (const link of links) link.holdRequestsAfterReply();
    const acquiring = a.acquire(RESOURCE, ttlMs);
    await settledWithin(acquiring, 60);
    for (const link of links) link.cutClients();
    const settled = await settledWithin(acquiring, ttlMs);
    for (const link of links) link.heal();
    if (settled?.kind !== "fulfilled") return ok("not acquired");
    const lock = settled.value;
    const other = await acquireSoon(b, ttlMs, 0.5 * ttlMs);
    const leftMs = lock.remainingMs();
    await lock.release();
    if (other === null || leftMs <= 0) return ok();
    return violated(`overlap of ${shown(Math.min(leftMs, other.remainingMs()))}`);
  },
};

const clockStep: Scenario = {
  name: "the client's own clock goes back",
  says: "the wall clock of the holder's machine is set back by 10 s while it holds",
  ttlMs: 1000,
  membership: 5,
  a: ONE_TRY,
  async play({ a, b, ttlMs }) {
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    const other = await acquireSoon(b, ttlMs, 3 * ttlMs);
    if (other === null) return notLive("nobody else could take it");
    const real = Date.now;
    Date.now = () => real() - 10_000;
    const leftMs = lock.remainingMs();
    Date.now = real;
    return leftMs > 0 ? violated(`believes in ${shown(leftMs)} more while another holds it`) : ok();
  },
};

/** Scripted faults in which a careless client breaks mutual exclusion. */
export const SAFETY_SCENARIOS: readonly Scenario[] = [
  lateVote,
  slowRetries,
  blackHole,
  stalledExtension,
  lateRelease,
  clockStep,
];
