// lib/redis: Redis and Valkey masters as lock nodes, and what a console reads from them. The only home of ioredis.
// Promises: a command is sent at once or never, and at most once; on one node commands are executed in the order sent; a release
// that was not confirmed is repeated until its key has died; a dead or hung node answers at once and nothing rejects.

export { asSighting } from "./as-sighting";
export { createMasters, type MastersOptions } from "./create-masters";
export { fingerprintOf } from "./fingerprint";
export { Guard, type GuardMode, type GuardOptions, membersOf, noGuard } from "./guard";
export {
  type BootstrapAnswer,
  type ChangeAnswer,
  type DrainAnswer,
  type Elements,
  type KeyReading,
  type Master,
  type MasterStatus,
  type ReadAnswer,
  type ScanAnswer,
  type ScanStep,
  VALUE_BYTES_MAX,
  type WaiterAnswer,
} from "./master";
export { MasterNode } from "./master-node";
export { type MasterNodeOptions, NODE_TIMEOUT_MS } from "./master-node-options";
export { maskUrl, type NodeEndpoint, parseNodeUrl } from "./node-url";
export { Redlock, type RedlockSettings } from "./redlock";
export { type Duplicate, duplicatesOf } from "./server-ids";
export { systemClock, systemRandom } from "./system";
export type { ChangeFeed, ChangeListener } from "./tracking";
