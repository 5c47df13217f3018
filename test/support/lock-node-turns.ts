import type { AcquireRequest, QueuePlace, ReleaseRequest, Token } from "@/lib/redlock";
import { LONG_MS, releaseOf, request, tokenOf } from "./lock-node-harness";

/** Life of a key that is handed over, milliseconds. */
export const HAND_OVER_MS = 30_000;

/** What waiter `who`, who came as number `who`, asks in this round; its token has the two digits. */
export function turn(who: number, round = 1, place: Partial<QueuePlace> = {}, more: Partial<AcquireRequest> = {}) {
  const name = { waiter: `engine-${who}`, since: 1000 + who, round };
  const queue = { ...name, aliveForMs: LONG_MS, handOverMs: HAND_OVER_MS, ...place };
  return request(["r"], { token: turnToken(who, round), queue, ...more });
}

/** The token that waiter asks with in that round. */
export function turnToken(who: number, round = 1): Token {
  return `${tokenOf(who).slice(0, 38)}0${round}` as Token;
}

/** The release of what that waiter has since that round. */
export function handBack(who: number, round = 1): ReleaseRequest {
  return { ...releaseOf(["r"]), token: turnToken(who, round), queue: { waiter: `engine-${who}`, round } };
}
