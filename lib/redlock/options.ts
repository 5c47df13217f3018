import { quorumOf } from "./quorum";
import { isKeyLongerThan, KEY_BYTES_MAX } from "./resource-key";
import { DRIFT_FACTOR, marginMs } from "./validity";

/** Shortest lifetime of a lock, milliseconds: below it drift and network eat the lock. */
export const TTL_MS_MIN = 10;

/** Longest lifetime of a lock, milliseconds: above a day it is no lock. */
export const TTL_MS_MAX = 24 * 60 * 60 * 1000;

/** Default of `nodeTimeoutMs`. */
const NODE_TIMEOUT_MS = 50;

/** How an engine behaves. The first five are the names of node-redlock 5, so that moving over is an edit of imports. */
export interface Settings {
  /** Allowed drift between clocks as a fraction of the ttl. Default 0.01. */
  readonly driftFactor: number;
  /** Tries after the first one; 0 tries once, -1 without limit. Default 10. */
  readonly retryCount: number;
  /** Time between two tries, milliseconds. Default 200. */
  readonly retryDelay: number;
  /** Largest random deviation from `retryDelay`, up or down, milliseconds. Default 200. */
  readonly retryJitter: number;
  /**
   * A lock that is kept alive is extended when so much of its validity is left, milliseconds; but never with less than a third
   * left, and never with more than half (a threshold near the ttl must not make a hot loop). Default 500.
   */
  readonly automaticExtensionThreshold: number;
  /** How long one request to one node may take, milliseconds; for a short ttl at most half of it. Default 50. */
  readonly nodeTimeoutMs: number;
  /** Grants needed; a majority of the configured nodes at least, which is the default. */
  readonly quorum: number;
  /** A lock is only won with more than this left of its validity, milliseconds. Default 0. */
  readonly minValidityMs: number;
  /** Extensions one lock may have. Default without limit. */
  readonly maxExtensions: number;
  /** Time one lock may be held at most, counted from its acquisition, milliseconds; default without limit. */
  readonly maxHoldMs: number;
  /**
   * How far the clock of a node may be from the others', milliseconds, also after it was set while locks are held. Twice as much
   * is taken off every validity, and a node found further off has no vote. Choose it well above the round trip to the nodes: a
   * clock is read no more exactly than half of one.
   *
   * Default 0: nothing is taken off, and only a node more than 500 ms off loses its vote. A clock that is set by less is then not
   * found out, and can shorten a lock on that node by up to twice as much, 1000 ms.
   */
  readonly clockErrorMs: number;
  /** Longest ttl that is accepted, milliseconds. Default a day. */
  readonly maxTtlMs: number;
  /** A won lock gets a fencing token: one more round trip when the nodes disagree about it. Default false. */
  readonly fencing: boolean;
  /**
   * Waiters of all processes are served in the order in which they came: each node keeps a queue per resource, and a release hands
   * the key to its head. For one resource at a time. Clients that do not ask for it get the lock only when nobody waits in the queue,
   * or when a lock of theirs or another's ends without a release that hands over. Default false.
   */
  readonly fair: boolean;
  /**
   * How long a key that was handed over waits for its new owner to confirm, milliseconds: so much time a waiter costs that died.
   * Default four times `nodeTimeoutMs`; never more than the ttl.
   */
  readonly handOverMs: number;
}

/** Settings that all calls of an engine share. */
const SHARED = ["nodeTimeoutMs", "quorum", "clockErrorMs", "maxTtlMs"] as const satisfies readonly (keyof Settings)[];

/** Settings of one call, where they differ from the engine's. */
export interface CallSettings extends Partial<Omit<Settings, (typeof SHARED)[number]>> {
  /** Ends the waiting, also in the middle of an attempt; what was granted by then is released. */
  readonly signal?: AbortSignal;
  /**
   * Keeps trying for so long, milliseconds; without a `retryCount` of its own as often as fits in. 0: no deadline. The first
   * attempt is always made, and no attempt is started that could not end in time.
   */
  readonly waitMs?: number;
}

const RULES = {
  driftFactor: { least: 0, most: 0.5 },
  retryCount: { least: -1, most: Number.MAX_SAFE_INTEGER, isInteger: true },
  retryDelay: { least: 0, most: TTL_MS_MAX },
  retryJitter: { least: 0, most: TTL_MS_MAX },
  automaticExtensionThreshold: { least: 0, most: TTL_MS_MAX },
  nodeTimeoutMs: { least: 1, most: 60_000 },
  quorum: { least: 1, most: Number.MAX_SAFE_INTEGER, isInteger: true },
  minValidityMs: { least: 0, most: TTL_MS_MAX },
  maxExtensions: { least: 0, most: Number.POSITIVE_INFINITY, isInteger: true },
  maxHoldMs: { least: TTL_MS_MIN, most: Number.POSITIVE_INFINITY },
  clockErrorMs: { least: 0, most: 60_000 },
  maxTtlMs: { least: TTL_MS_MIN, most: TTL_MS_MAX, isInteger: true },
  handOverMs: { least: 1, most: TTL_MS_MAX, isInteger: true },
} as const satisfies Record<Exclude<keyof Settings, "fencing" | "fair">, Range>;

/** Default of `handOverMs` in multiples of the node time limit: enough for the word to arrive and the answer to come back. */
const HAND_OVER_LIMITS = 4;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isInteger?: boolean;
}

/**
 * Complete settings of an engine.
 *
 * @param membership nodes configured
 * @throws RangeError or TypeError that names the setting and the value received
 */
