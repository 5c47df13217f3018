// Nodes that forget votes: outside of the model of Redlock, and what happens in practice.

import { startRedisServers } from "../../support/redis-server";
import { until } from "../../support/until";
import { FaultLink } from "../fault-link";
import type { FaultNode } from "../fault-nodes";
import {
  exclusion,
  notLive,
  RESOURCE,
  refusedWith,
  type Scenario,
  type ScenarioOutcome,
  type Stage,
} from "../scenario";
import { afterThreeVotes, nodeAt, nowMs, pauseMs, threeVotes, tryUntilGranted } from "../scenario-steps";

const REPLICATED_WITHIN_MS = 10_000;
const EVICTED_WITHIN_MS = 3000;
const KEYS_PER_STEP = 100;
const LOST_ATTEMPTS = 4;

const emptyRestart: Scenario = {
  name: "a voter is killed and restarts empty",
  says: "three of five nodes hold the lock; one of them is killed and comes back without its data",
  ttlMs: 3000,
  play: (stage) =>
    afterThreeVotes(stage, async (voter) => {
      await voter.server.kill();
      voter.forget();
      await voter.server.restart();
    }),
};

const cleanRestart: Scenario = {
  name: "a voter restarts with its data",
  says: "as before, but it syncs every write to its append-only file and is shut down in order: nothing is forgotten",
  ttlMs: 3000,
  play: (stage) =>
    afterThreeVotes(stage, async ({ server }) => {
      await server.shutDown();
      await server.restart();
    }),
};

const slowDisk: Scenario = {
  name: "a voter on a slow disk is killed and restarts",
  says: "the append-only file is synced every second, and a sync takes long: the server holds back what it has acknowledged",
  ttlMs: 3000,
  serverArgs: ["--appendfsync", "everysec"],
  needsShim: true,
  async play(stage) {
    for (let attempt = 0; attempt < LOST_ATTEMPTS; attempt += 1) {
      const outcome = await killWhileWaiting(stage);
      if (outcome !== null) return outcome;
      await pauseMs(stage.ttlMs);
    }
    throw new Error(`nothing was lost in ${LOST_ATTEMPTS} attempts`);
  },
};

/** Null when the server had written the lock to its file after all: it waits for two seconds at most. */
async function killWhileWaiting(stage: Stage): Promise<ScenarioOutcome | null> {
  const { server, shim } = nodeAt(stage.nodes, 2);
  if (shim === null) throw new TypeError("the node was started without the shim");
  shim.delayFsync(60_000);
  await until(async () => {
    await server.client.set("fault:other", "");
    return /aof_pending_bio_fsync:[1-9]/.test(await server.client.info("persistence"));
  }, "the server to wait for its disk");
  const lock = await threeVotes(stage);
  await server.kill();
  shim.delayFsync(0);
  await server.restart();
  if (lock === null) return notLive("never got it");
  if ((await server.client.exists(RESOURCE)) !== 0) return null;
  return exclusion(lock, await tryUntilGranted(stage.b, stage.ttlMs, 3 * stage.ttlMs));
}

const flushed: Scenario = {
  name: "a voter is flushed",
  says: "FLUSHALL on one of the three nodes that hold the lock",
  ttlMs: 3000,
  play: (stage) => afterThreeVotes(stage, ({ server }) => server.client.flushall()),
};

const failover: Scenario = {
  name: "a lagging replica takes a voter's place",
  says: "a replica has everything but the last vote when its master dies and it is promoted at the same address",
  ttlMs: 4000,
  async play(stage) {
    const voter = nodeAt(stage.nodes, 2);
    const lane = await FaultLink.start(voter.server.port);
    const { servers, stop } = await startRedisServers(1, ["--replicaof", "127.0.0.1", String(lane.port)]);
    try {
      const [replica] = servers;
      if (replica === undefined) throw new Error("no replica was started");
      await until(() => isReplicated(voter, replica.client), "the replica to have its data", REPLICATED_WITHIN_MS);
      lane.hold("replies");
      const lock = await threeVotes(stage);
      if (lock === null) return notLive("never got it");
      await voter.server.kill();
      lane.close();
      await replica.client.replicaof("NO", "ONE");
      if ((await replica.client.exists(RESOURCE)) !== 0) throw new Error("the replica did not lag");
      for (const links of [stage.links, stage.rivalLinks]) links[2]?.retarget(replica.port);
      return exclusion(lock, await tryUntilGranted(stage.b, stage.ttlMs, 3 * stage.ttlMs));
    } finally {
      lane.close();
      await stop();
    }
  },
};

async function isReplicated(master: FaultNode, replica: FaultNode["server"]["client"]): Promise<boolean> {
  if (!(await replica.info("replication")).includes("master_link_status:up")) return false;
  // By a key of our own, written after the link was up.
  const mark = "fault:replicated";
  await master.server.client.set(mark, "1");
  return (await replica.exists(mark)) === 1;
}

const evicted: Scenario = {
  name: "locks may be evicted",
  says: "the nodes have maxmemory and allkeys-lru, and three of them are filled with other keys while the lock is held",
  ttlMs: 4000,
  serverArgs: ["--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru", "--appendonly", "no"],
  isRefusalExpected: true,
  async play(stage) {
    const { a, b, nodes, ttlMs } = stage;
    const first = await tryUntilGranted(a, ttlMs, 2000);
    if (first.lock === null) return refusedWith(first, /locks may be evicted/);
    await Promise.all(nodes.slice(0, 3).map(fill));
    return exclusion(first.lock, await tryUntilGranted(b, ttlMs, 2 * ttlMs));
  },
};

/** Until the lock's key is gone. Looking whether it is there does not count as a use of it. */
async function fill({ server: { client } }: FaultNode): Promise<void> {
  const value = "x".repeat(1000);
  const end = nowMs() + EVICTED_WITHIN_MS;
  for (let step = 0; nowMs() < end && (await client.exists(RESOURCE)) === 1; step += 1) {
    const pipeline = client.pipeline();
    for (let index = 0; index < KEYS_PER_STEP; index += 1) pipeline.set(`fault:other:${step}:${index}`, value);
    await pipeline.exec();
  }
}

/** Scripted faults in which nodes forget votes. */
export const RESTART_SCENARIOS: readonly Scenario[] = [
  emptyRestart,
  cleanRestart,
  slowDisk,
  flushed,
  failover,
  evicted,
];
