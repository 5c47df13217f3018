import * as z from "zod";

/** What can be done to a process or a connection; heal: undone, whatever it was. */
const LAB_FAULTS = ["kill", "pause", "clock", "disk", "cut", "refuse", "deafen", "delay", "heal"] as const;

/** The way from one client to one node, as it is from now on. */
const labLinkSchema = z.strictObject({
  client: z.string(),
  node: z.string(),
  /** cut: bytes are held both ways, as in a black hole. refused: connections are broken, and new ones turned away. */
  way: z.enum(["open", "cut", "refused"]),
  /** Requests pass and replies are held. */
  isDeaf: z.boolean(),
  /** How late requests arrive, milliseconds. */
  lateMs: z.number(),
});

/** Done to something, by a signal, a process or a socket: all of them are real. */
export const labFaultSchema = z.strictObject({
  atMs: z.number(),
  kind: z.literal("fault"),
  target: z.string(),
  text: z.string(),
  act: z.enum(LAB_FAULTS),
  /** Between clients and nodes; empty where it was done to anything else. */
  links: z.array(labLinkSchema),
});

export type LabLink = z.infer<typeof labLinkSchema>;
export type LabFault = (typeof LAB_FAULTS)[number];
