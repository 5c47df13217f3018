import type { EmbeddedCluster } from "@/lib/cluster";
import { Guard, type Master, membersOf } from "@/lib/redis";
import type { Config } from "./env";
import { log } from "./log";

/**
 * The restart guard of the console's membership. Off in a console that may not write: it grants nothing, and a marker is written.
 *
 * @param urls as the masters are connected to
 * @throws RangeError for a URL that cannot be used
 */
export function guardOf(config: Config, embedded: EmbeddedCluster | null, urls: readonly string[]): Guard {
  return new Guard({
    mode: config.readOnly ? "off" : config.guard,
    maxTtlMs: config.maxTtlMs,
    // Other clients name the embedded servers, not the links to them on which faults are done.
    members: embedded === null ? membersOf(urls) : embedded.nodes.map(({ address }) => address),
  });
}

/** Lets the servers vote at once that the console itself has just started empty: nobody can hold anything on them. */
export async function admitOwnCluster(masters: readonly Master[]): Promise<void> {
  const answers = await Promise.all(masters.map(async (master) => ({ master, answer: await master.bootstrap() })));
  for (const { master, answer } of answers) {
    if (answer.kind !== "done")
      log("warn", `Node ${master.id} could not be admitted and waits for its quarantine to end.`);
  }
}

/** Says once how far the votes of the masters are checked, where that is not as careful as it could be. */
export function announceGuard({ mode, quarantineMs }: Guard, { nodes, isGuardChosen, readOnly }: Config): void {
  if (nodes === null || readOnly) return;
  if (mode === "off" && !isGuardChosen) {
    log(
      "info",
      "The restart guard is off: a master that restarts without its data may vote twice. REDLOCK_GUARD=full keeps it out.",
    );
  } else if (mode !== "off") {
    const seconds = Math.ceil(quarantineMs / 1000);
    log(
      "info",
      `Masters used under the guard for the first time vote after ${seconds} s, or once they are bootstrapped.`,
    );
  }
}
