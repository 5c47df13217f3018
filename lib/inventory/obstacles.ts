import type { LockDetail, LockView, Reading } from "@/lib/contract";
import type { MasterStatus } from "@/lib/redis";
import { quorumOf } from "@/lib/redlock";

type Obstacle = Omit<LockDetail["obstacles"][number], "node">;

/** What of a node's state decides whether it would grant a lock. */
export type NodeState = Pick<
  MasterStatus,
  "state" | "condition" | "role" | "quarantinedForMs" | "quarantineReason" | "refusesGrants" | "faults"
>;

const FREE: Obstacle = { canAcquire: true, reason: "Free.", freeInMs: 0 };

/** Per node: could an acquire be granted there now, and if not, why, and from when on. */
export function obstaclesOf(lock: LockView, stateOf: (node: string) => NodeState | undefined): LockDetail["obstacles"] {
  return lock.nodes.map((reading) => {
    const own = ofNode(reading, stateOf(reading.node));
    const ofKey = ofReading(reading);
    return { node: reading.node, ...(own === null ? ofKey : both(own, ofKey)) };
  });
}

/** When a majority of nodes could grant the lock, if nothing else happens. */
export function nextChanceOf(obstacles: LockDetail["obstacles"]): LockDetail["nextChance"] {
  const n = obstacles.length;
  const quorum = quorumOf(n);
  const times = obstacles.map(({ freeInMs }) => freeInMs ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const inMs = times[quorum - 1] ?? Number.POSITIVE_INFINITY;
  const now = times.filter((time) => time === 0).length;
  if (inMs === 0) return { inMs: 0, text: `${now} of ${n} nodes would grant it, a majority is ${quorum}.` };
  if (Number.isFinite(inMs)) {
    const text = `Now ${now} of ${n} nodes would grant it, a majority is ${quorum}; the others become free by themselves.`;
    return { inMs, text };
  }
  const stuck = obstacles.filter(({ freeInMs }) => freeInMs === null).map(({ node }) => node);
  const text = `${stuck.join(", ")} of ${n} nodes have a reason that time alone does not end, as far as is known; a majority is ${quorum}.`;
  return { inMs: null, text };
}

/** What bars the node whatever the key is; null when nothing does. */
function ofNode({ quarantined }: Reading, node: NodeState | undefined): Obstacle | null {
  const barred = (reason: string, freeInMs: number | null = null): Obstacle => ({
    canAcquire: false,
    reason,
    freeInMs,
  });
  if (quarantined) {
    const forMs = node?.quarantinedForMs ?? 0;
    const why = node?.quarantineReason ?? "it restarted and may have forgotten votes";
    return barred(`Quarantined: ${why}, so it must not vote yet.`, forMs > 0 ? Math.round(forMs) : null);
  }
  if (node === undefined || node.state === "down") return null;
  if (node.state === "loading") return barred("Loading its data: it grants nothing until that is done.");
  if (node.condition === "unsafe" || node.condition === "config_mismatch" || node.condition === "clock") {
    const isReplica = node.role !== null && node.role !== "master";
    return barred(`${isReplica ? "A read-only replica. " : ""}Its vote does not count: ${node.faults.join(" ")}`);
  }
  if (node.refusesGrants !== null) return barred(`Would refuse: ${node.refusesGrants}.`);
  return null;
}

function ofReading(reading: Reading): Obstacle {
  // How long still is in `freeInMs`; a number in a sentence would be wrong a second later.
  const end = reading.remainingMs === null ? ", which never expires" : "";
  switch (reading.reading) {
    case "free":
      return FREE;
    case "unknown":
      return { canAcquire: null, reason: `Nothing is known: ${reading.reason ?? "no answer"}.`, freeInMs: null };
    case "token":
      return {
        canAcquire: false,
        reason: `Holds token ${reading.fingerprint}${end}.`,
        freeInMs: reading.remainingMs,
      };
    case "foreign":
      return {
        canAcquire: false,
        reason: `Holds ${reading.reason ?? "a key that is no lock"}${end}.`,
        freeInMs: reading.remainingMs,
      };
    default:
      return reading.reading satisfies never;
  }
}

/** Two obstacles on one node: it grants once both are gone. */
function both(own: Obstacle, ofKey: Obstacle): Obstacle {
  if (ofKey.canAcquire === true) return own;
  const { freeInMs: first } = own;
  const { freeInMs: second } = ofKey;
  const freeInMs = first === null || second === null ? null : Math.max(first, second);
  return { canAcquire: false, reason: `${own.reason} ${ofKey.reason}`, freeInMs };
}
