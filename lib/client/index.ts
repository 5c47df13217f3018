// lib/client: the browser side: calls of the API, the SWR caches and their hooks, the event stream, the page's clock.
// Promises: hooks answer with unions (loading, failed, ready) and keep the last good data; the browser's wall clock is never read.

export { formatDuration } from "@/lib/contract";
export {
  acquireLock,
  bootstrapCluster,
  drainNode,
  extendLock,
  forceExpireLock,
  healFault,
  refreshLock,
  releaseLock,
  revokeLock,
  setDemonstration,
  setFault,
  undrainNode,
} from "./actions";
export { ApiError, asApiError } from "./api-error";
export { BULK_OUTCOMES, type BulkItem, type BulkOutcome, type BulkReport, bulkForceExpire } from "./bulk";
export { useConnection } from "./connection";
export { formatExactly, formatRoundTrip, parseDuration } from "./duration";
export type { ExportedFile, ExportFormat } from "./export-locks";
export { readFirstLocks } from "./first-locks";
export { FirstValues } from "./first-values";
export { type HeldLock, heldLocks, useHeldLocks } from "./held-locks";
export { type LabSeen, useLabRun } from "./lab-stream";
export { LiveProvider } from "./live-provider";
export type { ConnectionState } from "./live-stream";
export { endedKeys, liveVerdict, silentNodes } from "./live-verdict";
export type { LockSet } from "./lock-set";
export { formatAgo, formatMoment, formatMomentExactly, type Zone, zoneName } from "./moment";
export { ageOf, type Received } from "./received";
export { QUALIFIERS } from "./search";
export { formatSort, parseSort, type Sort, type SortColumn } from "./sort";
export { type ListWindow, useWatchedLock } from "./stream-target";
export { useTicking } from "./ticker";
export { useAudit } from "./use-audit";
export { useCluster } from "./use-cluster";
export { type DiscoveryState, useDiscovery } from "./use-discovery";
export { useIncidents } from "./use-incidents";
export { commandLabRun, isRunOn, startLabRun, stopLabRun, takeOverLabRun, useKeptRun, useLab } from "./use-lab";
export { useLock } from "./use-lock";
export { type LockRows, type PresetCounts, useLockSet, useLocks } from "./use-locks";
export { useLocksExport } from "./use-locks-export";
export { useServerTime } from "./use-server-time";
export { useZone, zoneChoice } from "./zone";
