/** Time on a clock that never jumps and has no meaning outside one process, in milliseconds. */
export type MonotonicMs = number & { readonly __unit: "monotonic ms" };

/** Name of one independent Redis master, unique within a membership. */
export type NodeId = string & { readonly __unit: "node id" };

/** Random value that proves ownership of a lock; whoever knows it may release the lock, so it never leaves its owner. */
export type Token = string & { readonly __unit: "token" };

/** First 8 hexadecimal digits of the SHA-256 of a token: enough to tell two holders apart, useless for releasing. */
export type Fingerprint = string & { readonly __unit: "fingerprint" };

/** @param name label of a node as configured */
export function nodeId(name: string): NodeId {
  return name as NodeId;
}

/** @param value milliseconds read from a monotonic clock */
export function monotonicMs(value: number): MonotonicMs {
  return value as MonotonicMs;
}

/** @param value the secret as stored on the nodes */
export function asToken(value: string): Token {
  return value as Token;
}

/** @param value 8 lower-case hexadecimal digits */
export function asFingerprint(value: string): Fingerprint {
  return value as Fingerprint;
}
