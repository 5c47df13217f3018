import { randomBytes } from "node:crypto";
import { ADMISSION } from "./admission";
import type { GuardedSetup } from "./bootstrap";
import type { DrainAnswer } from "./master";
import { runScript } from "./run-script";
import { type Script, script } from "./script";
import { withinLimit } from "./time-limit";
import { admissionOf, faultOf, UNEXPECTED } from "./votes";

// A planned restart without the quarantine. Source: `safety.md`, section 6, "Rolling restart".
//
// A drained node gives no vote. What a server keeps on disk or sends to a replica is a log: a copy that has the drain has every
// vote from before it. But the same copy may come back a second time, after the node was undrained and has voted again, if that
// part was not on disk yet. So the drain alone proves nothing: it carries a random word, its receipt, which who drained the node
// knows and uses once.

/**
 * Takes an admitted node out of the votes.
 *
 * Input:  as a vote without resources; ARGV[1] receipt, ARGV[2] 0
 * Output: { 0, drained, … } | what bars it already
 */
const DRAIN = script(`
${ADMISSION.trim()}
local barring = barred()
if barring then return barring end
cause = 'drain'
redis.call('SET', beside('drain'), ARGV[1])
marked(redis.call)
return answer('drained', 0, '')
`);

/**
 * Puts a drained node back: at once with the receipt, else after a quarantine.
 *
 * Input:  as a vote without resources; ARGV[1] receipt or empty, ARGV[2] 0
 * Output: { 0, admitted | quarantined, … } | what else bars it
 */
const UNDRAIN = script(`
${ADMISSION.trim()}
local barring = barred()
if not barring then return answer('admitted', 0, '') end
local isDrained = barring[2] == 'drained'
if not isDrained and not (barring[2] == 'quarantined' and cause == 'drained') then return barring end
local isOwn = ARGV[1] ~= '' and redis.call('GET', beside('drain')) == ARGV[1]
redis.call('DEL', beside('drain'))
if isOwn then
  untilAt, cause = 0, 'undrained'
elseif isDrained then
  untilAt, cause = at + pauseFor(high), 'drained'
end
marked(redis.call)
if at < untilAt then return answer('quarantined', untilAt - at, cause) end
return answer('admitted', 0, '')
`);

const RECEIPT_BYTES = 16;

/** Takes the node out of the votes. Its keys stay, and locks can be released on it. */
export async function drain(setup: GuardedSetup): Promise<DrainAnswer> {
  const standing = setup.guard.standing();
  // Also so that the receipt of an earlier drain is not thrown away for a node that is not admitted yet.
  if (standing.kind !== "admitted") return { kind: "error", reason: `it has no vote now: ${standing.reason}` };
  const receipt = randomBytes(RECEIPT_BYTES).toString("hex");
  setup.guard.keepReceipt(receipt);
  return change(setup, DRAIN, receipt);
}

/** Puts it back, at once when this process drained it and nobody has used it since, else after a quarantine. */
export async function undrain(setup: GuardedSetup): Promise<DrainAnswer> {
  if (!setup.connection.isUsable) return { kind: "unreachable", reason: setup.connection.reason };
  return change(setup, UNDRAIN, setup.guard.takeReceipt() ?? "");
}

async function change(
  { connection, guard, nodeTimeoutMs }: GuardedSetup,
  what: Script,
  receipt: string,
): Promise<DrainAnswer> {
  if (!guard.isOn) return { kind: "error", reason: "no restart guard is in use" };
  if (!connection.isUsable) return { kind: "unreachable", reason: connection.reason };
  const { keys, args } = guard.words(0);
  const reply = await withinLimit(
    runScript(connection.send, what, { keys, args: [receipt, 0, ...args] }),
    nodeTimeoutMs,
  );
  if (reply.kind === "timeout") return reply;
  if (reply.kind !== "answer") return faultOf(reply);
  const admission = admissionOf(reply.value);
  if (admission === null) return UNEXPECTED;
  const fault = guard.learn(admission);
  switch (admission.word) {
    case "drained":
      return { kind: "drained" };
    case "admitted":
      return { kind: "admitted" };
    default:
      return fault;
  }
}
