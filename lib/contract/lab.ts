import * as z from "zod";
import { labCrowdSchema } from "./lab-crowd";
import { labFaultSchema } from "./lab-faults";
import { labWorkEvents, labVoteSchema as voteSchema } from "./lab-work";

/** The scenarios of the Quorum Lab that exist, by the names they have in a URL. */
export const LAB_SCENARIOS = [
  "single-instance",
  "failover",
  "five-masters",
  "hung-node",
  "reply-lost",
  "contention",
  "validity",
  "sleeping-client",
  "crash-restart",
  "restart-always",
  "restart-everysec",
  "extension",
  "partition",
  "clocks",
  "operator-hand",
  "sandbox",
] as const;

/** Largest cluster the lab starts. */
export const LAB_NODES_MAX = 7;

const SEED_MAX = 2 ** 31 - 1;

/** Names one open page, chosen by the page: who started a run drives it. Keeps accidents off, not malice: it is no secret. */
const viewerSchema = z.string().min(8).max(64);

export const labRunBodySchema = z.strictObject({
  scenario: z.enum(LAB_SCENARIOS),
  /** Decides whatever the scenario leaves to chance, such as which nodes are killed. */
  seed: z.number().int().min(0).max(SEED_MAX),
  /** Masters; the scenario's usual number when left out. */
  n: z.number().int().min(1).max(LAB_NODES_MAX).optional(),
  /** Only for a scenario with a crowd; its usual one when left out. */
  crowd: labCrowdSchema.optional(),
  /** The page that drives it. Left out: the run has no driver, and goes on without anybody watching. */
  viewer: viewerSchema.optional(),
});

export const labViewerQuerySchema = z.strictObject({ viewer: viewerSchema.optional() });
export const labDriverBodySchema = z.strictObject({ viewer: viewerSchema });

export const labRunParamsSchema = z.object({ run: z.string().min(1).max(64) });

/** Milliseconds since the run began, on one monotonic clock for all processes. */
const common = { atMs: z.number() };
const asked = { client: z.string(), id: z.string(), resource: z.string(), askedMs: z.number() };

/** One line of the record of a run. Belief (granted, ending) and observation (node) are recorded apart. */
const labEventSchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...common, kind: z.literal("told"), text: z.string() }),
  z.strictObject({
    ...common,
    kind: z.literal("client"),
    client: z.string(),
    text: z.string(),
    pid: z.number().nullable(),
  }),
  labFaultSchema,
  /** A node as its process stands, and what it answered when it was asked past all links. */
  z.strictObject({
    ...common,
    kind: z.literal("node"),
    node: z.string(),
    state: z.enum(["up", "paused", "down"]),
    keys: z.array(
      z.strictObject({
        resource: z.string(),
        holder: z.string(),
        /** What the key had left to live, of what it had when its end was last put off, milliseconds; null = it has no end. */
        expiry: z.strictObject({ leftMs: z.number(), ofMs: z.number() }).nullable(),
      }),
    ),
  }),
  /** The client believes from `atMs` to `untilMs` that the lock is its own. */
  z.strictObject({
    ...common,
    ...asked,
    kind: z.literal("granted"),
    untilMs: z.number(),
    holder: z.string(),
    votes: z.array(voteSchema),
    /** The fencing token, where one was asked for. */
    fence: z.number().optional(),
    /** Won by one of a crowd: the name of the contest. */
    contest: z.string().optional(),
  }),
  z.strictObject({ ...common, ...asked, kind: z.literal("refused"), text: z.string(), votes: z.array(voteSchema) }),
  /** The client believes no more: it is about to release. */
  z.strictObject({
    ...common,
    kind: z.literal("ending"),
    client: z.string(),
    id: z.string(),
    contest: z.string().optional(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal("released"),
    client: z.string(),
    id: z.string(),
    outcome: z.string(),
    votes: z.array(voteSchema),
  }),
  /** What an operator did to a lock on one node, as the console's own actions do it. */
  z.strictObject({
    ...common,
    kind: z.literal("operator"),
    node: z.string(),
    resource: z.string(),
    action: z.enum(["force-expire", "revoke"]),
    outcome: z.string(),
  }),
  /** A command sent without the engine, as a careless client does. `answer` is null when there was none in time. */
  z.strictObject({
    ...common,
    kind: z.literal("raw"),
    client: z.string(),
    node: z.string(),
    command: z.string(),
    answer: z.string().nullable(),
  }),
  /** Something that cannot be done to processes of this machine: it is not played, not emulated, and not judged. */
  z.strictObject({ ...common, kind: z.literal("left_out"), text: z.string(), because: z.string() }),
  ...labWorkEvents,
]);

