import type { Reply, Send } from "./connection";
import type { Script } from "./script";
import type { Argument } from "./wire";

/**
 * Runs a script by its hash, and sends its source when the server does not know it (a fresh server, or SCRIPT FLUSH).
 *
 * @param mayGoOn asked before the source is sent, which is a second step: after the caller gave up it would leave a ghost key
 * @returns `not_sent` when `mayGoOn` said no: the server has executed nothing
 */
export async function runScript(
  send: Send,
  script: Script,
  input: { readonly keys: readonly Argument[]; readonly args: readonly Argument[] },
  mayGoOn: () => boolean = () => true,
): Promise<Reply> {
  const rest = [input.keys.length, ...input.keys, ...input.args];
  const reply = await send("EVALSHA", script.sha, ...rest);
  if (reply.kind !== "error" || !reply.reason.startsWith("NOSCRIPT")) return reply;
  if (!mayGoOn()) return { kind: "not_sent", reason: "given up before the server knew the script" };
  return send("EVAL", script.source, ...rest);
}
