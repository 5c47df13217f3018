// Steps that many scenarios have in common.

import type { HeldLock, LockClient } from "./clients";
import type { FaultNode } from "./fault-nodes";
import { exclusion, notLive, RESOURCE, type ScenarioOutcome, type Stage, type Tried } from "./scenario";

const TRY_AGAIN_MS = 15;

/** Longest that a well cluster may take to grant a free lock on a busy machine. */
const GRANTED_WITHIN_MS = 5000;

export function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Milliseconds that never jump. */
export function nowMs(): number {
  return performance.now();
}

/** Tries until the lock is granted, no longer than the time given. */
export async function tryUntilGranted(client: LockClient, ttlMs: number, withinMs: number): Promise<Tried> {
  const startedAt = nowMs();
  let refusal = "";
  for (const end = startedAt + withinMs; nowMs() < end; ) {
    const tried = await settledWithin(client.acquire(RESOURCE, ttlMs), end - nowMs());
    const tookMs = nowMs() - startedAt;
    if (tried?.kind === "fulfilled") return { lock: tried.value, refusal, tookMs };
    if (tried?.kind === "rejected") refusal = tried.reason;
    await pauseMs(TRY_AGAIN_MS);
  }
  return { lock: null, refusal, tookMs: nowMs() - startedAt };
}

/** Null when it is not granted within the time. */
export async function acquireSoon(client: LockClient, ttlMs: number, withinMs: number): Promise<HeldLock | null> {
  return (await tryUntilGranted(client, ttlMs, withinMs)).lock;
}

/** How a promise ended; null when it has not within the time. */
export async function settledWithin<Value>(
  promise: Promise<Value>,
  withinMs: number,
): Promise<
  { readonly kind: "fulfilled"; readonly value: Value } | { readonly kind: "rejected"; readonly reason: string } | null
> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, withinMs));
  });
  const settled = promise.then(
    (value) => ({ kind: "fulfilled", value }) as const,
    (error: unknown) => ({ kind: "rejected", reason: error instanceof Error ? error.message : String(error) }) as const,
  );
  const result = await Promise.race([settled, limit]);
  clearTimeout(timer);
  return result;
}

/** Another client's key, as it would be left on some nodes; null = without expiry. */
export async function block(nodes: readonly FaultNode[], forMs: number | null): Promise<void> {
  const expiry = forMs === null ? [] : ["PX", forMs];
  await Promise.all(nodes.map(({ server }) => server.client.call("SET", RESOURCE, "somebody else", ...expiry)));
}

export async function unblock(nodes: readonly FaultNode[]): Promise<void> {
  await Promise.all(nodes.map(({ server }) => server.client.del(RESOURCE)));
}

/** How many of the nodes have the key. */
export async function keysOn(nodes: readonly FaultNode[]): Promise<number> {
  const counts = await Promise.all(nodes.map(({ server }) => server.client.exists(RESOURCE)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A lock of A with the votes of the first three nodes only, and nobody else's on the others. */
export async function threeVotes({ a, nodes, ttlMs }: Pick<Stage, "a" | "nodes" | "ttlMs">): Promise<HeldLock | null> {
  const others = nodes.slice(3);
  await block(others, GRANTED_WITHIN_MS);
  const lock = await acquireSoon(a, ttlMs, GRANTED_WITHIN_MS);
  await unblock(others);
  return lock;
}

/** The third of three voters suffers something, and B tries at once. */
export async function afterThreeVotes(
  stage: Stage,
  suffer: (voter: FaultNode) => Promise<unknown>,
): Promise<ScenarioOutcome> {
  const voter = stage.nodes[2];
  const lock = await threeVotes(stage);
  if (lock === null || voter === undefined) return notLive("never got it");
  await suffer(voter);
  return exclusion(lock, await tryUntilGranted(stage.b, stage.ttlMs, 3 * stage.ttlMs));
}

/** The node of this number; a scenario may only name nodes that it has. */
export function nodeAt(nodes: readonly FaultNode[], index: number): FaultNode {
  const node = nodes[index];
  if (node === undefined) throw new RangeError(`no node ${index}`);
  return node;
}
