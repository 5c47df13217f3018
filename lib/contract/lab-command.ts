import * as z from "zod";

/** A step of a clock in the sandbox, milliseconds. */
const CLOCK_STEP_MS_MAX = 24 * 60 * 60 * 1000;
const LINK_DELAY_MS_MAX = 2000;

const name = z.string().min(1).max(32);

/** What a viewer can do to the processes of a run that takes commands, each at any time. */
export const labCommandBodySchema = z.discriminatedUnion("on", [
  /** A signal to the node's process, or a new process with nothing on disk. */
  z.strictObject({ on: z.literal("node"), node: name, act: z.enum(["kill", "pause", "resume", "restart"]) }),
  /** The node's wall clock, so far ahead of the machine's; 0 sets it right. Only where the shim could be compiled. */
  z.strictObject({
    on: z.literal("clock"),
    node: name,
    aheadMs: z.number().int().min(-CLOCK_STEP_MS_MAX).max(CLOCK_STEP_MS_MAX),
  }),
  /** The way between a client and a node: bytes held both ways, the replies only, or connections refused. */
  z.strictObject({ on: z.literal("link"), client: name, node: name, act: z.enum(["cut", "deafen", "refuse", "mend"]) }),
  /** How late requests of a client reach a node. */
  z.strictObject({
    on: z.literal("distance"),
    client: name,
    node: name,
    ms: z.number().int().min(0).max(LINK_DELAY_MS_MAX),
  }),
  /** A signal to the client's process; a killed one does not come back, another may enter. */
  z.strictObject({ on: z.literal("client"), client: name, act: z.enum(["pause", "resume", "kill"]) }),
  /** What a client does from its next round on: nothing; takes the lock and gives it back; takes it and never does; keeps it alive. */
  z.strictObject({ on: z.literal("work"), client: name, act: z.enum(["idle", "short", "forget", "long"]) }),
  /** A new client, with the restart guard or without. */
  z.strictObject({ on: z.literal("entrance"), isGuarded: z.boolean() }),
  /** What an operator of this console can do to the lock. */
  z.strictObject({ on: z.literal("lock"), act: z.enum(["force-expire", "revoke"]) }),
  /** heal: undoes every fault. end: ends the run, which then has its verdict. */
  z.strictObject({ on: z.literal("run"), act: z.enum(["heal", "end"]) }),
]);

/** The command as it was carried out, in words. */
export const labCommandAnswerSchema = z.strictObject({ text: z.string() });

export type LabCommandBody = z.infer<typeof labCommandBodySchema>;
export type LabCommandAnswer = z.infer<typeof labCommandAnswerSchema>;
