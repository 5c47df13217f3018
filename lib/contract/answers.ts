import * as z from "zod";
import { VERDICTS } from "./inputs";
import { evidenceSchema, lockEventSchema, usualSchema } from "./past";

// Shapes of what the API answers. Strict, so that a test that parses an answer notices a field nobody documented.
// Times are remaining milliseconds, to be counted down from `readAt` (epoch ms of the server); null = never by itself.

const epochMs = z.number().int().nonnegative();
const remainingMs = z.number().nonnegative();

/** How the keys of one node get into the list. */
const nodeScanSchema = z.strictObject({
  node: z.string(),
  state: z.enum(["complete", "running", "unread"]),
  reason: z.string().nullable(),
  /** tracking: the node tells what changes. polling: it is read again and again. */
  mode: z.enum(["tracking", "polling"]),
  /** Why it is not tracking, or not yet; null when it is. */
  modeReason: z.string().nullable(),
  /** Keys of the node in the list. */
  keys: z.number().int().nonnegative(),
  /** How far the reading under way has come, 0 to 1; null when none is needed. */
  progress: z.number().min(0).max(1).nullable(),
  /** Keys looked at per second in the reading under way or the last one, pauses included; null before the first. */
  keysPerSecond: z.number().nonnegative().nullable(),
  /** The list shows everything on the node as it was so long ago or later; null before the first whole reading. */
  ageMs: remainingMs.nullable(),
});

export const nodeSchema = z.strictObject({
  id: z.string(),
  address: z.string(),
  /** slow: answers, but late; down: refuses, or has been silent beyond the time limit. */
  state: z.enum(["up", "slow", "loading", "down"]),
  /** What the console does or could do to the process; null when the node is not ours. */
  process: z
    .strictObject({
      state: z.enum(["running", "stopped", "killed", "paused", "dead", "starting"]),
      pid: z.number().int().nullable(),
      /** Fault on the connection between console and node. */
      link: z.enum(["open", "slow", "partitioned"]),
    })
    .nullable(),
  quarantinedForMs: remainingMs,
  /** Why, in a few words; null when it is not quarantined. */
  quarantineReason: z.string().nullable(),
  /** Whether undraining it would do something. */
  undrainable: z.boolean(),
  condition: z.enum([
    "admitted",
    "quarantined",
    "drained",
    "config_mismatch",
    "unsafe",
    "clock",
    "degraded",
    "unreachable",
  ]),
  role: z.string().nullable(),
  version: z.string().nullable(),
  runId: z.string().nullable(),
  uptimeMs: z.number().nonnegative().nullable(),
  roundTripMs: z.number().nonnegative().nullable(),
  clockOffsetMs: z.number().nullable(),
  persistence: z.string().nullable(),
  evictionPolicy: z.string().nullable(),
  keys: z.number().int().nonnegative().nullable(),
  /** Age of the last answer, milliseconds; null when there never was one. */
  lastAnswerMsAgo: remainingMs.nullable(),
  /** What is wrong, in words with the next step. */
  faults: z.array(z.string()),
  mirror: nodeScanSchema.omit({ node: true }),
});

export const clusterSchema = z.strictObject({
  readAt: epochMs,
  n: z.number().int().positive(),
  quorum: z.number().int().positive(),
  up: z.number().int().nonnegative(),
  /** Nodes whose votes count now. */
  voting: z.number().int().nonnegative(),
  /** Further voting nodes that may fail before nothing can be acquired; negative: so many are missing already. */
  canLose: z.number().int(),
  embedded: z.boolean(),
  readOnly: z.boolean(),
  environment: z.string().nullable(),
  nodeTimeoutMs: z.number().positive(),
  /** Whether a node that may have forgotten votes is kept out, and for how long. */
  guard: z.strictObject({ mode: z.enum(["full", "connection", "off"]), quarantineMs: remainingMs }),
  demonstration: z.strictObject({
    available: z.boolean(),
    running: z.boolean(),
    clients: z.number().int().nonnegative(),
  }),
  nodes: z.array(nodeSchema),
});

export const readingSchema = z.strictObject({
  node: z.string(),
  reading: z.enum(["token", "free", "unknown", "foreign"]),
  fingerprint: z.string().nullable(),
  remainingMs: remainingMs.nullable(),
  /** Redis type of the key; null when there is none or nothing is known. */
  type: z.string().nullable(),
  /** Why nothing is known, or what is strange. */
  reason: z.string().nullable(),
  quarantined: z.boolean(),
  roundTripMs: z.number().nonnegative().nullable(),
});

const layoutSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  confidence: z.enum(["certain", "probable", "possible"]),
});

