import * as z from "zod";
import { TTL_MS_MAX, TTL_MS_MIN } from "@/lib/redlock";
import { resourceOfId } from "./resource-id";

/** Longest name of a resource, in UTF-8 bytes: Redis would take 512 MB, and every node would have to carry it. */
const RESOURCE_BYTES_MAX = 1024;
const RESOURCES_MAX = 16;
const WAIT_MS_MAX = 60_000;
const TEXT_MAX = 500;
const OFFSET_MAX = 10_000_000;
/** Most rows one page shows at a time, and most locks it follows beside them. */
const VIEW_ROWS_MAX = 500;
const WATCHED_MAX = 50;

export const resourceSchema = z
  .string()
  .min(1, "a resource needs a name")
  .refine((name) => new TextEncoder().encode(name).length <= RESOURCE_BYTES_MAX, `at most ${RESOURCE_BYTES_MAX} bytes`);

const ttlMsSchema = z.number().int().min(TTL_MS_MIN).max(TTL_MS_MAX);
const tokenSchema = z
  .string()
  .min(1)
  .max(512)
  .refine((token) => !token.includes("\0"), "no NUL character");
const fingerprintSchema = z.string().regex(/^[0-9a-f]{8}$/, "8 lower-case hexadecimal digits");
/** Why an operator acts: kept in the record, so it must say something. */
const reasonSchema = z.string().trim().min(3, "say why, in at least 3 characters").max(TEXT_MAX);

export const acquireBodySchema = z.strictObject({
  resources: z.array(resourceSchema).min(1, "name at least one resource").max(RESOURCES_MAX),
  ttlMs: ttlMsSchema,
  /** Keep trying for so long; 0 tries once. */
  waitMs: z.number().int().min(0).max(WAIT_MS_MAX).default(0),
  /** The console extends the lock by itself until it is released. */
  keepAlive: z.boolean().default(false),
  /** The lock gets a number that rises from lock to lock, for resources that check it. */
  fencing: z.boolean().default(false),
  note: z.string().trim().max(TEXT_MAX).optional(),
});

/** `resources` names the other keys of a lock over several resources; the one in the path is always meant. */
const siblingResourcesSchema = z.array(resourceSchema).max(RESOURCES_MAX).optional();

export const extendBodySchema = z.strictObject({
  token: tokenSchema,
  ttlMs: ttlMsSchema,
  resources: siblingResourcesSchema,
});
export const releaseBodySchema = z.strictObject({ token: tokenSchema, resources: siblingResourcesSchema });

export const forceExpireBodySchema = z.strictObject({
  fingerprint: fingerprintSchema,
  reason: reasonSchema,
  /** Only on these nodes; all when left out. */
  nodes: z.array(z.string().min(1)).min(1).optional(),
  dryRun: z.boolean().default(false),
});

/** Most locks that one bulk action takes. */
export const BULK_ITEMS_MAX = 500;

/** An explicit snapshot: each lock with the token that was on the screen. */
export const bulkForceExpireBodySchema = z.strictObject({
  items: z
    .array(z.strictObject({ resource: resourceSchema, fingerprint: fingerprintSchema }))
    .min(1, "name at least one lock")
    .max(BULK_ITEMS_MAX),
  reason: reasonSchema,
  dryRun: z.boolean().default(false),
});

export const revokeBodySchema = z.strictObject({
  fingerprint: fingerprintSchema,
  reason: reasonSchema,
  dryRun: z.boolean().default(false),
});

/** The id of a lock, as the resource it names. */
const resourceIdSchema = z.string().transform((id, context) => {
  const resource = resourceOfId(id);
  if (resource !== null) return resource;
  context.addIssue({ code: "custom", message: "must be a resource, percent-encoded, or ~ and its base64url" });
  return z.NEVER;
});

/** `{id}` of a path. */
export const lockParamsSchema = z.object({ id: resourceIdSchema });

/** `{node}` of a path: the label of a node, percent-encoded. */
export const nodeParamsSchema = z.object({
  node: z.string().transform((text, context) => {
    try {
      return decodeURIComponent(text);
    } catch {
      context.addIssue({ code: "custom", message: "must be the name of a node, percent-encoded" });
      return z.NEVER;
    }
  }),
});

