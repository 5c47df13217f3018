// Every key of the SWR cache in one place. A key is the path that answers it.

const BASE = "/api/v1";

/** Most locks one answer holds. */
export const LIST_LOCKS_MAX = 1000;

/** How many actions the overview shows. */
const AUDIT_LIMIT = 20;

export const keys = {
  cluster: `${BASE}/cluster`,
  /** All locks, kept whole in the browser while they are few enough. */
  locks: `${BASE}/locks?limit=${LIST_LOCKS_MAX}`,
  audit: `${BASE}/audit?limit=${AUDIT_LIMIT}`,
  incidents: `${BASE}/incidents`,
  discovery: `${BASE}/discovery`,
  events: `${BASE}/events`,
  /** Only what a page shows. @param query without the question mark */
  eventsOf: (query: string) => `${BASE}/events?${query}`,
  bootstrap: `${BASE}/cluster/bootstrap`,
  demonstration: `${BASE}/demonstration`,
  lab: `${BASE}/lab`,
  labRuns: `${BASE}/lab/runs`,
  labEvents: (viewer: string) => `${BASE}/lab/events?viewer=${viewer}`,
  labRun: (id: string) => `${BASE}/lab/runs/${id}`,
  labCommands: (id: string) => `${BASE}/lab/runs/${id}/commands`,
  labDriver: (id: string) => `${BASE}/lab/runs/${id}/driver`,
  acquire: `${BASE}/locks`,
  /** @param id percent-encoded already, as every lock carries it */
  lock: (id: string) => `${BASE}/locks/${id}`,
  lockVerb: (id: string, verb: "extend" | "release" | "revoke" | "force-expire") => `${BASE}/locks/${id}/${verb}`,
  bulkForceExpire: `${BASE}/locks/bulk/force-expire`,
  drain: (node: string) => `${BASE}/cluster/nodes/${encodeURIComponent(node)}/drain`,
  faults: (node: string) => `${BASE}/cluster/nodes/${encodeURIComponent(node)}/faults`,
  /** A filtered part of the list, asked of the server. @param query without the question mark */
  lockPage: (query: string) => `${BASE}/locks?${query}`,
} as const;
