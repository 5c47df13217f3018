import * as z from "zod";

// Shapes of what the past adds to a lock: what happened, what is usual, and what speaks for its being stuck.

const epochMs = z.number().int().nonnegative();

/** What happened to a resource, in the words of its timeline. */
const LOCK_EVENT_KINDS = [
  "seen",
  "renewed",
  "handed_over",
  /** Gone before its end: released by its holder, or deleted by somebody. */
  "released",
  /** Gone at its end. */
  "expired",
  /** Taken away by this console, from the record. */
  "forced",
  "revoked",
  "verdict",
] as const;

export const lockEventSchema = z.strictObject({
  at: epochMs,
  kind: z.enum(LOCK_EVENT_KINDS),
  text: z.string(),
  fingerprint: z.string().nullable(),
});

/** What may speak for a lock that is stuck. */
const EVIDENCE_KINDS = [
  /** Held far longer than the locks of that name usually are. */
  "held_long",
  /** Held for long, and nobody ever renewed it. */
  "never_renewed",
  "no_expiry",
  /** Too few nodes have the key for anybody to hold it. */
  "minority",
  /** The keys of the holder end at different times: an extension reached only some nodes. */
  "uneven_expiry",
  /** Lives longer than the operator allows. */
  "above_max_ttl",
] as const;

/** One reason, with the numbers it rests on by name; milliseconds end in `Ms`. */
export const evidenceSchema = z.strictObject({
  kind: z.enum(EVIDENCE_KINDS),
  text: z.string(),
  numbers: z.record(z.string(), z.number()),
});

const quantilesSchema = z.strictObject({ p50: z.number().nonnegative(), p99: z.number().nonnegative() });

/** What is usual, from holds the console has seen begin and end. */
export const usualSchema = z.strictObject({
  /** The resource, or a pattern of names such as `orders:*`. */
  name: z.string(),
  holds: z.number().int().positive(),
  holdMs: quantilesSchema,
  renewals: quantilesSchema,
});

export type LockEvent = z.infer<typeof lockEventSchema>;
export type Evidence = z.infer<typeof evidenceSchema>;
export type Usual = z.infer<typeof usualSchema>;