export const faultBodySchema = z.strictObject({ fault: z.enum(["stop", "kill", "pause", "slow", "partition"]) });
/** `empty` starts a stopped node without its data: it has forgotten its votes. */
export const healQuerySchema = z.strictObject({ data: z.enum(["keep", "empty"]).default("keep") });

/** The operator's word that no lock can be held on any master now. */
export const bootstrapBodySchema = z.strictObject({ reason: reasonSchema });

/** Why a node is taken out of the votes, or put back. */
export const drainBodySchema = z.strictObject({ reason: reasonSchema });

export const VERDICTS = ["held", "at_risk", "possibly_held", "split", "leftover", "free"] as const;

export const LOCK_SORTS = ["verdict", "resource", "holder", "remaining", "since", "client"] as const;

/** A comma-separated list of words out of `words`, as `verdict=held,split`. */
function listOf<const Word extends string>(words: readonly [Word, ...Word[]]) {
  return z
    .string()
    .transform((text) => text.split(",").filter((word) => word !== ""))
    .pipe(z.array(z.enum(words)));
}

/** What a list is filtered and sorted by. */
const listingFields = {
  /** Free text and qualifiers, see `search.ts`. */
  q: z.string().max(TEXT_MAX).default(""),
  verdict: listOf(VERDICTS).optional(),
  layout: z.string().max(64).optional(),
  node: z.string().max(64).optional(),
  /** Column, with `-` in front for descending. */
  sort: z
    .string()
    .regex(/^-?(verdict|resource|holder|remaining|since|client)$/)
    .default("verdict"),
};
/** Rows in front of the first one. */
const offsetSchema = z.coerce.number().int().min(0).max(OFFSET_MAX);

export const locksQuerySchema = z
  .strictObject({
    ...listingFields,
    limit: z.coerce.number().int().min(1).max(1000).default(200),
    /** Goes on behind the last row of a page; an offset names a place instead. */
    cursor: z.string().max(2048).optional(),
    offset: offsetSchema.optional(),
  })
  .refine(({ cursor, offset }) => cursor === undefined || offset === undefined, {
    path: ["offset"],
    message: "give either a cursor or an offset",
  });

/**
 * What a page shows: `limit` rows from `offset` of a filtered and sorted list, and single locks. Without a `limit` the stream
 * brings every lock.
 */
export const eventsQuerySchema = z.strictObject({
  ...listingFields,
  limit: z.coerce.number().int().min(0).max(VIEW_ROWS_MAX).optional(),
  offset: offsetSchema.default(0),
  /** Ids of locks that are followed whatever the filter, with commas between them. */
  watch: z
    .string()
    .transform((text) => text.split(",").filter((id) => id !== ""))
    .pipe(z.array(resourceIdSchema).max(WATCHED_MAX))
    .default([]),
});

export const auditQuerySchema = z.strictObject({
  resource: z.string().max(RESOURCE_BYTES_MAX).optional(),
  action: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});

export const demonstrationBodySchema = z.strictObject({ running: z.boolean() });

export type AcquireBody = z.infer<typeof acquireBodySchema>;
export type ExtendBody = z.infer<typeof extendBodySchema>;
export type ReleaseBody = z.infer<typeof releaseBodySchema>;
export type ForceExpireBody = z.infer<typeof forceExpireBodySchema>;
export type BulkForceExpireBody = z.infer<typeof bulkForceExpireBodySchema>;
export type RevokeBody = z.infer<typeof revokeBodySchema>;
export type FaultBody = z.infer<typeof faultBodySchema>;
export type BootstrapBody = z.infer<typeof bootstrapBodySchema>;
export type DrainBody = z.infer<typeof drainBodySchema>;
export type HealQuery = z.infer<typeof healQuerySchema>;
export type LocksQuery = z.infer<typeof locksQuerySchema>;
export type EventsQuery = z.infer<typeof eventsQuerySchema>;
export type AuditQuery = z.infer<typeof auditQuerySchema>;
export type DemonstrationBody = z.infer<typeof demonstrationBodySchema>;
