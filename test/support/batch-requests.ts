import type { MasterNode } from "@/lib/redis";
import { type AcquireRequest, asToken, type ReleaseRequest, type Token } from "@/lib/redlock";
import type { TestServer } from "./redis-server";

/** Longer than any test. */
export const TTL_MS = 60_000;

/** A token per number. */
export function token(number: number): Token {
  return asToken(String(number).padStart(40, "0"));
}

/** @param by number of the token */
export function acquireOf(
  resources: string | readonly string[],
  by: number,
  more: Partial<AcquireRequest> = {},
): AcquireRequest {
  return { resources: [resources].flat(), token: token(by), ttlMs: TTL_MS, isCancelled: () => false, ...more };
}

/** @param by number of the token */
export function releaseOf(resources: string | readonly string[], by: number): ReleaseRequest {
  return { resources: [resources].flat(), token: token(by), keepTryingForMs: TTL_MS };
}

/** Numbers from 0. */
export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** In one turn, each a resource and a token of its own. */
export function acquireMany(node: MasterNode, count: number, name = "r") {
  return upTo(count).map((each) => node.acquire(acquireOf(`${name}${each}`, each)));
}

/** Releases of the same. */
export function releaseMany(node: MasterNode, count: number, name = "r") {
  return upTo(count).map((each) => node.release(releaseOf(`${name}${each}`, each)));
}

/** Each once. */
export function kinds(votes: readonly { readonly kind: string }[]): readonly string[] {
  return [...new Set(votes.map(({ kind }) => kind))];
}

/** Calls of scripts since the last RESETSTAT. */
export async function scriptCalls({ client }: TestServer): Promise<number> {
  const stats = await client.info("commandstats");
  const counts = [...stats.matchAll(/cmdstat_(?:eval|evalsha):calls=(\d+)/g)];
  return counts.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** Until a turn with a single request, the node now takes those of a turn together from the first one on. */
export async function makeCrowded(node: MasterNode): Promise<void> {
  await Promise.all(releaseMany(node, 2));
}
