import type { AuditEntry, Cluster, LockView, Scan } from "./answers";
import type { Incident } from "./incidents";

/** What `GET /api/v1/events` streams, by event name. `snapshot` first, then differences; a comment at least every 15 s. */
export interface StreamEvents {
  readonly snapshot: {
    readonly cluster: Cluster;
    readonly locks: readonly LockView[];
    readonly scan: Scan;
    readonly readAt: number;
  };
  /** Locks that changed or are new, and the ids of those that are gone. A mere countdown is not a change. */
  readonly locks: {
    readonly readAt: number;
    readonly changed: readonly LockView[];
    readonly removed: readonly string[];
    readonly scan: Scan;
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
