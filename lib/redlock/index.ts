// lib/redlock: the Redlock algorithm over ports (LockNode, Clock, Random), and the arithmetic that reads a lock back from N nodes.
// Promises: no Redis, no Next, no I/O, no clock or chance of its own; the same code runs on real nodes and in the simulation.

export { describeBallots, describeRefusal, describeVote } from "./describe";
export { ExecutionError, LockLostError, ResourceLockedError } from "./errors";
export type { EngineEvent } from "./events";
export type { LockSignal } from "./holding";
export type { KeepAlive, KeepAliveOptions } from "./keep-alive";
export { Lock } from "./lock";
export { type CallSettings, type Settings, TTL_MS_MAX, TTL_MS_MIN } from "./options";
export type * from "./outcomes";
export type * from "./ports";
export { quorumOf, type Tally, tally } from "./quorum";
export { type EngineOptions, RedlockEngine, type Routine, type UsingContext } from "./redlock";
export { bytesOfKey, keyFromBytes } from "./resource-key";
export { SeededRandom } from "./simulation/seeded-random";
export { SimulatedNode } from "./simulation/simulated-node";
export { SimulatedServer, type SimulatedServerOptions } from "./simulation/simulated-server";
export { type SimulatedKey, SimulatedStore } from "./simulation/simulated-store";
export { PausableClock, VirtualClock } from "./simulation/virtual-clock";
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
export { DRIFT_FACTOR, driftMs, marginMs, validityMs } from "./validity";
export { type NodeReading, type Verdict, type VerdictKind, verdictOf } from "./verdict";
