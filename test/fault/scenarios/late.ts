// Requests and replies that arrive late.

import { notLive, ok, RESOURCE, type Scenario, type ScenarioOutcome, type Stage, shown, violated } from "../scenario";
import { acquireSoon, block, keysOn, nodeAt, nowMs, pauseMs, settledWithin } from "../scenario-steps";

const lateVote: Scenario = {
  name: "late third vote",
  says: "the network holds the deciding reply until the keys have expired and another holds the lock",
  ttlMs: 1000,
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
    const leftMs = settled.value.remainingMs();
    const state = leftMs > 0 ? `valid for ${shown(leftMs)}` : `over for ${shown(-leftMs)}`;
    return violated(`handed out while another holds it, ${state}`);
  },
};

const slowRetries: Scenario = {
  name: "retries longer than the ttl",
  says: "the lock becomes free only after the client has tried for longer than its ttl",
  ttlMs: 500,
  a: { retryCount: 60, retryDelayMs: 40 },
  async play({ a, nodes, ttlMs }) {
    await block(nodes, 900);
    const settled = await settledWithin(a.acquire(RESOURCE, ttlMs), 4000);
    if (settled?.kind !== "fulfilled") return notLive("never got it");
    const leftMs = settled.value.remainingMs();
    return leftMs > 0 ? ok(`${shown(leftMs)} left`) : violated(`handed out, over for ${shown(-leftMs)}`);
  },
};

const frozenNode: Scenario = {
  name: "one of five nodes is frozen",
  says: "whether the validity that is claimed fits into the ttl when one node does not answer",
  ttlMs: 2000,
  a: { commandTimeoutMs: 1500 },
  async play({ a, nodes, ttlMs }) {
    nodeAt(nodes, 4).server.pause();
    const startedAt = nowMs();
    const settled = await settledWithin(a.acquire(RESOURCE, ttlMs), 5000);
    const tookMs = nowMs() - startedAt;
    if (settled === null) return notLive("no answer in 5 s");
    if (settled.kind === "rejected") return notLive(`refused after ${shown(tookMs)}`);
    const askedAt = nowMs();
    const claimedMs = settled.value.remainingMs();
    const living = await Promise.all(nodes.slice(0, 4).map(({ server }) => server.client.pttl(RESOURCE)));
    // What the third best of the keys had left at most when the client was asked: from then on there is no majority.
    const keptMs = ([...living].sort((x, y) => y - x)[2] ?? 0) + nowMs() - askedAt;
    const tooLongMs = claimedMs - keptMs;
    return tooLongMs > 0 ? violated(`claims ${shown(tooLongMs)} too much`) : ok(`granted after ${shown(tookMs)}`);
  },
};

const lateRelease: Scenario = {
  name: "late release of an earlier try",
  says: "the release of a failed try, sent over a connection that broke since, arrives after the next try has won",
  ttlMs: 3000,
  a: { retryCount: 12, retryDelayMs: 120 },
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
    await settledWithin(lock.release(), ttlMs);
    if (other === null || leftMs <= 0) return ok();
    return violated(shown(Math.min(leftMs, other.remainingMs())));
  },
};

const coldGhost: Scenario = {
  name: "a frozen node wakes after the release, scripts forgotten",
  says: "acquire and release while one node is frozen that must be sent the scripts first; nothing may be left on it",
  ttlMs: 4000,
  async play(stage) {
    await nodeAt(stage.nodes, 4).server.client.script("FLUSH");
    return acquireAndReleaseBeside(stage);
  },
};

const warmGhost: Scenario = {
  name: "a frozen node wakes after the release",
  says: "as before, but the node knows the scripts",
  ttlMs: 4000,
  play: acquireAndReleaseBeside,
};

/** Takes and gives back the lock while the last node is frozen, and looks what that has of it when it is awake again. */
async function acquireAndReleaseBeside({ a, nodes, ttlMs }: Stage): Promise<ScenarioOutcome> {
  const frozen = nodes.slice(4);
  for (const { server } of frozen) server.pause();
  const acquiring = a.acquire(RESOURCE, ttlMs);
  const settled = await settledWithin(acquiring, 1000);
  const isReleased = settled?.kind !== "fulfilled" || (await settledWithin(settled.value.release(), 1000)) !== null;
  await pauseMs(200);
  for (const { server } of frozen) server.resume();
  const wokenAt = nowMs();
  // What was sent before is executed first; so is what follows on a refusal of it.
  await pauseMs(200);
  let ghostMs = 0;
  while ((await keysOn(frozen)) > 0 && nowMs() < wokenAt + 2 * ttlMs) {
    ghostMs = nowMs() - wokenAt;
    await pauseMs(20);
  }
  const ghost = ghostMs > ttlMs / 4 ? `ghost of ${shown(ghostMs)}` : "";
  if (settled === null) return notLive(["no answer", ...(ghost === "" ? [] : [ghost])].join(", "));
  if (settled.kind === "rejected") return notLive("refused");
  if (ghost !== "") return notLive(ghost);
  return ok(isReleased ? "" : "the release waits for the node");
}

const frozenMajority: Scenario = {
  name: "three nodes freeze, the client gives up",
  says: "a client asks frozen nodes, gives up after 1 s and goes away; when they wake its requests must leave nothing behind",
  ttlMs: 4000,
  async play({ a, b, nodes, ttlMs }) {
    for (const { server } of nodes.slice(0, 3)) server.pause();
    const acquiring = a.acquire(RESOURCE, ttlMs);
    acquiring.catch(() => {});
    await pauseMs(1000);
    a.disconnect();
    await pauseMs(50);
    for (const { server } of nodes.slice(0, 3)) server.resume();
    return freeSoon(b, ttlMs);
  },
};

const deadMajority: Scenario = {
  name: "three nodes are dead, the client gives up",
  says: "a client asks dead nodes and forgets about it after 1 s; when they are back its requests must not be sent any more",
  ttlMs: 4000,
  async play({ a, b, nodes, ttlMs }) {
    await Promise.all(nodes.slice(0, 3).map(({ server }) => server.kill()));
    const acquiring = a.acquire(RESOURCE, ttlMs);
    acquiring.catch(() => {});
    await pauseMs(1000);
    await Promise.all(nodes.slice(0, 3).map(({ server }) => server.restart()));
    // Until both clients have connected again.
    await pauseMs(1000);
    const ghosts = await keysOn(nodes);
    const outcome = await freeSoon(b, ttlMs);
    return outcome.kind === "not_live" ? notLive(`${outcome.note}, ghosts on ${ghosts} nodes`) : outcome;
  },
};

/** A lock that nobody holds must not have to expire first. */
async function freeSoon(b: Stage["b"], ttlMs: number): Promise<ScenarioOutcome> {
  const startedAt = nowMs();
  const other = await acquireSoon(b, ttlMs, 2 * ttlMs);
  const waitedMs = nowMs() - startedAt;
  if (other === null) return notLive(`blocked for ${shown(waitedMs)} and more`);
  await settledWithin(other.release(), ttlMs);
  return waitedMs < ttlMs / 2 ? ok(`free after ${shown(waitedMs)}`) : notLive(`blocked for ${shown(waitedMs)}`);
}

/** Scripted faults in which something arrives late. */
export const LATE_SCENARIOS: readonly Scenario[] = [
  lateVote,
  slowRetries,
  frozenNode,
  lateRelease,
  coldGhost,
  warmGhost,
  frozenMajority,
  deadMajority,
];
