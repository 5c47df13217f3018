import type { Clock } from "./ports";
import type { Place } from "./waiting-line";

interface Interrupts {
  readonly signal?: AbortSignal | undefined;
  readonly place?: Place;
}

/** Resolves after `delayMs`, or earlier when the signal aborts or the place in the line is woken. Leaves nothing behind. */
export function pause(clock: Clock, delayMs: number, { signal, place }: Interrupts = {}): Promise<void> {
  if (signal?.aborted || place?.takeWake()) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancelTimer();
      signal?.removeEventListener("abort", finish);
      if (place !== undefined) place.onWake = null;
      resolve();
    };
    const cancelTimer = clock.schedule(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
    if (place !== undefined) place.onWake = finish;
  });
}