/** One stretch of time in which a client believed to hold a lock. */
const claimSchema = z.strictObject({
  id: z.string(),
  client: z.string(),
  resource: z.string(),
  fromMs: z.number(),
  untilMs: z.number(),
});

/** Something the scenario says must be so, and whether the record shows it. */
const checkSchema = z.strictObject({ says: z.string(), isMet: z.boolean() });

/** Asked of the viewer while the drawing, not the run, waits. */
const questionSchema = z.strictObject({
  id: z.string(),
  /** Label of the event before which it is asked, see `isLabelled`; of several the first. */
  before: z.string(),
  ask: z.string(),
  options: z.array(z.string()),
});

const scenarioSchema = z.strictObject({
  id: z.enum(LAB_SCENARIOS),
  title: z.string(),
  question: z.string(),
  steps: z.array(z.string()),
  expected: z.string(),
  n: z.strictObject({ least: z.number(), most: z.number(), usual: z.number() }),
  /** The crowd that its usual run has; null = it has none. */
  crowd: labCrowdSchema.nullable(),
  questions: z.array(questionSchema),
});

/** What was played, and how it stands. */
const labRunSummarySchema = z.strictObject({
  id: z.string(),
  scenario: z.enum(LAB_SCENARIOS),
  seed: z.number(),
  n: z.number(),
  crowd: labCrowdSchema.nullable(),
  /** starting: processes are being started. met, not_met: it ran to its end. failed: the lab itself failed, nothing was learnt. */
  state: z.enum(["starting", "playing", "met", "not_met", "stopped", "timed_out", "failed"]),
  /** How far the run has come, milliseconds. */
  tookMs: z.number(),
});

export const labRunSchema = labRunSummarySchema.extend({
  /** In words, why it failed, or why it was stopped although nobody asked for it. */
  problem: z.string().nullable(),
  events: z.array(labEventSchema),
  claims: z.array(claimSchema),
  /** Pairs of claims of one resource that overlap: two clients believed to hold it. */
  overlaps: z.array(z.strictObject({ first: z.string(), second: z.string(), overlapMs: z.number() })),
  /** Empty until the run has ended by itself. */
  checks: z.array(checkSchema),
  /** To the questions of the scenario, by the record: the option that came true; null = the record does not tell. Empty like `checks`. */
  answers: z.array(z.strictObject({ question: z.string(), option: z.number().nullable() })),
});

/** Who looks at the lab now. */
export const labAudienceSchema = z.strictObject({
  /** Open pages. */
  viewers: z.number(),
  /** The one that drives the run; null = the seat is free. */
  driver: z.string().nullable(),
});

export const labSchema = z.strictObject({
  /** Why nothing can be started here; null = it can. */
  unavailableBecause: z.string().nullable(),
  scenarios: z.array(scenarioSchema),
  /** The one that is on, or the last one. */
  run: z.strictObject({ id: z.string(), scenario: z.enum(LAB_SCENARIOS), isOn: z.boolean() }).nullable(),
  /** Those that are kept, the newest first. */
  runs: z.array(labRunSummarySchema),
  audience: labAudienceSchema,
});

export type LabScenarioId = (typeof LAB_SCENARIOS)[number];
export type LabRunBody = z.infer<typeof labRunBodySchema>;
export type LabVote = z.infer<typeof voteSchema>;
export type LabEvent = z.infer<typeof labEventSchema>;
export type LabClaim = z.infer<typeof claimSchema>;
export type LabCheck = z.infer<typeof checkSchema>;
export type LabScenario = z.infer<typeof scenarioSchema>;
export type LabQuestion = z.infer<typeof questionSchema>;
export type LabAudience = z.infer<typeof labAudienceSchema>;
export type LabRunSummary = z.infer<typeof labRunSummarySchema>;
export type LabRun = z.infer<typeof labRunSchema>;
export type Lab = z.infer<typeof labSchema>;
