// lib/redlock: the Redlock algorithm over ports (LockNode, Clock, Random), and the arithmetic that reads a lock back from N nodes.
// Promises: no Redis, no Next, no I/O, no clock or chance of its own; the same code runs on real nodes and in the simulation.

export type * from "./outcomes";
export type * from "./ports";
export { quorumOf, type Tally, tally } from "./quorum";
export { bytesOfKey, keyFromBytes } from "./resource-key";
export {
  asFingerprint,
  asToken,
  type Fingerprint,
  type MonotonicMs,
  monotonicMs,
  type NodeId,
  nodeId,
  type Token,
} from "./units";
export { DRIFT_FACTOR, driftMs, validityMs } from "./validity";
export { type NodeReading, type Verdict, type VerdictKind, verdictOf } from "./verdict";
