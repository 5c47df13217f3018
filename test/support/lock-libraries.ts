import { createRequire } from "node:module";
import { createLock as createIoredisLock } from "@microfleet/ioredis-lock";
import { Redlock as RedisKitRedlock } from "@redis-kit/lock";
import { Redlock as SesamecareRedlock } from "@sesamecare-oss/redlock";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { RedlockMutex } from "redis-semaphore";
import { createLock, createRedlock, IoredisAdapter } from "redlock-universal";

const TTL_MS = 60_000;
const RETRY_MS = 20;
const RETRIES = 1000;

/** A real lock library over real servers. */
export interface LockLibrary {
  readonly name: string;
  /** What the console should call its locks. */
  readonly layout: string;
  /** Its key for a resource. */
  readonly keyOf: (resource: string) => string;
  /** Takes a lock with the library's own retries: waits as long as somebody else holds it. */
  acquire(resource: string): Promise<unknown>;
}

type Redlock4 = new (
  clients: readonly Redis[],
  settings: object,
) => { lock(key: string, ttl: number): Promise<unknown> };
type Redlock5 = new (
  clients: readonly Redis[],
  settings: object,
) => { acquire(keys: readonly string[], ttl: number): Promise<unknown> };
type NpmRedisLock = (client: unknown, retryDelay: number) => (name: string, timeoutMs: number) => Promise<unknown>;

const load = createRequire(import.meta.url);

/** Opens every library on the servers, those that know only one server on the first. Call `close` in `afterAll`. */
export async function openLockLibraries(
  urls: readonly string[],
): Promise<{ readonly libraries: readonly LockLibrary[]; readonly close: () => void }> {
  const clients = urls.map((url) => new Redis(url));
  const nodeRedis = await Promise.all(
    urls.map(async (url) => {
      const client = createClient({ url, RESP: 2 });
      client.on("error", () => {
        // The servers are killed at the end.
      });
      await client.connect();
      return client;
    }),
  );
  const [first] = clients;
  if (first === undefined) throw new Error("no servers");
  const libraries = [...redlocks(clients), ...kit(nodeRedis), ...singles(first, nodeRedis[0])];
  const close = () => {
    for (const client of clients) client.disconnect();
    for (const client of nodeRedis) client.destroy();
  };
  return { libraries, close };
}

/** Those that vote over all servers. */
function redlocks(clients: readonly Redis[]): readonly LockLibrary[] {
  const settings = { retryCount: RETRIES, retryDelay: RETRY_MS, retryJitter: RETRY_MS };
  const version4 = new (load("redlock-4") as Redlock4)(clients, settings);
  const version5 = new (load("redlock-5") as { default: Redlock5 }).default(clients, settings);
  const sesamecare = new SesamecareRedlock([...clients], settings);
  const adapters = clients.map((client) => new IoredisAdapter(client));
  const retries = { retryAttempts: RETRIES, retryDelay: RETRY_MS };
  return [
    { name: "redlock 4", layout: "redlock-hex", keyOf: asGiven, acquire: (key) => version4.lock(key, TTL_MS) },
    { name: "redlock 5", layout: "redlock-hex", keyOf: asGiven, acquire: (key) => version5.acquire([key], TTL_MS) },
    {
      name: "@sesamecare-oss/redlock",
      layout: "redlock-hex",
      keyOf: asGiven,
      acquire: (key) => sesamecare.acquire([key], TTL_MS),
    },
    {
      name: "redlock-universal",
      layout: "redlock-hex",
      keyOf: asGiven,
      acquire: (key) => createRedlock({ adapters, key, ttl: TTL_MS, ...retries }).acquire(),
    },
    {
      name: "redis-semaphore",
      layout: "redis-semaphore",
      keyOf: (resource) => `mutex:${resource}`,
      acquire: (key) => {
        const options = { lockTimeout: TTL_MS, acquireTimeout: TTL_MS, retryInterval: RETRY_MS, refreshInterval: 0 };
        return new RedlockMutex([...clients], key, options).acquire();
      },
    },
  ];
}

function kit(clients: ConstructorParameters<typeof RedisKitRedlock>[0]): readonly LockLibrary[] {
  const options = { maxRetryAttempts: RETRIES, retryDelayMs: RETRY_MS, retryJitterMs: RETRY_MS };
  const redlock = new RedisKitRedlock(clients, options);
  return [
    {
      name: "@redis-kit/lock",
      // Its token may come out without + and /, as redlock-py's.
      layout: "redis-kit or redlock-py",
      keyOf: asGiven,
      async acquire(key) {
        if ((await redlock.acquire(key, TTL_MS)) === null) throw new Error("not acquired");
      },
    },
  ];
}

/** Those of one server. */
function singles(client: Redis, nodeRedis: unknown): readonly LockLibrary[] {
  const retries = { retryAttempts: RETRIES, retryDelay: RETRY_MS };
  const options = { timeout: TTL_MS, retries: RETRIES, delay: RETRY_MS, jitter: 1 };
  const redisLock = (load("redis-lock") as NpmRedisLock)(withVersion4(nodeRedis), RETRY_MS);
  return [
    {
      name: "redlock-universal, lean",
      layout: "redlock-universal-lean",
      keyOf: asGiven,
      acquire: (key) =>
        createLock({
          adapter: new IoredisAdapter(client),
          key,
          ttl: TTL_MS,
          performance: "lean",
          ...retries,
        }).acquire(),
    },
    {
      name: "@microfleet/ioredis-lock",
      layout: "redlock-uuid",
      keyOf: asGiven,
      acquire: (key) => createIoredisLock(client, options).acquire(key),
    },
    {
      name: "redis-lock",
      layout: "npm-redis-lock",
      keyOf: (resource) => `lock.${resource}`,
      acquire: (key) => redisLock(key, TTL_MS),
    },
  ];
}

/** redis-lock asks whether it was given node-redis 4 by a property that version 5 does not have any more. */
function withVersion4(client: unknown): unknown {
  return Object.assign(Object.create(client as object) as object, { v4: true });
}

function asGiven(resource: string): string {
  return resource;
}
