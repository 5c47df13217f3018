import type { Actor } from "./actor";
import type { AcquireNews, AcquireWishes } from "./client-task";
import type { Stage } from "./stage";

const AGAIN_MS = 250;
const TRIES_MAX = 100;

/** What a client was granted. */
export type Taken = Extract<AcquireNews, { readonly kind: "granted" }> & { readonly id: string };

/** Takes a lock that is free. @throws Error when it is refused: then the scenario has not come to its point */
export async function take(actor: Actor, resource: string, ttlMs: number, wishes?: AcquireWishes): Promise<Taken> {
  const taken = await actor.acquire(resource, ttlMs, wishes);
  if (taken.kind !== "granted") throw new Error(`${actor.name} was refused a free lock: ${taken.text}.`);
  return taken;
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
    await stage.pauseMs(AGAIN_MS);
  }
  throw new Error(`${actor.name} was not granted the lock in ${TRIES_MAX} tries.`);
}
