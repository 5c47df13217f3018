import * as z from "zod";

/** Clients of a crowd, at least and at most. */
export const LAB_CROWD = { least: 2, most: 50 } as const;

/** How a crowd of clients wants one lock, where a scenario has one. */
export const labCrowdSchema = z.strictObject({
  clients: z.number().int().min(LAB_CROWD.least).max(LAB_CROWD.most),
  /** Whether the pauses between two tries differ by chance. */
  isJittered: z.boolean(),
  /** Whether the masters are asked one after the other instead of all at once. */
  isInTurn: z.boolean(),
});

export type LabCrowd = z.infer<typeof labCrowdSchema>;
