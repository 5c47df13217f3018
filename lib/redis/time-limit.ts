import type { Fault } from "@/lib/redlock";

/**
 * Stops waiting after a while. The work itself goes on: a command that was sent is executed all the same.
 *
 * When the time is over, answers that had already arrived are read first (`setImmediate` runs after the sockets): a stall of our
 * own event loop is not taken for a slow server.
 */
export function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T | Extract<Fault, { kind: "timeout" }>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => resolve({ kind: "timeout" })), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
