import type { Fault, Obstacle } from "@/lib/redlock";
import type { Reply } from "./connection";
import { fingerprintOf } from "./fingerprint";
import type { Admission } from "./node-guard";

/** Type, value and remaining time of one key, as the scripts report them. */
interface Sighting {
  readonly type: string;
  readonly value: Buffer | null;
  readonly remainingMs: number | null;
}

/** What a script of the lock connection answered. `code` is its plain number. */
export type Verdict =
  | { readonly kind: "code"; readonly code: number }
  /** A key is in the way. */
  | { readonly kind: "obstacle"; readonly obstacle: Obstacle }
  /** A key is missing. */
  | { readonly kind: "missing"; readonly resource: string }
  /** The node may not vote: nothing was done. */
  | { readonly kind: "barred"; readonly admission: Admission };

/** Nearly every answer. */
const CODE_0: Verdict = { kind: "code", code: 0 };

/** Reads what a script answered; a fault when there was no answer or not one of ours. */
export function verdictOf(reply: Reply, resources: readonly string[]): Verdict | Fault {
  if (reply.kind !== "answer") return faultOf(reply);
  const { value } = reply;
  if (value === 0) return CODE_0;
  if (typeof value === "number") return { kind: "code", code: value };
  if (!Array.isArray(value)) return UNEXPECTED;
  if (value[0] === 0) {
    const admission = admissionOf(value);
    return admission === null ? UNEXPECTED : { kind: "barred", admission };
  }
  const resource = resources[Number(value[0]) - 1];
  if (resource === undefined) return UNEXPECTED;
  if (value.length === 1) return { kind: "missing", resource };
  const sighting = sightingOf(value.slice(1, 4));
  if (sighting === null || value.length > 5) return UNEXPECTED;
  const obstacle = obstacleOf(resource, sighting);
  // Told to those who queue only.
  return { kind: "obstacle", obstacle: value.length === 5 ? { ...obstacle, ahead: Number(value[4]) } : obstacle };
}

/** Reads what a script said instead of voting; null when it is something else. */
export function admissionOf(words: unknown): Admission | null {
  if (!Array.isArray(words) || words.length !== 5) return null;
  const [, word, number, text, longestTtlMs] = words as readonly unknown[];
  if (!(word instanceof Buffer) || !(text instanceof Buffer)) return null;
  if (typeof number !== "number" || typeof longestTtlMs !== "number") return null;
  return { word: word.toString(), number, text: text.toString(), longestTtlMs };
}

/** What to answer when a command brought no answer. */
export function faultOf(reply: Exclude<Reply, { kind: "answer" }>): Fault {
  switch (reply.kind) {
    case "error":
      return { kind: "error", reason: reply.reason };
    case "not_sent":
    case "lost":
      return { kind: "unreachable", reason: reply.reason };
    default:
      return reply satisfies never;
  }
}

/** @param words type, value or nil, PTTL @returns null when it is something else: a proxy, a server we do not know */
function sightingOf(words: unknown): Sighting | null {
  if (!Array.isArray(words) || words.length !== 3) return null;
  const [type, value, pttl] = words as readonly unknown[];
  if (!(type instanceof Buffer) || typeof pttl !== "number") return null;
  return {
    type: type.toString(),
    value: value instanceof Buffer ? value : null,
    // -1: no expiry; -2: no key.
    remainingMs: pttl < 0 ? null : pttl,
  };
}

function obstacleOf(resource: string, { type, value, remainingMs }: Sighting): Obstacle {
  return {
    resource,
    holder: value === null ? null : fingerprintOf(value),
    remainingMs,
    foreignType: type === "string" ? null : type,
  };
}

/** The vote for an answer that no script of ours gives. */
export const UNEXPECTED = {
  kind: "error",
  reason: "unexpected answer: is this a Redis server, without a proxy that rewrites scripts?",
} as const satisfies Fault;

/** The answer of an admitted node, or why it does not count. */
export type Judgement = Exclude<Verdict, { kind: "barred" }> | Fault;

type ObstacleFields = Extract<Verdict, { kind: "obstacle" }>["obstacle"];

/** A vote that is no grant, with the same shape for every verb. */
export function voteOf(
  verdict: Exclude<Verdict, { kind: "code" }> | Fault,
): ({ readonly kind: "refused" } & ObstacleFields) | Fault {
  switch (verdict.kind) {
    case "obstacle":
      return { kind: "refused", ...verdict.obstacle };
    case "missing":
    case "barred":
      return UNEXPECTED;
    default:
      return verdict;
  }
}
