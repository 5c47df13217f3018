import type { Actor } from "./actor";
import type { AcquireNews, AcquireWishes } from "./client-task";
import type { Stage } from "./stage";

const AGAIN_MS = 250;
/** A machine that was busy with something else is given another chance; one that is always busy is not. */
const SILENT_TRIES_MAX = 4;
const TRIES_MAX = 100;

/** What a client was granted. */
export type Taken = Extract<AcquireNews, { readonly kind: "granted" }> & { readonly id: string };

/** What came of a try. */
export type Tried = AcquireNews & { readonly id: string };

/**
 * Asks for a lock that nobody holds by a majority that is up. A refusal in which no node says that somebody holds it tells something
 * of the machine, so it is tried again, a few times.
 */
export async function ask(actor: Actor, resource: string, ttlMs: number, wishes?: AcquireWishes): Promise<Tried> {
  for (let tries = 1; ; tries += 1) {
    const tried = await actor.acquire(resource, ttlMs, wishes);
    if (tried.kind === "granted" || tries === SILENT_TRIES_MAX) return tried;
    if (!isSilent(tried)) return tried;
    await actor.lookAround();
  }
}

/** Whether it was refused without a word of anybody who holds it, or of a node that may not vote. */
function isSilent({ votes }: Tried): boolean {
  return !votes.some(({ kind }) => kind === "refused" || kind === "quarantined");
}

/** Takes a lock that is free, see `ask`. @throws Error when it is refused: then the scenario has not come to its point */
export async function take(actor: Actor, resource: string, ttlMs: number, wishes?: AcquireWishes): Promise<Taken> {
  const taken = await ask(actor, resource, ttlMs, wishes);
  if (taken.kind === "granted") return taken;
  const votes = taken.votes.map(({ node, text }) => `${node} ${text}`).join("; ");
  throw new Error(`${actor.name} was refused a free lock: ${taken.text} (${votes}).`);
}

/**
 * Asks again and again until the lock is granted.
 *
 * @param onRefused hears of the first refusal
 * @throws Error after many tries
 */
export async function insist(
  stage: Stage,
  actor: Actor,
  want: { readonly resource: string; readonly ttlMs: number; readonly wishes?: AcquireWishes },
  onRefused: (refused: Extract<AcquireNews, { readonly kind: "refused" }>) => void = () => {},
): Promise<Taken> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await actor.acquire(want.resource, want.ttlMs, want.wishes);
    if (taken.kind === "granted") return taken;
    if (tries === 0) onRefused(taken);
    if (isSilent(taken)) await actor.lookAround();
    await stage.pauseMs(AGAIN_MS);
  }
  throw new Error(`${actor.name} was not granted the lock in ${TRIES_MAX} tries.`);
}
