import type { Reply } from "./connection";
import type { Durability } from "./node-guard";

/** What a server says about itself. Null: not known, for example because the user may not ask. */
export interface Facts {
  readonly role: string | null;
  readonly version: string | null;
  readonly runId: string | null;
  readonly uptimeMs: number | null;
  readonly isLoading: boolean;
  readonly isCluster: boolean;
  /** Bytes; 0 = no limit. */
  readonly memoryMax: number | null;
  readonly memoryUsed: number | null;
  readonly evictionPolicy: string | null;
  readonly isAppendOnly: boolean | null;
  /** The append-only file is being rewritten: for so long it may not be complete, or not be synced. */
  readonly isRewriting: boolean;
  /** Replicas connected to it. */
  readonly replicas: number;
  /** The last write of AOF or RDB failed: the server refuses writes (MISCONF). */
  readonly hasWriteError: boolean;
  /** Calls of FLUSHALL and FLUSHDB since the process began. */
  readonly flushes: number | null;
  /** Why INFO was refused, the server's own words. */
  readonly refusal: string | null;
}

/** Before the server has said anything. */
export const NO_FACTS: Facts = {
  role: null,
  version: null,
  runId: null,
  uptimeMs: null,
  isLoading: false,
  isCluster: false,
  memoryMax: null,
  memoryUsed: null,
  evictionPolicy: null,
  isAppendOnly: null,
  isRewriting: false,
  replicas: 0,
  hasWriteError: false,
  flushes: null,
  refusal: null,
};

/** Reads the answers to INFO and INFO commandstats, one behind the other, of Redis 5 to 8 and Valkey. */
export function factsFromInfo(info: string): Facts {
  const lines = `\r\n${info}\r\n`;
  // Looked for one by one: every client asks every node each second, and most of a few hundred lines are of no interest.
  const text = (name: string) => {
    const at = lines.indexOf(`\r\n${name}:`);
    if (at < 0) return null;
    const from = at + name.length + 3;
    return lines.slice(from, lines.indexOf("\r\n", from));
  };
  const number = (name: string) => {
    const value = Number(text(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : null;
  };
  const valkey = text("valkey_version");
  const uptimeSeconds = number("uptime_in_seconds");
  const appendOnly = text("aof_enabled");
  return {
    role: text("role"),
    version: valkey === null ? text("redis_version") : `valkey ${valkey}`,
    runId: text("run_id"),
    // The server reckons it with the wall clock; after a step backwards it is negative.
    uptimeMs: uptimeSeconds === null ? null : Math.max(0, uptimeSeconds) * 1000,
    isLoading: text("loading") === "1" || text("async_loading") === "1",
    isCluster: text("cluster_enabled") === "1",
    memoryMax: number("maxmemory"),
    memoryUsed: number("used_memory"),
    evictionPolicy: text("maxmemory_policy"),
    isAppendOnly: appendOnly === null ? null : appendOnly === "1",
    isRewriting: text("aof_rewrite_in_progress") === "1" || text("aof_rewrite_scheduled") === "1",
    replicas: number("connected_slaves") ?? 0,
    hasWriteError:
      (appendOnly === "1" && text("aof_last_write_status") === "err") || text("rdb_last_bgsave_status") === "err",
    flushes:
      text("cmdstat_info") !== null ? callsOf(text("cmdstat_flushall")) + callsOf(text("cmdstat_flushdb")) : null,
    refusal: null,
  };
}

/** @param stat `calls=3,usec=…`; null = never called, which the server does not mention */
function callsOf(stat: string | null): number {
  return Number(/^calls=(\d+)/.exec(stat ?? "")?.[1] ?? 0);
}

/** How often databases were exchanged since the server started, out of the answer to INFO commandstats. */
export function swapsFromInfo(info: string): number {
  return Number(/^cmdstat_swapdb:calls=(\d+)/m.exec(info)?.[1] ?? 0);
}

/**
 * How the server keeps its data, in the words of `MasterStatus.persistence`.
 *
 * @param fsync answer to CONFIG GET appendfsync, null when refused
 * @param save answer to CONFIG GET save, null when refused
 */
export function persistenceWords(facts: Facts, fsync: string | null, save: string | null): string | null {
  if (facts.isAppendOnly === null) return null;
  if (facts.isAppendOnly) return fsync === null ? "aof" : `aof ${fsync}`;
  if (save === null) return null;
  return save === "" ? "none" : "rdb";
}

/**
 * Whether the server comes back from a crash with every vote it gave. A node with replicas never counts as such: one of them
 * may be put in its place, with its marker and without its last votes.
 *
 * @param fsync answer to CONFIG GET appendfsync, null when refused
 */
export function durabilityOf(facts: Facts, fsync: string | null): Durability {
  if (facts.isAppendOnly === null || fsync === null) return "n";
  const isDurable = facts.isAppendOnly && fsync === "always" && !facts.isRewriting && !facts.hasWriteError;
  return isDurable && facts.replicas === 0 ? "1" : "0";
}

/** The value out of the answer to CONFIG GET of one name; null when it was refused or is not known there. */
export function settingOf(reply: Reply): string | null {
  if (reply.kind !== "answer" || !Array.isArray(reply.value)) return null;
  const value: unknown = reply.value[1];
  return value === undefined ? null : String(value);
}
