import type { CallSettings, Lock, RedlockEngine } from "@/lib/redlock";
import type { RealRedlock } from "./real-redlock";
import { until } from "./until";

export const TTL_MS = 20_000;
export const FAIR = { fair: true, waitMs: 20_000 };

export interface Waiting {
  readonly lock: Promise<Lock>;
}

/** Waiters in the queue of each server that is connected. */
export async function queued({ servers }: RealRedlock): Promise<readonly number[]> {
  const living = servers.filter((server) => server.client.status === "ready");
  return Promise.all(living.map((server) => server.client.zcard("redlock:{guard}:queue:r")));
}

export function untilQueued(real: RealRedlock, count: number): Promise<void> {
  return until(async () => (await queued(real)).every((own) => own === count), `${count} waiters in every queue`);
}

/** Begins to wait for `r`, with the last place in every queue. */
export async function lineUp(real: RealRedlock, client: RedlockEngine, settings: CallSettings = {}): Promise<Waiting> {
  const before = Math.max(...(await queued(real)));
  const lock = client.acquire(["r"], TTL_MS, { ...FAIR, ...settings });
  lock.catch(() => {});
  await untilQueued(real, before + 1);
  return { lock };
}
