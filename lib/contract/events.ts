import type { AuditEntry, Cluster, LockList, LockView, Scan } from "./answers";
import type { Incident } from "./incidents";

/** Where the rows of a page stand now, and how many locks there are. */
export interface PageNow {
  /** Rows in front of the first one. */
  readonly offset: number;
  /** Ids of the rows from there on, in order. */
  readonly ids: readonly string[];
  /** How many fit the filter, and how many there are without it. */
  readonly total: number;
  readonly counts: LockList["counts"];
  readonly noExpiry: number;
  readonly problems: number;
}

/**
 * What `GET /api/v1/events` streams, by event name. `snapshot` first, then differences; a `ping` or another word at least every
 * `STREAM_PING_MS`.
 *
 * Asked without a `limit` it brings every lock (the snapshot at most `SNAPSHOT_LOCKS_MAX` of them). With one it brings what a page
 * shows: the named rows and watched locks, and with them `page`.
 */
export interface StreamEvents {
  readonly snapshot: {
    readonly cluster: Cluster;
    readonly locks: readonly LockView[];
    /** How many locks there are, here or not. */
    readonly total: number;
    readonly scan: Scan;
    readonly readAt: number;
    readonly page?: PageNow;
  };
  /** Locks that changed or are new, and the ids of those that are gone. A mere countdown is not a change. */
  readonly locks: {
    readonly readAt: number;
    readonly changed: readonly LockView[];
    readonly removed: readonly string[];
    readonly scan: Scan;
    readonly page?: PageNow;
  };
  readonly cluster: Cluster;
  readonly action: AuditEntry;
  readonly incident: Incident;
  /** Nothing changed. An event, not a comment: a page's EventSource shows no comments, so it could not tell calm from dead. */
  readonly ping: { readonly readAt: number };
}

export type StreamEventName = keyof StreamEvents;

/** Longest silence on the stream, milliseconds; three of them without a byte mean the connection is dead. */
export const STREAM_PING_MS = 5000;

/** Locks in a snapshot; the rest is to be had page by page. */
export const SNAPSHOT_LOCKS_MAX = 5000;
