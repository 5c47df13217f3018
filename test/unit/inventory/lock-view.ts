import { type LockView, resourceIdOf } from "@/lib/contract";

/** A lock as the API answers it. @param remaining per node a, b, …: infinite = no expiry, null = free */
export function lockView(
  resource: string,
  { remaining = [1000], ...more }: Partial<LockView> & { readonly remaining?: readonly (number | null)[] } = {},
): LockView {
  const fingerprint = more.holder?.fingerprint ?? "00000000";
  return {
    id: resourceIdOf(resource),
    resource,
    readAt: 0,
    layout: null,
    verdict: "held",
    holder: null,
    votes: 0,
    margin: null,
    heldForAtLeastMs: null,
    freeFromMs: null,
    noExpiry: false,
    firstSeenAt: null,
    renewals: 0,
    fullMs: null,
    usualHoldMs: null,
    revoked: false,
    evidence: [],
    nodes: remaining.map((ms, index) => ({
      node: "abcdefg".charAt(index),
      reading: ms === null ? "free" : "token",
      fingerprint: ms === null ? null : fingerprint,
      remainingMs: ms === null || !Number.isFinite(ms) ? null : ms,
      type: ms === null ? null : "string",
      reason: null,
      quarantined: false,
      roundTripMs: null,
    })),
    ...more,
  };
}
