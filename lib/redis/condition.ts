import type { NodeId } from "@/lib/redlock";
import type { Facts } from "./facts";
import type { MasterStatus } from "./master";
import type { Standing } from "./node-guard";

/** What is known of the connections to a node and of the node itself, at one moment. */
export interface Outlook {
  /** The connection on which votes are cast. */
  readonly locks: Link;
  /** The connection on which keys are read. */
  readonly reads: Link;
  readonly facts: Facts;
  /** The last vote was refused because its user may not give it, in the server's words. */
  readonly denial: string | null;
  readonly roundTripMs: number | null;
  readonly nodeTimeoutMs: number;
  /** Another configured node that is the same server. */
  readonly twin: NodeId | null;
  /** What its user may not do although a vote needs it, in words; null when nothing is missing. */
  readonly missingRights: string | null;
  /** What its user may not do although a fair lock needs it, a sentence; null when nothing is missing. */
  readonly missingForFair: string | null;
  /** What the restart guard says. */
  readonly standing: Standing;
  /** How far its clock is ahead of the median of the nodes, milliseconds. */
  readonly clockDeviationMs: number;
  /** How far it may be, either way. */
  readonly clockToleranceMs: number;
  /** Its fence counters may have begun again too low. */
  readonly areFencesDoubtful: boolean;
}

export interface Link {
  readonly isOpen: boolean;
  /** 0 = not silent, milliseconds. */
  readonly silentForMs: number;
  /** Why it is not usable. */
  readonly reason: string;
}

/** A command unanswered for so long: the node counts as down, milliseconds. */
export const DOWN_AFTER_MS = 1000;

/** A node is slow when a round trip takes more than this part of its time limit: it answers, but a little more and it would not. */
const SLOW_FRACTION = 0.5;

/** Whether the node answers, and how promptly. */
export function stateOf({ locks, reads, facts, roundTripMs, nodeTimeoutMs }: Outlook): MasterStatus["state"] {
  if (!locks.isOpen || locks.silentForMs >= DOWN_AFTER_MS) return "down";
  if (facts.isLoading) return "loading";
  const isLate = locks.silentForMs > 0 || reads.silentForMs > 0 || !reads.isOpen;
  return isLate || (roundTripMs !== null && roundTripMs > nodeTimeoutMs * SLOW_FRACTION) ? "slow" : "up";
}

/** What the node's votes are worth. */
export function conditionOf(outlook: Outlook): MasterStatus["condition"] {
  if (stateOf(outlook) === "down") return "unreachable";
  if (unsafeReason(outlook) !== null) return "unsafe";
  if (outlook.standing.kind === "config_mismatch") return "config_mismatch";
  if (clockReason(outlook) !== null) return "clock";
  if (outlook.standing.kind === "drained") return "drained";
  if (outlook.standing.kind !== "admitted") return "quarantined";
  return degradations(outlook).length > 0 ? "degraded" : "admitted";
}

/**
 * Why a vote of this node must not count, although it answers: the key could vanish before its time, or is no vote of its own.
 * Source: `safety.md`, R10.
 */
export function unsafeReason({
  facts,
  twin,
  missingRights,
}: Pick<Outlook, "facts" | "twin" | "missingRights">): string | null {
  if (facts.role !== null && facts.role !== "master") {
    return `role is ${facts.role}, not master: name an independent master instead`;
  }
  if (facts.isCluster) {
    return "cluster mode is on, so keys move between servers: name an independent master instead";
  }
  if ((facts.memoryMax ?? 0) > 0 && facts.evictionPolicy !== null && facts.evictionPolicy !== "noeviction") {
    return `maxmemory-policy is ${facts.evictionPolicy}, so locks may be evicted: CONFIG SET maxmemory-policy noeviction`;
  }
  if (twin !== null) {
    return `the same server as node ${twin}, so its vote would count twice: name another master instead`;
  }
  return missingRights;
}

/** Why the server would write no key for a lock, although its vote would count; null when nothing is known to be in the way. */
export function grantRefusal({ facts, denial }: Pick<Outlook, "facts" | "denial">): string | null {
  if (isOutOfMemory(facts)) return "out of memory: raise maxmemory or delete keys";
  if (facts.hasWriteError) return "it could not write its data to disk and may refuse writes: free disk space";
  return denial === null ? null : `no permission (${denial}): grant its user the key, +@scripting, +set and +get`;
}

