import * as z from "zod";
import { labCrowdSchema } from "./lab-crowd";

/** What one node said, in words. */
export const labVoteSchema = z.strictObject({ node: z.string(), kind: z.string(), text: z.string() });

/** Milliseconds since the run began, as in every event of a run. */
const common = { atMs: z.number() };
const held = { client: z.string(), id: z.string() };

/** Several clients that want one lock, all at the same time. */
const contestSchema = z.strictObject({
  ...common,
  kind: z.literal("contest"),
  /** Which of several contests. */
  name: z.string(),
  crowd: labCrowdSchema,
  /** How long it was fought, milliseconds. */
  tookMs: z.number(),
  /** By client. */
  wins: z.array(z.number()),
  tries: z.number(),
  /** Median of a try, from its first request to its last answer, milliseconds. */
  tryMs: z.number(),
  /** Tries that got votes, and too few of them. */
  splitTries: z.number(),
  /** Votes that were granted for nothing. */
  wastedVotes: z.number(),
  /** Commands of all clients to all masters. */
  commands: z.number(),
  /** Those of tries that did not win, and of taking their votes back. */
  wastedCommands: z.number(),
  /** From wanting the lock to having it, milliseconds; null where nobody won. */
  waitMs: z.strictObject({ median: z.number(), most: z.number() }).nullable(),
});

/** What becomes of a lock that somebody works under: extensions, losses, and what is written. */
export const labWorkEvents = [
  /** An extension and what came of it; the client believes from now on until `untilMs`. */
  z.strictObject({
    ...common,
    ...held,
    kind: z.literal("extended"),
    askedMs: z.number(),
    outcome: z.string(),
    untilMs: z.number(),
    /** Nodes that had lost the key and are given it back. */
    healing: z.array(z.string()),
    votes: z.array(labVoteSchema),
  }),
  /** The client's engine has told it that its lock is lost, and it works no more. */
  z.strictObject({
    ...common,
    ...held,
    kind: z.literal("lost"),
    text: z.string(),
    /** Of its work: how many, and the beginning of the last. */
    steps: z.number(),
    lastStepMs: z.number(),
  }),
  /** The client has asked its engine for how long it may still rely on its lock; 0 = no more. */
  z.strictObject({ ...common, ...held, kind: z.literal("looked"), remainingMs: z.number() }),
  /** A write that has reached something a lock protects, noted there. */
  z.strictObject({
    ...common,
    kind: z.literal("write"),
    client: z.string(),
    ledger: z.string(),
    fence: z.number().nullable(),
    isAccepted: z.boolean(),
    text: z.string(),
  }),
  /** A node's wall clock minus that of the lab, measured: again whenever it has changed. */
  z.strictObject({ ...common, kind: z.literal("clock"), node: z.string(), offsetMs: z.number() }),
  contestSchema,
] as const;
