import * as z from "zod";

const count = z.number().int().nonnegative();

/** Names of keys that are shown of each group; never what is in them. */
const EXAMPLES_MAX = 3;

/** What a sample of the nodes' keys says of where locks are. Strict, as everything the API answers. */
export const discoverySchema = z.strictObject({
  /** Epoch ms of the server when the last node had been sampled. */
  readAt: z.number().int().nonnegative(),
  nodes: z.array(
    z.strictObject({
      node: z.string(),
      /** Keys looked at. */
      sampled: count,
      /** Keys there are in its database; null where it does not say. */
      of: count.nullable(),
      /** Every key was looked at. */
      complete: z.boolean(),
      /** Why no more keys were looked at, when that is not because they were enough. */
      reason: z.string().nullable(),
    }),
  ),
  /** Those that look like locks first, the surer the earlier. */
  groups: z.array(
    z.strictObject({
      /** Redis glob pattern, as REDLOCK_KEY_PATTERNS takes it. */
      pattern: z.string(),
      /** Redis type. */
      type: z.string(),
      /** Different keys in the sample, on any node. */
      keys: count,
      /** How many of them expire by themselves. */
      expiring: count,
      /** How many of them the console reads with its present patterns. */
      covered: count,
      nodes: z.array(z.string()),
      looksLikeLock: z.enum(["certain", "probable", "possible", "no"]),
      /** The client software most of them look like. */
      label: z.string().nullable(),
      why: z.array(z.string()),
      examples: z.array(z.string()).max(EXAMPLES_MAX),
    }),
  ),
  /** Groups beyond those listed; none of them is likelier to be locks than the last listed. */
  moreGroups: count,
  /** The line to set, with the present patterns in it; null when there is nothing to add. */
  patterns: z.string().nullable(),
  /** REDLOCK_KEY_PATTERNS as it is set; null when it is not, and every key is read. */
  current: z.array(z.string()).nullable(),
});

export type DiscoveryAnswer = z.infer<typeof discoverySchema>;
