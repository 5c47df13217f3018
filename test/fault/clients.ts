import { createRequire } from "node:module";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createMasters, Guard, Redlock, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import { watchFences } from "./fence-watch";

/** This project's engine, and three libraries to compare it with and to show that the checker sees. */
export const CLIENTS = ["engine", "redlock-5", "redlock-4", "sesamecare"] as const;

export type ClientKind = (typeof CLIENTS)[number];

/** A lock as its holder has it. */
export interface HeldLock {
  /** Null where none was asked for. */
  readonly fence: number | null;
  /** Milliseconds of validity left by the client's own word; zero or less when there is none. */
  remainingMs(): number;
  /** Rejects when it did not work. */
  extend(ttlMs: number): Promise<void>;
  /** Never rejects: that an expired lock cannot be released is nobody's concern here. */
  release(): Promise<void>;
  /** Extends by itself and calls back after each success; null where the client has no such thing. @returns ends it */
  readonly keepAlive: ((ttlMs: number, onExtended: () => void) => () => void) | null;
}

export interface AcquireWishes {
  readonly isFenced: boolean;
  readonly isFair?: boolean;
}

/** What the checker asks of every client. */
export interface LockClient {
  /**
   * Rejects when the lock is not to be had.
   *
   * @param options `isFenced`: with a fence, which only the engine has; then in a single try, since order counts from the try that won.
   *   `isFair`: in the order of the waiters, which only the engine has; waits for up to two lifetimes of a lock, also for a fence
   */
  acquire(resource: string, ttlMs: number, options?: AcquireWishes): Promise<HeldLock>;
  /** Runs under a lock that is extended by itself; null where the client cannot. */
  readonly using:
    | ((resource: string, ttlMs: number, routine: (isAborted: () => boolean) => Promise<void>) => Promise<void>)
    | null;
  /** Breaks the connections of the client. */
  disconnect(): void;
}

export interface ClientOptions {
  readonly kind: ClientKind;
  readonly urls: readonly string[];
  /** Restart guard of the engine; null = none. */
  readonly guard: { readonly members: readonly string[]; readonly maxTtlMs: number } | null;
  /** What concerns the fences of a guarded engine; by default its wall clock is right. */
  readonly fences?: {
    /** How far its wall clock is ahead, milliseconds. */
    readonly skewMs: number;
    /** See `watchFences`. */
    readonly onGuess: () => void;
  };
  readonly retryCount: number;
  readonly retryDelayMs: number;
  readonly nodeTimeoutMs: number;
  /** Time limit of ioredis for the libraries; null = none, its default. The engine has its own. */
  readonly commandTimeoutMs: number | null;
  /** Folder with the project's package.json, from which the libraries are resolved. */
  readonly root: string;
}

export function createClient(options: ClientOptions): LockClient {
  switch (options.kind) {
    case "engine":
      return engineClient(options);
    case "redlock-4":
      return redlock4Client(options);
    case "redlock-5":
      return redlock5Client(options, "redlock-5");
    case "sesamecare":
      return redlock5Client(options, "@sesamecare-oss/redlock");
    default:
      return options.kind satisfies never;
  }
}

/** The engine over the connections of one worker, and what ends these. */
function engineOf({
  urls,
  guard,
  fences,
  retryCount,
  retryDelayMs,
  nodeTimeoutMs,
}: ClientOptions): [RedlockEngine, () => void] {
  const settings = { retryCount, retryDelay: retryDelayMs, retryJitter: retryDelayMs / 2, nodeTimeoutMs };
  if (guard === null) {
    const redlock = new Redlock(urls, settings);
    return [redlock, () => void redlock.quit()];
  }
  // Not `Redlock`: it names the members by its URLs, and each worker has links, hence URLs, of its own.
  const masters = createMasters(urls, { nodeTimeoutMs, guard: new Guard({ mode: "full", ...guard }) });
  const close = () => {
    for (const master of masters) void master.close();
  };
  if (fences !== undefined) watchFences(masters, fences.onGuess);
  const wallClock = () => Date.now() + (fences?.skewMs ?? 0);
  const ports = { clock: systemClock, random: systemRandom, wallClock };
  return [new RedlockEngine(masters, { ...ports, settings }), close];
}

