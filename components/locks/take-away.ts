import type { ForceExpireAnswer, RevokeAnswer } from "@/lib/contract";

/** The two ways to take a lock away from its holder. */
export type TakeAwayVerb = "revoke" | "force-expire";

/** What the server answers to either verb, with the moment it came (monotonic milliseconds). */
export interface TakeAwayAnswer {
  readonly answer: ForceExpireAnswer | RevokeAnswer;
  readonly takenAt: number;
}
