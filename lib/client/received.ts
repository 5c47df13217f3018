/**
 * Something the server said, with the moment it was true, on the browser's monotonic clock. The browser's wall clock is never
 * used: it may be wrong, and it may be set while a lock counts down.
 */
export interface Received<Value> {
  readonly value: Value;
  /** Milliseconds of `performance.now()`; null when it came with the page and has no moment yet: it does not age. */
  readonly takenAt: number | null;
}

/**
 * @param ageMs how old the value already was when it arrived, by the server's own clock
 * @param nowMs monotonic milliseconds at receipt
 */
export function received<Value>(value: Value, ageMs = 0, nowMs = performance.now()): Received<Value> {
  return { value, takenAt: nowMs - Math.max(0, ageMs) };
}

/** @returns milliseconds since the value was true; never negative */
export function ageOf({ takenAt }: { readonly takenAt: number | null }, nowMs: number): number {
  return takenAt === null ? 0 : Math.max(0, nowMs - takenAt);
}
