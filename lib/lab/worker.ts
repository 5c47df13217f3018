import type { Master } from "@/lib/redis";
import type { Clock, Lock, Random, RedlockEngine } from "@/lib/redlock";

/** One demonstration client: its own connections, its own engine, and a signal that ends its work. */
export interface Worker {
  readonly engine: RedlockEngine;
  readonly masters: readonly Master[];
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** What it took and may still hold, also what it forgot. */
  readonly held: Set<Lock>;
}

/** A client that has just been started asks so often whether it is connected, milliseconds, and not for ever. */
const CONNECT_STEP_MS = 20;
const CONNECT_STEPS_MAX = 50;

/** Waits between `fromMs` and `toMs`, or until the work ends. */
export function pause({ clock, random, signal }: Worker, fromMs: number, toMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.schedule(fromMs + random.fraction() * (toMs - fromMs), end);
    signal.addEventListener("abort", end);
  });
}

/** One of `items`, by chance. */
export function pick<Item>({ random }: Worker, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random.fraction() * items.length)] ?? items[0];
}

/** Tries to take a lock; null when it was not to be had, or the work is over. */
export async function take(worker: Worker, resource: string, ttlMs: number, waitMs = 0): Promise<Lock | null> {
  const outcome = await worker.engine.tryAcquire([resource], ttlMs, { waitMs, signal: worker.signal });
  for (const lock of worker.held) if (lock.remaining() === 0) worker.held.delete(lock);
  if (outcome.kind === "not_acquired") return null;
  worker.held.add(outcome.lock);
  return outcome.lock;
}

/** Waits for most of the connections; a node that is down must not keep the client from its work. */
export async function connected(worker: Worker): Promise<void> {
  for (let step = 0; step < CONNECT_STEPS_MAX && !worker.signal.aborted; step += 1) {
    if (worker.masters.every((master) => master.status().state === "up")) return;
    await pause(worker, CONNECT_STEP_MS, CONNECT_STEP_MS);
  }
}

/** Gives back everything that was taken, on every node that answers in time. Never rejects. */
export async function giveBack(worker: Worker): Promise<void> {
  // A release is decided by a majority; the connections are closed next, and a slower node must have heard of it by then.
  await Promise.all([...worker.held].map(async (lock) => (await lock.release()).settled()));
  worker.held.clear();
}
