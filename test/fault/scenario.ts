import type { ClientOptions, HeldLock, LockClient } from "./clients";
import type { FaultLink } from "./fault-link";
import type { FaultNode } from "./fault-nodes";

/** How a scripted fault ended for one client. */
export type ScenarioOutcome =
  | { readonly kind: "ok"; readonly note: string }
  /** Two clients hold by their own word, or one was handed a lock that had ended. */
  | { readonly kind: "violated"; readonly note: string }
  /** Safe, but a lock that should be had is not. */
  | { readonly kind: "not_live"; readonly note: string }
  | { readonly kind: "not_applicable" };

/** Two clients of one kind over the same nodes: A over links that can be meddled with, B directly. */
export interface Stage {
  readonly a: LockClient;
  readonly b: LockClient;
  readonly links: readonly FaultLink[];
  readonly nodes: readonly FaultNode[];
  readonly ttlMs: number;
}

/** One scripted fault. All of them lie within the model of Redlock, or within what a client can do about its own clock. */
export interface Scenario {
  readonly name: string;
  readonly says: string;
  readonly ttlMs: number;
  readonly membership: number;
  /** How A behaves. */
  readonly a: Pick<ClientOptions, "retryCount" | "retryDelayMs" | "commandTimeoutMs">;
  play(stage: Stage): Promise<ScenarioOutcome>;
}

/** The lock all scenarios are about. */
export const RESOURCE = "fault:scenario";

/** A single try with the defaults of ioredis. */
export const ONE_TRY = { retryCount: 0, retryDelayMs: 100, commandTimeoutMs: null } as const;

const TRY_AGAIN_MS = 15;

export function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Milliseconds that never jump. */
export function nowMs(): number {
  return performance.now();
}

/** Tries until the lock is granted; null when it is not within the time. */
export async function acquireSoon(client: LockClient, ttlMs: number, withinMs: number): Promise<HeldLock | null> {
  for (const end = nowMs() + withinMs; nowMs() < end; ) {
    const tried = await settledWithin(client.acquire(RESOURCE, ttlMs), end - nowMs());
    if (tried?.kind === "fulfilled") return tried.value;
    await pauseMs(TRY_AGAIN_MS);
  }
  return null;
}

/** How a promise ended; null when it has not within the time. */
export async function settledWithin<Value>(
  promise: Promise<Value>,
  withinMs: number,
): Promise<{ readonly kind: "fulfilled"; readonly value: Value } | { readonly kind: "rejected" } | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, withinMs));
  });
  const settled = promise.then(
    (value) => ({ kind: "fulfilled", value }) as const,
    () => ({ kind: "rejected" }) as const,
  );
  const result = await Promise.race([settled, limit]);
  clearTimeout(timer);
  return result;
}

/** Another client's key, as it would be left on some nodes. */
export async function block(nodes: readonly FaultNode[], forMs: number): Promise<void> {
  await Promise.all(nodes.map(({ server }) => server.client.set(RESOURCE, "somebody else", "PX", forMs)));
}

export function ok(note = ""): ScenarioOutcome {
  return { kind: "ok", note };
}

export function violated(note: string): ScenarioOutcome {
  return { kind: "violated", note };
}

export function notLive(note: string): ScenarioOutcome {
  return { kind: "not_live", note };
}

/** Milliseconds as they are shown. */
export function shown(ms: number): string {
  return `${Math.round(ms)} ms`;
}