export function settingsFor(membership: number, given: Partial<Settings> = {}): Settings {
  const majority = quorumOf(membership);
  const settings = merge(
    {
      driftFactor: DRIFT_FACTOR,
      retryCount: 10,
      retryDelay: 200,
      retryJitter: 200,
      automaticExtensionThreshold: 500,
      nodeTimeoutMs: NODE_TIMEOUT_MS,
      quorum: majority,
      minValidityMs: 0,
      maxExtensions: Number.POSITIVE_INFINITY,
      maxHoldMs: Number.POSITIVE_INFINITY,
      clockErrorMs: 0,
      maxTtlMs: TTL_MS_MAX,
      fencing: false,
      fair: false,
      handOverMs: Math.ceil(HAND_OVER_LIMITS * (given.nodeTimeoutMs ?? NODE_TIMEOUT_MS)),
    },
    given,
  );
  if (settings.quorum < majority || settings.quorum > membership) {
    // redlock-universal took 2 of 4: two holders at once.
    throw new RangeError(`quorum must be between ${majority} and ${membership}, got ${settings.quorum}`);
  }
  if (settings.maxTtlMs <= marginMs(settings.maxTtlMs, settings)) {
    const { clockErrorMs, maxTtlMs } = settings;
    throw new RangeError(`clockErrorMs must leave something of maxTtlMs, ${maxTtlMs} ms, got ${clockErrorMs}`);
  }
  return settings;
}

/**
 * The engine's settings with those of one call over them.
 *
 * @param defaults also what the call means when it says nothing, such as a `retryCount` of 0
 * @throws RangeError or TypeError that names the setting and the value received
 */
export function settingsOfCall(engine: Settings, given: CallSettings, defaults: Partial<Settings> = {}): Settings {
  const { signal: _signal, waitMs = 0, ...own } = given;
  for (const name of SHARED) {
    const value = (given as Partial<Settings>)[name];
    // Silence would be worse: a quorum of 2 of 5 that is ignored looks like one that works.
    if (value !== undefined && value !== engine[name]) {
      throw new TypeError(
        `${name} must be set for the engine, not for one call, got ${value} instead of ${engine[name]}`,
      );
    }
  }
  checkRange("waitMs", waitMs, { least: 0, most: TTL_MS_MAX });
  return merge(merge(engine, waitMs > 0 ? { ...defaults, retryCount: -1 } : defaults), own);
}

/**
 * @param bytesMax longest name, bytes of UTF-8
 * @returns the resources without duplicates, in one order for everybody who locks several of them
 * @throws TypeError when there is none, or one without a name; RangeError when one is longer than any key of Redis
 */
export function checkResources(resources: readonly string[], bytesMax: number = KEY_BYTES_MAX): readonly string[] {
  if (!Array.isArray(resources)) throw new TypeError(`resources must be an array of names, got ${typeof resources}`);
  if (resources.length === 0) throw new TypeError("resources must name at least one resource, got an empty list");
  for (const resource of resources) {
    if (typeof resource !== "string" || resource === "") {
      throw new TypeError(`resources must be non-empty strings, got ${JSON.stringify(resource)}`);
    }
    if (isKeyLongerThan(resource, bytesMax)) {
      throw new RangeError(`resources must be at most ${bytesMax} bytes long each, got one of more`);
    }
  }
  return resources.length === 1 ? [...resources] : [...new Set(resources)].sort();
}

/** @throws RangeError or TypeError unless it is an integer from `TTL_MS_MIN` to `maxTtlMs` that leaves some validity */
export function checkTtl(ttlMs: number, settings: Settings): void {
  checkRange("ttlMs", ttlMs, { least: TTL_MS_MIN, most: settings.maxTtlMs, isInteger: true });
  const takenOffMs = marginMs(ttlMs, settings);
  if (ttlMs - takenOffMs > settings.minValidityMs) return;
  throw new RangeError(
    `ttlMs must be longer, got ${ttlMs}: ${takenOffMs} ms are taken off for clocks (clockErrorMs is ` +
      `${settings.clockErrorMs}), and more than ${settings.minValidityMs} must be left (minValidityMs)`,
  );
}

/** Time one request of a lock of this ttl may take: the answer must leave something of the lock. */
export function timeLimitMs(nodeTimeoutMs: number, ttlMs: number): number {
  return Math.min(nodeTimeoutMs, ttlMs / 2);
}

/** An absent or undefined setting takes the base; anything else must be in range, 0 included. */
function merge(base: Settings, given: Partial<Settings>): Settings {
  const merged: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...base };
  // A call brings one or two settings, so these are looked at and not all there are.
  for (const key of Object.keys(given) as (keyof Settings)[]) {
    const value = given[key];
    if (value === undefined) continue;
    if (key === "fencing" || key === "fair") {
      checkFlag(key, value);
      merged[key] = value as boolean;
    } else if (RULES[key] !== undefined) {
      checkRange(key, value, RULES[key]);
      merged[key] = value as number;
    }
  }
  return merged;
}

function checkFlag(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw new TypeError(`${name} must be true or false, got ${typeof value}`);
}

function checkRange(name: string, value: unknown, { least, most, isInteger = false }: Range): void {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, got ${typeof value}`);
  const isWhole = !isInteger || Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
  if (value >= least && value <= most && isWhole) return;
  throw new RangeError(
    `${name} must be ${isInteger ? "an integer" : "a number"} from ${least} to ${most}, got ${value}`,
  );
}