export const lockSchema = z.strictObject({
  id: z.string(),
  resource: z.string(),
  /** Epoch ms of the server when the nodes were read. */
  readAt: epochMs,
  layout: layoutSchema.nullable(),
  verdict: z.enum(VERDICTS),
  holder: z.strictObject({ fingerprint: z.string(), label: z.string().nullable() }).nullable(),
  /** Nodes that hold the holder's token. */
  votes: z.number().int().nonnegative(),
  margin: z.number().int().nullable(),
  heldForAtLeastMs: remainingMs.nullable(),
  freeFromMs: remainingMs.nullable(),
  noExpiry: z.boolean(),
  firstSeenAt: epochMs.nullable(),
  /** How often the remaining time was seen to jump up. */
  renewals: z.number().int().nonnegative(),
  /** Largest remaining time ever seen of this token, milliseconds: the length of the bar that drains. */
  fullMs: remainingMs.nullable(),
  usualHoldMs: z.strictObject({ p50: z.number(), p99: z.number() }).nullable(),
  /** The token was put there by an operator's revoke: nobody holds it, it only keeps others out. */
  revoked: z.boolean(),
  /** What speaks for its being stuck: reasons, no verdict. */
  evidence: z.array(evidenceSchema),
  nodes: z.array(readingSchema),
});

export const scanSchema = z.strictObject({
  /** Nodes whose keys were read to the end. */
  complete: z.number().int().nonnegative(),
  n: z.number().int().positive(),
  nodes: z.array(nodeScanSchema),
  /** Locks whose readings have changed but are not judged yet; left out when there are hardly any. */
  unjudged: z.number().int().positive().optional(),
});

export const lockListSchema = z.strictObject({
  readAt: epochMs,
  locks: z.array(lockSchema),
  /** How many match the filter, and how many there are by verdict without it. */
  total: z.number().int().nonnegative(),
  counts: z.record(z.enum(VERDICTS), z.number().int().nonnegative()),
  /** How many there are without the filter that never expire, and that an operator should look at. */
  noExpiry: z.number().int().nonnegative(),
  problems: z.number().int().nonnegative(),
  nextCursor: z.string().nullable(),
  scan: scanSchema,
});

export const lockDetailSchema = lockSchema.extend({
  timeline: z.array(lockEventSchema),
  /** Sentences for the operator: dead zone, stuck for ever, what blocks. */
  hints: z.array(z.string()),
  /** Per node: could one acquire there now, and if not, why, and from when on; null = never by itself, or not known. */
  obstacles: z.array(
    z.strictObject({
      node: z.string(),
      canAcquire: z.boolean().nullable(),
      reason: z.string(),
      freeInMs: remainingMs.nullable(),
    }),
  ),
  /** When an acquire could succeed next; null = not by itself, or not known. */
  nextChance: z.strictObject({ inMs: remainingMs.nullable(), text: z.string() }),
  /** What is usual for this name and for names like it; null where too few holds were seen. */
  usual: z.strictObject({ resource: usualSchema.nullable(), pattern: usualSchema.nullable() }),
  /** Who waits for it, as far as its client leaves a trace of them; `order`: the first of them in line, where that is known. */
  waiters: z.strictObject({
    visible: z.boolean(),
    count: z.number().int().nonnegative().nullable(),
    order: z.array(z.string()).nullable(),
    note: z.string(),
  }),
  /** What this console holds itself under this name, without the token. */
  ownedByConsole: z
    .strictObject({ keepAlive: z.boolean(), resources: z.array(z.string()), note: z.string().nullable() })
    .nullable(),
  quorum: z.number().int().positive(),
  n: z.number().int().positive(),
});

export const auditEntrySchema = z.strictObject({
  id: z.string(),
  /** Joins intent and outcome of one action. */
  correlationId: z.string(),
  at: epochMs,
  phase: z.enum(["intent", "outcome"]),
  actor: z.string(),
  /** Closed list, noun.past_tense_verb. */
  action: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  outcome: z.string().nullable(),
  details: z.unknown(),
});

export const auditListSchema = z.strictObject({ entries: z.array(auditEntrySchema) });

export const errorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    details: z.unknown().optional(),
  }),
});

export type ClusterNode = z.infer<typeof nodeSchema>;
export type Cluster = z.infer<typeof clusterSchema>;
export type Reading = z.infer<typeof readingSchema>;
export type LockView = z.infer<typeof lockSchema>;
export type LockDetail = z.infer<typeof lockDetailSchema>;
export type LockList = z.infer<typeof lockListSchema>;
export type Scan = z.infer<typeof scanSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export type AuditList = z.infer<typeof auditListSchema>;
export type ErrorBody = z.infer<typeof errorBodySchema>;
