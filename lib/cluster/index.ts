// lib/cluster: real redis-server processes that belong to this console, and faults done to them. The only home of child processes.
// Promises: every fault is real (a signal to the process, its connection held, its clock or disk from within); a node keeps its port and, unless started empty,
// its data; nothing that was started outlives the console, however the console ends; servers of others are never touched.

export { type ClientLinks, openLinks } from "./client-links";
export type { ClientListeners, ClientProcess } from "./client-process";
export type { EmbeddedCluster, EmbeddedNode, FaultKind, ProcessView } from "./embedded";
export { findServer } from "./find-server";
export { Link, type LinkMode, SLOW_REPLY_MS } from "./link";
export { buildServerShim, type ServerShim, type ShimBuild } from "./server-shim";
export { type EmbeddedClusterOptions, startEmbeddedCluster } from "./start";
export { withToldTime } from "./told-time";