/** Why a vote must not count for the node's clock: keys end at the wrong time there. Source: `safety.md`, R11. */
export function clockReason({
  clockDeviationMs,
  clockToleranceMs,
}: Pick<Outlook, "clockDeviationMs" | "clockToleranceMs">): string | null {
  const byMs = Math.abs(clockDeviationMs);
  if (byMs <= clockToleranceMs) return null;
  const by = byMs < 1000 ? `${Math.round(byMs)} ms` : `${(byMs / 1000).toFixed(1)} s`;
  const way = clockDeviationMs > 0 ? "ahead of" : "behind";
  return `its clock is ${by} ${way} the other nodes', so keys end at the wrong time: set it right (NTP)`;
}

/** Everything that is wrong, each a sentence with the next step. */
export function faultsOf(outlook: Outlook): readonly string[] {
  const unsafe = unsafeReason(outlook);
  const clock = clockReason(outlook);
  const linkFaults = linkFault(outlook);
  return [
    ...(linkFaults === null ? [] : [linkFaults]),
    ...(unsafe === null ? [] : [sentence(unsafe)]),
    ...(clock === null ? [] : [sentence(clock)]),
    ...standingFaults(outlook),
    ...degradations(outlook),
    // No degradation: who asks for no fair locks misses nothing.
    ...(outlook.missingForFair === null || unsafe !== null ? [] : [outlook.missingForFair]),
  ];
}

function standingFaults({ standing }: Outlook): readonly string[] {
  switch (standing.kind) {
    case "admitted":
      return [];
    case "unverified":
    case "config_mismatch":
    case "drained":
      return [sentence(standing.reason)];
    case "quarantined":
      return [`Quarantined: ${standing.reason}. It votes again by itself; locks can be released on it meanwhile.`];
    default:
      return standing satisfies never;
  }
}

function linkFault({ locks, reads, roundTripMs, nodeTimeoutMs }: Outlook): string | null {
  if (!locks.isOpen) return sentence(`${locks.reason}: ${nextStepFor(locks.reason)}`);
  const silentMs = Math.max(locks.silentForMs, reads.silentForMs);
  if (silentMs > 0) {
    const seconds = (silentMs / 1000).toFixed(1);
    return `Silent for ${seconds} s: paused, overloaded or cut off; look at its process and the network.`;
  }
  if (!reads.isOpen) return sentence(`votes, but keys cannot be read: ${reads.reason}; raise maxclients if it is full`);
  if (roundTripMs !== null && roundTripMs > nodeTimeoutMs * SLOW_FRACTION) {
    return `Answers in ${Math.round(roundTripMs)} ms of the ${nodeTimeoutMs} ms allowed: look for slow commands (SLOWLOG GET) or raise the node time limit.`;
  }
  return null;
}

function degradations({ facts, areFencesDoubtful }: Outlook): readonly string[] {
  const faults: string[] = [];
  if (areFencesDoubtful) {
    faults.push(
      "Fence degraded: so many nodes lost their fence counters together that for ten minutes only the clients' clocks keep fencing tokens in order: see that these agree (NTP).",
    );
  }
  if (facts.isLoading) faults.push("Loading its data: it votes when that is done.");
  if (facts.refusal !== null) faults.push(sentence(`${facts.refusal}: ${nextStepFor(facts.refusal)}`));
  if (facts.hasWriteError) {
    faults.push("Could not write its data to disk and may refuse writes: free disk space, or look at its log.");
  }
  if (isOutOfMemory(facts)) {
    faults.push("Out of memory, so it cannot grant locks: raise maxmemory or delete keys.");
  }
  return faults;
}

function isOutOfMemory({ memoryMax, memoryUsed }: Facts): boolean {
  return (memoryMax ?? 0) > 0 && (memoryUsed ?? 0) > (memoryMax ?? 0);
}

/** What to do about the words of a server or of the operating system. */
function nextStepFor(reason: string): string {
  if (/WRONGPASS|NOAUTH|invalid password|AUTH/i.test(reason)) return "correct user and password in its URL";
  if (/NOPERM/.test(reason)) return "grant the user +info, or its role and memory stay unknown";
  if (/database could not be selected/.test(reason)) return "correct the database number in its URL";
  if (/ECONNREFUSED|no such socket/.test(reason)) return "start the server, or correct its address";
  if (/host name/.test(reason)) return "correct the host name in its URL";
  if (/BUSY/.test(reason)) return "wait for the script that runs, or SCRIPT KILL";
  if (/not answered|silent/.test(reason)) return "look whether its process is paused or overloaded";
  if (/certificate|SSL|TLS/i.test(reason)) return "check its certificate, and redis:// or rediss:// in its URL";
  return "look whether it runs and can be reached";
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
