import type { Fault } from "@/lib/redlock";
import type { Connection, Reply } from "./connection";
import type { Denial } from "./denial";
import { fenceFault } from "./fence-scripts";
import type { NodeGuard } from "./node-guard";
import { runScript } from "./run-script";
import type { Script } from "./script";
import type { ServerTime } from "./server-time";
import { type Judgement, verdictOf } from "./votes";
import type { Argument } from "./wire";

/** What a script needs whose answer only counts when the node is admitted. */
export interface VotingSetup {
  readonly connection: Connection;
  /** Time limit per request, milliseconds: executed later, a vote is refused by the server itself. */
  readonly nodeTimeoutMs: number;
  readonly guard: NodeGuard;
  readonly time: ServerTime;
  /** Why votes must not be asked at the moment, null when they may. */
  unsafeReason(): string | null;
  /** The node was found barred, or its clock was read. */
  onBarred(): void;
  readonly denial: Denial;
}

export interface VotingInput {
  /** What the script's answers refer to by number. */
  readonly resources: readonly string[];
  readonly keys: readonly Argument[];
  /** ARGV[1] and [2]. */
  readonly args: readonly [Argument, Argument];
  /** The last of ARGV, behind what the guard adds. */
  readonly lastArgs?: readonly Argument[];
  /** Latest time of execution, milliseconds from now. */
  readonly limitMs: number;
  mayGoOn(): boolean;
}

/** Null when the node may be asked: nothing is sent to one that is silent or unsafe, which would cost its time limit again. */
export function cannotVote({ connection, unsafeReason }: VotingSetup): Fault | null {
  if (!connection.isUsable) return { kind: "unreachable", reason: connection.reason };
  const unsafe = unsafeReason();
  return unsafe === null ? null : { kind: "error", reason: unsafe };
}

/** Asks for a vote that the server refuses to give too late, or when it may have forgotten others. */
export async function runVoting(
  setup: VotingSetup,
  script: Script,
  { resources, keys, args, lastArgs = [], limitMs, mayGoOn }: VotingInput,
): Promise<Judgement> {
  const words = setup.guard.words(limitMs);
  const input = { keys: [...keys, ...words.keys], args: [...args, ...words.args, ...lastArgs] };
  const sentAt = performance.now();
  const reply = await runScript(setup.connection.send, script, input, mayGoOn);
  setup.denial.note(reply);
  return judge(setup, reply, resources, sentAt);
}

/** @returns what a vote says, when the node is admitted; else what stands in the way, which is taken in. */
export function judge(
  { guard, time, onBarred }: VotingSetup,
  reply: Reply,
  resources: readonly string[],
  sentAt: number,
): Judgement {
  const verdict = verdictOf(reply, resources);
  if (verdict.kind !== "barred") return verdict;
  const { admission } = verdict;
  if (admission.word === "fence") return fenceFault(admission);
  if (admission.word === "stale") time.learn(admission.number, { sentAt, receivedAt: performance.now() });
  const vote = guard.learn(admission);
  onBarred();
  return vote;
}
