import type { EmbeddedCluster, ProcessView } from "@/lib/cluster";
import type { Cluster, ClusterNode, Scan } from "@/lib/contract";
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
  /** How far each node is read, in their order. */
  readonly scan: Scan;
}

/** The nodes and the health of the quorum, from what is known; asks nobody. */
export function clusterOf({ config, guard, masters, embedded, demonstration, scan }: ClusterParts): Cluster {
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
    nodes: masters.flatMap((master, index) => {
      const read = scan.nodes[index];
      return read === undefined ? [] : [nodeOf(master, embedded, read)];
    }),
  };
}

function nodeOf(
  master: Master,
  embedded: EmbeddedCluster | null,
  { node: _, ...mirror }: Scan["nodes"][number],
): ClusterNode {
  const status = master.status();
  const own = embedded?.nodes.find(({ id }) => id === master.id);
  // Figures of a node that does not answer were true once; shown as they are they would be taken for live.
  const isDown = status.state === "down";
  return {
    id: master.id,
    address: own?.address ?? master.address,
    state: status.state,
    process: own === undefined ? null : { ...own.process() },
    quarantinedForMs: Math.round(status.quarantinedForMs),
    quarantineReason: status.quarantineReason,
    undrainable: status.isUndrainable,
    condition: status.condition,
    role: status.role,
    version: status.version,
    runId: status.runId,
    uptimeMs: isDown ? null : status.uptimeMs,
    roundTripMs: isDown ? null : status.roundTripMs,
    clockOffsetMs: isDown ? null : status.clockOffsetMs,
    persistence: status.persistence,
    evictionPolicy: status.evictionPolicy,
    keys: isDown ? null : status.keys,
    lastAnswerMsAgo: status.lastAnswerMsAgo === null ? null : Math.round(status.lastAnswerMsAgo),
    faults: faultsOf(status.faults, own?.process().state ?? null),
    mirror,
  };
}

/** What an operator did on purpose is named first, instead of what the connection makes of it. */
function faultsOf(found: readonly string[], process: ProcessView["state"] | null): string[] {
  switch (process) {
    case "stopped":
      return ["Stopped by an operator: start it on the nodes page, with its data or empty."];
    case "killed":
      return ["Killed by an operator: start it on the nodes page, with its data or empty."];
    case "paused":
      return ["Paused by an operator: it accepts connections and answers nothing. Resume it on the nodes page."];
    case "dead":
      return ["Its process ended by itself: start it on the nodes page, with its data or empty.", ...found];
    default:
      return [...found];
  }
}
