import * as z from "zod";

// Shapes of what an action answers. Strict, and in the units of `answers.ts`.

const remainingMs = z.number().nonnegative();

export const voteSchema = z.strictObject({
  node: z.string(),
  vote: z.enum(["granted", "refused", "timeout", "unreachable", "quarantined", "error"]),
  roundTripMs: z.number().nonnegative().nullable(),
  resource: z.string().optional(),
  holder: z.string().nullable().optional(),
  remainingMs: remainingMs.nullable().optional(),
  reason: z.string().optional(),
});

export const acquireAnswerSchema = z.strictObject({
  outcome: z.enum(["acquired", "not_acquired"]),
  lock: z
    .strictObject({
      id: z.string(),
      resources: z.array(z.string()),
      token: z.string(),
      fingerprint: z.string(),
      validityMs: z.number(),
      keepAlive: z.boolean(),
      fencingToken: z.number().int().nullable(),
    })
    .nullable(),
  /** Tries that were made; 0 when the sender went away first. */
  attempts: z.number().int().nonnegative(),
  /** One sentence: why it was not acquired; null when it was. */
  reason: z.string().nullable(),
  votes: z.array(voteSchema),
});

export const extendAnswerSchema = z.strictObject({
  outcome: z.enum(["extended", "lost", "unknown"]),
  validityMs: z.number(),
  healed: z.array(z.string()),
  votes: z.array(
    voteSchema.extend({
      vote: z.enum(["extended", "missing", "refused", "timeout", "unreachable", "quarantined", "error"]),
    }),
  ),
});

export const releaseAnswerSchema = z.strictObject({
  outcome: z.enum(["released", "expired", "lost", "unknown"]),
  votes: z.array(
    voteSchema.extend({
      vote: z.enum(["released", "gone", "refused", "timeout", "unreachable", "quarantined", "error"]),
    }),
  ),
});

const nodeResultSchema = z.strictObject({
  node: z.string(),
  /** With `dryRun` what would happen. unreachable: the key may still be there, see `remainingMs`. */
  result: z.enum(["deleted", "revoked", "changed", "gone", "unreachable"]),
  /** Time after which the key on this node dies by itself, milliseconds; null = never or not known. */
  remainingMs: remainingMs.nullable(),
  reason: z.string().nullable(),
});

export const forceExpireAnswerSchema = z.strictObject({
  outcome: z.enum(["expired", "partial", "none"]),
  dryRun: z.boolean(),
  /** The old holder may believe for at most this long that it still holds; null = no end known. */
  oldHolderMayActForMs: remainingMs.nullable(),
  freeFromMs: remainingMs.nullable(),
  nodes: z.array(nodeResultSchema),
});

export const revokeAnswerSchema = z.strictObject({
  /** revoked: the holder can no longer extend (done on N - q + 1 nodes or more). */
  outcome: z.enum(["revoked", "partial", "none"]),
  dryRun: z.boolean(),
  oldHolderMayActForMs: remainingMs.nullable(),
  freeFromMs: remainingMs.nullable(),
  nodes: z.array(nodeResultSchema),
});

export const bulkForceExpireAnswerSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      resource: z.string(),
      /** Null when this item was refused, see `error`. */
      answer: forceExpireAnswerSchema.nullable(),
      error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
});

export const bootstrapAnswerSchema = z.strictObject({
  /** A node that could not be told stays in quarantine for its time. */
  nodes: z.array(z.strictObject({ node: z.string(), admitted: z.boolean(), reason: z.string().nullable() })),
});

export const drainAnswerSchema = z.strictObject({
  /** refused: nothing was changed, or it waits: see `reason`. */
  outcome: z.enum(["drained", "admitted", "refused"]),
  reason: z.string().nullable(),
});

export type DrainAnswer = z.infer<typeof drainAnswerSchema>;
export type BootstrapAnswer = z.infer<typeof bootstrapAnswerSchema>;
export type Vote = z.infer<typeof voteSchema>;
export type AcquireAnswer = z.infer<typeof acquireAnswerSchema>;
export type ExtendAnswer = z.infer<typeof extendAnswerSchema>;
export type ReleaseAnswer = z.infer<typeof releaseAnswerSchema>;
export type ForceExpireAnswer = z.infer<typeof forceExpireAnswerSchema>;
export type RevokeAnswer = z.infer<typeof revokeAnswerSchema>;
export type BulkForceExpireAnswer = z.infer<typeof bulkForceExpireAnswerSchema>;
