import * as z from "zod";

// Shapes of incidents: a second holder while the first one's promise had not ended.

const epochMs = z.number().int().nonnegative();

/** What made a second holder possible, most telling first. */
export const INCIDENT_CAUSES = ["forced", "restarted", "flushed", "clock", "shortened"] as const;

const claimSchema = z.strictObject({
  fingerprint: z.string(),
  /** Who it is, where the token tells. */
  label: z.string().nullable(),
  /** First seen on a majority. */
  heldFrom: epochMs,
});

const incidentSchema = z.strictObject({
  id: z.string(),
  /** When the second token was first seen on a majority. */
  at: epochMs,
  lock: z.strictObject({ id: z.string(), resource: z.string() }),
  /** Whose promise was broken. `promisedUntil` is the latest end a majority of nodes ever gave it; null = without end. */
  first: claimSchema.extend({ promisedUntil: epochMs.nullable() }),
  second: claimSchema,
  /** For so long both could believe that they hold it, at most; null = without end. */
  overlapMs: z.number().int().nonnegative().nullable(),
  cause: z.strictObject({
    kind: z.enum(INCIDENT_CAUSES),
    text: z.string(),
    nextStep: z.string(),
  }),
  /** Per node, what became of the first token there. */
  nodes: z.array(
    z.strictObject({
      node: z.string(),
      /** kept: still there at the second look; released: gone and nothing explains it but a release. */
      fate: z.enum(["kept", "released", "expired", "silent", ...INCIDENT_CAUSES]),
      at: epochMs.nullable(),
    }),
  ),
  timeline: z.array(z.strictObject({ at: epochMs, text: z.string(), fingerprint: z.string().nullable() })),
});

export const incidentListSchema = z.strictObject({
  readAt: epochMs,
  /** Newest first; the oldest are forgotten when there are too many, and all when the console ends. */
  incidents: z.array(incidentSchema),
  /** Since when the console has been watching. */
  since: epochMs,
});

export type Incident = z.infer<typeof incidentSchema>;
export type IncidentCause = (typeof INCIDENT_CAUSES)[number];
export type IncidentList = z.infer<typeof incidentListSchema>;
