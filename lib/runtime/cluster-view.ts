import type { EmbeddedCluster } from "@/lib/cluster";
import type { Cluster, ClusterNode } from "@/lib/contract";
import { isVoting } from "@/lib/inventory";
import type { Demonstration } from "@/lib/lab";
import type { Guard, Master } from "@/lib/redis";
import { quorumOf } from "@/lib/redlock";
import type { Config } from "./env";

/** What the state of the cluster is put together from. */
export interface ClusterParts {
  readonly config: Config;
  readonly guard: Guard;
  readonly masters: readonly Master[];
  readonly embedded: EmbeddedCluster | null;
  readonly demonstration: Demonstration | null;
}

/** The nodes and the health of the quorum, from what is known; asks nobody. */
export function clusterOf({ config, guard, masters, embedded, demonstration }: ClusterParts): Cluster {
  const statuses = masters.map((master) => master.status());
  const quorum = quorumOf(masters.length);
  const voting = statuses.filter(isVoting).length;
  return {
    readAt: Date.now(),
    n: masters.length,
    quorum,
    up: statuses.filter(({ state }) => state === "up" || state === "slow").length,
    voting,
    canLose: voting - quorum,
    embedded: embedded !== null,
    readOnly: config.readOnly,
    environment: config.environment,
    nodeTimeoutMs: config.nodeTimeoutMs,
    guard: { mode: guard.mode, quarantineMs: guard.quarantineMs },
    demonstration: {
      available: demonstration !== null,
      running: demonstration?.isRunning ?? false,
      clients: demonstration?.clients ?? 0,
    },
    nodes: masters.map((master) => nodeOf(master, embedded)),
  };
}

function nodeOf(master: Master, embedded: EmbeddedCluster | null): ClusterNode {
  const status = master.status();
  const own = embedded?.nodes.find(({ id }) => id === master.id);
  return {
    id: master.id,
    address: own?.address ?? master.address,
    state: status.state,
    process: own === undefined ? null : { ...own.process() },
    quarantinedForMs: Math.round(status.quarantinedForMs),
    quarantineReason: status.quarantineReason,
    condition: status.condition,
    role: status.role,
    version: status.version,
    runId: status.runId,
    uptimeMs: status.uptimeMs,
    roundTripMs: status.roundTripMs,
    clockOffsetMs: status.clockOffsetMs,
    persistence: status.persistence,
    evictionPolicy: status.evictionPolicy,
    keys: status.keys,
    lastAnswerMsAgo: status.lastAnswerMsAgo === null ? null : Math.round(status.lastAnswerMsAgo),
    faults: [...status.faults],
  };
}
