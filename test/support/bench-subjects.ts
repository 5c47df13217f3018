import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Redlock as RedisKitRedlock } from "@redis-kit/lock";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { createMasters, Guard, membersOf, noGuard, systemClock, systemRandom } from "@/lib/redis";
import { type CallSettings, RedlockEngine } from "@/lib/redlock";
import type { TestServer } from "./redis-server";
import { RespBound } from "./resp-bound";
import { until } from "./until";

/** Lifetime of the locks, milliseconds: none ends by itself. */
const TTL_MS = 30_000;

/** So long a waiting client tries, milliseconds, where it can be told. */
const WAIT_MS = 60_000;

/** A lock that shows that the nodes vote. */
const READY = "bench:ready";

type Server = Pick<TestServer, "url" | "port">;

/** How a subject is set up. */
export interface SubjectSetup {
  /** Whether it tries again when it is refused, as its defaults have it; else once. */
  readonly retries: boolean;
  /** Time limit of the engine per node, milliseconds; its peers have none. */
  readonly nodeTimeoutMs: number;
}

/** Something that locks, as a benchmark drives it. */
export interface Subject {
  readonly name: string;
  /** @returns its release. Rejects when it is not acquired; the release rejects when it fails */
  take(resource: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

type Open = (servers: readonly Server[], setup: SubjectSetup) => Promise<Omit<Subject, "name">>;

const OPEN: Readonly<Record<string, Open>> = {
  engine: engine({}),
  "engine-guards-off": engine({ isGuarded: false }),
  "engine-one-by-one": engine({ coalesce: false }),
  "engine-fencing": engine({ call: { fencing: true } }),
  "engine-fair": engine({ call: { fair: true } }),
  "redlock-5": peer("redlock-5"),
  "redlock-4": peer("redlock-4"),
  sesamecare: peer("@sesamecare-oss/redlock"),
  "redis-kit": openRedisKit,
  "resp-bound": openBound,
};

export const SUBJECTS = Object.keys(OPEN);

/** @throws RangeError for a name that is none of `SUBJECTS` */
export async function openSubject(name: string, servers: readonly Server[], setup: SubjectSetup): Promise<Subject> {
  const open = OPEN[name];
  if (open === undefined) throw new RangeError(`no subject is named ${name}; there are ${SUBJECTS.join(", ")}`);
  return { name, ...(await open(servers, setup)) };
}

/** Acquires a resource nobody else wants, and releases it. Rejects when either fails. */
export async function cycle(subject: Subject, resource: string): Promise<void> {
  const release = await subject.take(resource);
  await release();
}

interface EngineSetup {
  readonly isGuarded?: boolean;
  readonly coalesce?: boolean;
  readonly call?: CallSettings;
}

function engine({ isGuarded = true, coalesce = true, call = {} }: EngineSetup): Open {
  return async (servers, { retries, nodeTimeoutMs }) => {
    const urls = servers.map(({ url }) => url);
    const guard = isGuarded ? new Guard({ mode: "full", maxTtlMs: TTL_MS, members: membersOf(urls) }) : noGuard();
    const masters = createMasters(urls, { nodeTimeoutMs, guard, coalesce });
    await until(() => masters.every((master) => master.status().state !== "down"), "the nodes to be up");
    if (isGuarded) await Promise.all(masters.map((master) => master.bootstrap()));
    const settings = { nodeTimeoutMs, retryCount: retries ? -1 : 0 };
    const ports = { clock: systemClock, random: systemRandom, wallClock: Date.now };
    const redlock = new RedlockEngine(masters, { ...ports, settings });
    const isReady = async () => {
      const outcome = await redlock.tryAcquire([`${READY}:${process.pid}:${randomBytes(4).toString("hex")}`], 1000);
      return outcome.kind === "acquired";
    };
    await until(isReady, "a first lock");
    const ofCall = retries ? { ...call, waitMs: WAIT_MS } : call;
    // An empty object would cost a merge of settings per call that nobody who passes none pays for.
    const given = Object.keys(ofCall).length === 0 ? undefined : ofCall;
    return {
      async take(resource) {
        const lock = await redlock.acquire([resource], TTL_MS, given);
        return async () => {
          const { kind } = await lock.release();
          if (kind !== "released") throw new Error(`the release was answered with ${kind}`);
        };
      },
      close: async () => void (await Promise.all(masters.map((master) => master.close()))),
    };
  };
}

interface PeerLock {
  unlock(): Promise<unknown>;
  release(): Promise<unknown>;
}

interface Peer {
  lock(resource: string, ttlMs: number): Promise<PeerLock>;
  acquire(resources: readonly string[], ttlMs: number): Promise<PeerLock>;
  on(event: "error", listener: () => void): void;
}

type PeerClass = new (clients: readonly Redis[], settings: object) => Peer;

function peer(name: string): Open {
  return async (servers, { retries }) => {
    const module = createRequire(join(process.cwd(), "package.json"))(name) as
      | PeerClass
      | { readonly default?: PeerClass; readonly Redlock?: PeerClass };
    const Class = typeof module === "function" ? module : (module.Redlock ?? module.default);
    if (Class === undefined) throw new Error(`${name} exports no Redlock`);
    const clients = servers.map(({ url }) => new Redis(url));
    for (const client of clients) client.on("error", ignore);
    await until(() => clients.every(({ status }) => status === "ready"), "the clients to be connected");
    const redlock = new Class(clients, retries ? {} : { retryCount: 0 });
    // Without a listener version 5 would end the process; what fails is rejected all the same.
    redlock.on("error", ignore);
    const isVersion4 = name === "redlock-4";
    return {
      async take(resource) {
        const lock = isVersion4 ? await redlock.lock(resource, TTL_MS) : await redlock.acquire([resource], TTL_MS);
        return async () => void (await (isVersion4 ? lock.unlock() : lock.release()));
      },
      async close() {
        for (const client of clients) client.disconnect();
      },
    };
  };
}

async function openRedisKit(servers: readonly Server[], { retries }: SubjectSetup): Promise<Omit<Subject, "name">> {
  const clients = servers.map(({ url }) => createClient({ url }));
  for (const client of clients) client.on("error", ignore);
  await Promise.all(clients.map((client) => client.connect()));
  const given = clients as unknown as ConstructorParameters<typeof RedisKitRedlock>[0];
  const redlock = new RedisKitRedlock(given, retries ? {} : { maxRetryAttempts: 0 });
  return {
    async take(resource) {
      const lock = await redlock.acquire(resource, TTL_MS);
      if (lock === null) throw new Error("not acquired");
      return async () => {
        if (!(await lock.release())) throw new Error("not released");
      };
    },
    async close() {
      for (const client of clients) client.destroy();
    },
  };
}

async function openBound(servers: readonly Server[]): Promise<Omit<Subject, "name">> {
  const bound = await RespBound.connect(servers.map(({ port }) => port));
  return {
    async take(resource) {
      const token = randomBytes(20).toString("hex");
      if (!(await bound.acquire(resource, token, TTL_MS))) throw new Error("no majority");
      return async () => {
        if (!(await bound.release(resource, token))) throw new Error("no majority");
      };
    },
    close: async () => bound.close(),
  };
}

function ignore(): void {
  // A connection that fails shows in what is asked over it.
}
