// lib/contract: everything that crosses the wire: input and answer schemas, the error table, events, resource ids.
// Promises: pure; safe to import in the browser, where only its types and small functions are used.

export {
  type AcquireAnswer,
  acquireAnswerSchema,
  type BootstrapAnswer,
  type BulkForceExpireAnswer,
  bootstrapAnswerSchema,
  bulkForceExpireAnswerSchema,
  type DrainAnswer,
  drainAnswerSchema,
  type ExtendAnswer,
  extendAnswerSchema,
  type ForceExpireAnswer,
  forceExpireAnswerSchema,
  type ReleaseAnswer,
  type RevokeAnswer,
  releaseAnswerSchema,
  revokeAnswerSchema,
  type Vote,
  voteSchema,
} from "./action-answers";
export {
  type AuditEntry,
  type AuditList,
  auditEntrySchema,
  auditListSchema,
  type Cluster,
  type ClusterNode,
  clusterSchema,
  type ErrorBody,
  errorBodySchema,
  type LockDetail,
  type LockList,
  type LockView,
  lockDetailSchema,
  lockListSchema,
  lockSchema,
  nodeSchema,
  type Reading,
  readingSchema,
  type Scan,
  scanSchema,
} from "./answers";
export { type DiscoveryAnswer, discoverySchema } from "./discovery";
export { formatDuration } from "./duration";
export { AppError, ERROR_STATUS, type ErrorCode } from "./errors";
export { type PageNow, SNAPSHOT_LOCKS_MAX, STREAM_PING_MS, type StreamEventName, type StreamEvents } from "./events";
export {
  INCIDENT_CAUSES,
  type Incident,
  type IncidentCause,
  type IncidentList,
  incidentListSchema,
} from "./incidents";
export {
  type AcquireBody,
  type AuditQuery,
  acquireBodySchema,
  auditQuerySchema,
  type BootstrapBody,
  BULK_ITEMS_MAX,
  type BulkForceExpireBody,
  bootstrapBodySchema,
  bulkForceExpireBodySchema,
  type DemonstrationBody,
  type DrainBody,
  demonstrationBodySchema,
  drainBodySchema,
  type EventsQuery,
  type ExtendBody,
  eventsQuerySchema,
  extendBodySchema,
  type FaultBody,
  type ForceExpireBody,
  faultBodySchema,
  forceExpireBodySchema,
  type HealQuery,
  healQuerySchema,
  LOCK_SORTS,
  type LocksQuery,
  lockParamsSchema,
  locksQuerySchema,
  nodeParamsSchema,
  type ReleaseBody,
  type RevokeBody,
  releaseBodySchema,
  resourceSchema,
  revokeBodySchema,
  VERDICTS,
} from "./inputs";
export {
  LAB_NODES_MAX,
  LAB_SCENARIOS,
  type Lab,
  type LabAudience,
  type LabCheck,
  type LabClaim,
  type LabEvent,
  type LabQuestion,
  type LabRun,
  type LabRunBody,
  type LabRunSummary,
  type LabScenario,
  type LabScenarioId,
  type LabVote,
  labDriverBodySchema,
  labRunBodySchema,
  labRunParamsSchema,
  labRunSchema,
  labSchema,
  labViewerQuerySchema,
} from "./lab";
export {
  type LabCommandAnswer,
  type LabCommandBody,
  labCommandAnswerSchema,
  labCommandBodySchema,
} from "./lab-command";
export { LAB_CROWD, type LabCrowd } from "./lab-crowd";
export { isLabelled, type LabStreamEvents } from "./lab-events";
export type { LabFault, LabLink } from "./lab-faults";
export { type ListFilter, listQuery, PRESETS, type Preset } from "./list-view";
export { openApiDocument } from "./openapi";
export type { Evidence, LockEvent, Usual } from "./past";
export { resourceIdOf, resourceOfId } from "./resource-id";
export {
  dependsOnTime,
  isProblem,
  remainingOf,
  SEVERITY,
  type Searched,
  searchedTest,
  searchTest,
  seenForMs,
} from "./search";