function engineClient(options: ClientOptions): LockClient {
  const [redlock, disconnect] = engineOf(options);
  return {
    async acquire(resource, ttlMs, { isFenced, isFair = false } = { isFenced: false }) {
      const patience = isFair ? { fair: true, waitMs: 2 * ttlMs } : isFenced ? { retryCount: 0 } : {};
      const lock = await redlock.acquire([resource], ttlMs, { fencing: isFenced, ...patience });
      return {
        fence: lock.fencingToken,
        remainingMs: () => lock.remaining(),
        extend: async (ms) => void (await lock.extend(ms)),
        release: async () => void (await lock.release()),
        keepAlive(ms, onExtended) {
          const onExtend = ({ kind }: { readonly kind: string }): void => {
            if (kind === "extended") onExtended();
          };
          return redlock.keepAlive(lock, ms, { onExtend }).stop;
        },
      };
    },
    using: (resource, ttlMs, routine) => redlock.using([resource], ttlMs, (signal) => routine(() => signal.aborted)),
    disconnect,
  };
}

/** As far as it is used; `expiration` is a date. */
interface PeerLock {
  readonly expiration: number;
  extend(ttlMs: number): Promise<PeerLock>;
  /** Version 4. */
  unlock(): Promise<unknown>;
  /** Version 5 and the one made from it. */
  release(): Promise<unknown>;
}

interface Peer {
  lock(resource: string, ttlMs: number): Promise<PeerLock>;
  acquire(resources: readonly string[], ttlMs: number): Promise<PeerLock>;
  using(
    resources: readonly string[],
    ttlMs: number,
    routine: (signal: { readonly aborted: boolean }) => Promise<void>,
  ): Promise<void>;
  on(event: string, listener: () => void): void;
}

type PeerClass = new (clients: readonly Redis[], settings: object) => Peer;

function redlock4Client(options: ClientOptions): LockClient {
  const { peer, disconnect } = openPeer(options, load(options.root, "redlock-4") as PeerClass);
  return {
    acquire: async (resource, ttlMs) => held(await peer.lock(resource, ttlMs), (lock) => lock.unlock()),
    using: null,
    disconnect,
  };
}

function redlock5Client(options: ClientOptions, name: string): LockClient {
  const module = load(options.root, name) as { readonly default?: PeerClass; readonly Redlock?: PeerClass };
  const Class = module.Redlock ?? module.default;
  if (Class === undefined) throw new Error(`${name} exports no Redlock`);
  const { peer, disconnect } = openPeer(options, Class);
  return {
    acquire: async (resource, ttlMs) => held(await peer.acquire([resource], ttlMs), (lock) => lock.release()),
    using: (resource, ttlMs, routine) => peer.using([resource], ttlMs, (signal) => routine(() => signal.aborted)),
    disconnect,
  };
}

function openPeer(
  { urls, retryCount, retryDelayMs, commandTimeoutMs }: ClientOptions,
  Class: PeerClass,
): { readonly peer: Peer; readonly disconnect: () => void } {
  const limit = commandTimeoutMs === null ? {} : { commandTimeout: commandTimeoutMs };
  const clients = urls.map((url) => new Redis(url, limit));
  for (const client of clients) {
    client.on("error", () => {
      // Faults are inflicted on purpose.
    });
  }
  const peer = new Class(clients, { retryCount, retryDelay: retryDelayMs, retryJitter: retryDelayMs / 2 });
  peer.on("error", () => {
    // As above; without a listener version 5 would end the process.
  });
  return {
    peer,
    disconnect: () => {
      for (const client of clients) client.disconnect();
    },
  };
}

function held(first: PeerLock, release: (lock: PeerLock) => Promise<unknown>): HeldLock {
  let lock = first;
  return {
    fence: null,
    remainingMs: () => lock.expiration - Date.now(),
    async extend(ttlMs) {
      lock = await lock.extend(ttlMs);
    },
    async release() {
      try {
        await release(lock);
      } catch {
        // These libraries reject when the lock has expired or a node is away.
      }
    },
    keepAlive: null,
  };
}

function load(root: string, name: string): unknown {
  try {
    return createRequire(join(root, "package.json"))(name) as unknown;
  } catch (cause) {
    throw new Error(`${name} is not installed; run npm ci`, { cause });
  }
}
