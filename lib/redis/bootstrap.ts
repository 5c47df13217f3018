import type { Connection } from "./connection";
import type { BootstrapAnswer } from "./master";
import type { NodeGuard } from "./node-guard";
import { runScript } from "./run-script";
import { BOOTSTRAP } from "./scripts";
import { withinLimit } from "./time-limit";
import { faultOf, UNEXPECTED } from "./votes";

/** What an operator's word about a node's votes needs to reach it. */
export interface GuardedSetup {
  /** Carries the votes, so that the word comes behind those that were asked for before it. */
  readonly connection: Connection;
  readonly guard: NodeGuard;
  readonly nodeTimeoutMs: number;
}

/** Lets the node vote at once, on the word of an operator that no lock can be held now. */
export async function bootstrap({ connection, guard, nodeTimeoutMs }: GuardedSetup): Promise<BootstrapAnswer> {
  if (!guard.isOn) return { kind: "error", reason: "no restart guard is in use" };
  if (!connection.isUsable) return { kind: "unreachable", reason: connection.reason };
  const { keys, args } = guard.wordsOfBootstrap();
  const sent = runScript(connection.send, BOOTSTRAP, { keys, args: ["", 0, ...args] });
  const reply = await withinLimit(sent, nodeTimeoutMs);
  if (reply.kind === "timeout") return reply;
  if (reply.kind !== "answer") return faultOf(reply);
  return reply.value === 0 ? { kind: "done" } : UNEXPECTED;
}
