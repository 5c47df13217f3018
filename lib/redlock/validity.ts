/** Allowed relative drift between the clocks of client and nodes: 1 %. */
export const DRIFT_FACTOR = 0.01;

/** Redis expires with a resolution of one millisecond, on both ends of the interval. */
const EXPIRY_RESOLUTION_MS = 2;

/**
 * Time by which the clocks of client and nodes may disagree over one lifetime.
 *
 * @param ttlMs lifetime asked of every node, milliseconds
 * @returns milliseconds
 */
export function driftMs(ttlMs: number, driftFactor: number = DRIFT_FACTOR): number {
  return ttlMs * driftFactor + EXPIRY_RESOLUTION_MS;
}

/**
 * What is taken off the ttl because clocks are not exact: their drift over one lifetime, and twice the error of a node's clock.
 *
 * A node that is `clockErrorMs` behind when it takes the key, and is set `clockErrorMs` ahead while it has it, ends it 2 x
 * `clockErrorMs` early. Source: `safety.md`, R11.
 *
 * @param ttlMs lifetime asked of every node, milliseconds
 * @returns milliseconds
 */
export function marginMs(
  ttlMs: number,
  { driftFactor, clockErrorMs }: { readonly driftFactor: number; readonly clockErrorMs: number },
): number {
  return driftMs(ttlMs, driftFactor) + 2 * clockErrorMs;
}

/**
 * Time a freshly won lock may still be relied on.
 *
 * Source: redis.io, "Distributed Locks with Redis", steps 3 and 4.
 *
 * @param ttlMs lifetime asked of every node, milliseconds
 * @param elapsedMs monotonic time from just before the first request of this attempt to now, milliseconds
 * @returns milliseconds; zero or less means won too late to use
 */
export function validityMs(ttlMs: number, elapsedMs: number, driftFactor: number = DRIFT_FACTOR): number {
  return ttlMs - elapsedMs - driftMs(ttlMs, driftFactor);
}
