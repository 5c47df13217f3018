import type { Connection } from "./connection";
import type { ChangeAnswer } from "./master";
import { runScript } from "./run-script";
import type { Script } from "./script";
import { UNEXPECTED, verdictOf } from "./votes";
import type { Argument } from "./wire";

/**
 * Changes somebody's lock by a script that answers 0 done, 1 changed, 2 gone.
 *
 * @param connection the one of the votes, so that the change is executed behind what was asked before
 */
export async function changeLock(
  connection: Connection,
  script: Script,
  input: { readonly keys: readonly Argument[]; readonly args: readonly Argument[] },
): Promise<ChangeAnswer> {
  if (!connection.isUsable) return { kind: "unreachable", reason: connection.reason };
  const verdict = verdictOf(await runScript(connection.send, script, input), []);
  switch (verdict.kind) {
    case "code": {
      const kind = (["done", "changed", "gone"] as const)[verdict.code];
      return kind === undefined ? UNEXPECTED : { kind };
    }
    case "obstacle":
    case "missing":
    case "barred":
      return UNEXPECTED;
    default:
      return verdict;
  }
}
