import { createHash } from "node:crypto";
import { expect } from "vitest";
import {
  type AcquireRequest,
  asToken,
  type Fingerprint,
  keyFromBytes,
  type LockNode,
  type ReleaseRequest,
  type Token,
} from "@/lib/redlock";

/** What stands under a key. */
export interface StoredKey {
  /** Null when the key is not a string. */
  readonly value: string | null;
  /** Milliseconds; null when the key never expires. */
  readonly remainingMs: number | null;
}

/** One fresh, empty node and a way to look at it and meddle with it past the port. A resource is a key as in `keyFromBytes`. */
export interface LockNodeHarness {
  readonly node: LockNode;
  /** Writes a string, as another client would. `ttlMs` null: no expiry. */
  set(resource: string, value: string, ttlMs: number | null): Promise<void>;
  /** Writes a hash without expiry. */
  setForeign(resource: string): Promise<void>;
  /** @returns null when there is no key */
  get(resource: string): Promise<StoredKey | null>;
  /** Resolves once the key has expired (it has a short ttl); rejects when that takes unreasonably long. */
  untilGone(resource: string): Promise<void>;
  /** Makes the server forget every script, as `SCRIPT FLUSH` does. */
  forgetScripts(): Promise<void>;
  /** Empties the server, as FLUSHALL does. Null where no restart guard is in use. */
  readonly forgetVotes: (() => Promise<void>) | null;
  dispose(): Promise<void>;
}

/** What the parts of the contract suite share: the harness of the test that runs. */
export interface World {
  harness(): LockNodeHarness;
  node(): LockNode;
}

/** Names no implementation may stumble over: they are bytes to Redis, and nothing else. */
export const ODD_NAMES = [
  "orders:42",
  "with space, \"quotes\" and 'apostrophes'",
  "line\r\nbreak\u0000and zero",
  "замок 🔒 ロック",
  "*[a-z]?\\",
  "{tag}:rest",
  "__proto__",
  keyFromBytes(Uint8Array.of(0xff, 0x00, 0xfe, 0x80)),
];

/** Long enough never to end during a test, milliseconds. */
export const LONG_MS = 60_000;
/** Short enough to wait for, long enough to be read before it ends. */
export const SHORT_MS = 80;

/** The token of the requests below, and the one of somebody else. */
export const MINE = tokenOf(1);
export const OTHERS = tokenOf(2);

/** An acquire, extend or heal of `MINE`. */
export function request(resources: readonly string[], overrides: Partial<AcquireRequest> = {}): AcquireRequest {
  return { resources, token: MINE, ttlMs: LONG_MS, isCancelled: () => false, ...overrides };
}

/** A release of `MINE`. */
export function releaseOf(resources: readonly string[]): ReleaseRequest {
  return { resources, token: MINE, keepTryingForMs: LONG_MS };
}

/** Remaining time is only bounded from below by a wide margin: the machine may be slow, the key must not be. */
export async function expectHeld(
  harness: LockNodeHarness,
  resource: string,
  token: Token,
  ttlMs: number,
): Promise<void> {
  const stored = await harness.get(resource);
  expect(stored?.value).toBe(token);
  expect(stored?.remainingMs).toBeGreaterThan(ttlMs - 10_000);
  expect(stored?.remainingMs).toBeLessThanOrEqual(ttlMs);
}

/** A token made of one digit. */
export function tokenOf(digit: number): Token {
  return asToken(String(digit).repeat(40));
}

/** First 8 hexadecimal digits of the SHA-256, the way the console shows a token. */
export function fingerprint(token: string): Fingerprint {
  return createHash("sha256").update(token).digest("hex").slice(0, 8) as Fingerprint;
}
