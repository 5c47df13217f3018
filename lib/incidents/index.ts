// lib/incidents: a second holder before the first one's time was over: noticed from readings, and traced to its probable cause.
// Promises: pure; bounded; prefers silence to a false alarm: what can have been a release is none.
export type { Look } from "./look";
export type { NodeFacts } from "./node-troubles";
export { IncidentWatch } from "./watch";
