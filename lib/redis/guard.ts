import { createHash } from "node:crypto";
import { parseNodeUrl } from "./node-url";

/**
 * How carefully a node's memory is checked. full: marker and run_id within every vote. connection: the run_id once per connection,
 * cheaper, and unsound behind a proxy that swaps the server. off: not at all.
 */
export type GuardMode = "full" | "connection" | "off";

export interface GuardOptions {
  readonly mode: GuardMode;
  /** Longest TTL in use by anybody as far as is known from the start, milliseconds. */
  readonly maxTtlMs: number;
  /** The masters of the membership as everybody names them, `host:port` and `/database` unless 0; in any order. */
  readonly members: readonly string[];
}

const HASH_DIGITS = 16;
/** Allowed drift between clocks, and the grain of a server's clock; the same numbers as in the script. */
const DRIFT_FACTOR = 1.01;
const GRAIN_MS = 2;

/** The restart guard of one membership: what all its nodes share. Source: `safety.md`, section 6. */
export class Guard {
  readonly mode: GuardMode;
  /** Of the sorted members and their number: two clients with different lists could both win. */
  readonly configHash: string;
  readonly maxTtlMs: number;
  #knownTtlMs: number;

  constructor({ mode, maxTtlMs, members }: GuardOptions) {
    this.mode = mode;
    this.maxTtlMs = maxTtlMs;
    this.#knownTtlMs = maxTtlMs;
    const text = JSON.stringify([members.length, ...members.map(memberName).sort()]);
    this.configHash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
  }

  /** Longest TTL that a living lock may have, as far as is known, milliseconds. */
  get knownTtlMs(): number {
    return this.#knownTtlMs;
  }

  /** How long a node that forgot its votes is kept out, milliseconds; 0 when nothing is guarded. */
  get quarantineMs(): number {
    return this.mode === "off" ? 0 : Math.ceil(this.#knownTtlMs * DRIFT_FACTOR) + GRAIN_MS;
  }

  /** A lock of this TTL was granted, or may have been. */
  noteTtl(ttlMs: number): void {
    this.#knownTtlMs = Math.max(this.#knownTtlMs, ttlMs);
  }

  /** An operator has declared that no lock is held: longer ones of the past no longer matter. */
  forgetTtls(): void {
    this.#knownTtlMs = this.maxTtlMs;
  }
}

/** Nothing is checked: what applies where no guard is asked for. */
export function noGuard(): Guard {
  return new Guard({ mode: "off", maxTtlMs: 0, members: [] });
}

/** The masters of these URLs as `GuardOptions.members` wants them. @throws RangeError as `parseNodeUrl` */
export function membersOf(urls: readonly string[]): readonly string[] {
  return urls.map((url) => {
    const { address, database } = parseNodeUrl(url);
    return database === 0 ? address : `${address}/${database}`;
  });
}

/** ioredis says localhost where others write the number. */
function memberName(member: string): string {
  return member.toLowerCase().replace(/^localhost(?=[:/]|$)/, "127.0.0.1");
}
