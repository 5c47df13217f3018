import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createMasters, Guard, membersOf, noGuard, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import type { TestServer } from "./redis-server";
import { RespBound } from "./resp-bound";
import { until } from "./until";

/** Lifetime of the locks, milliseconds: none ends by itself. */
const TTL_MS = 30_000;
/** No attempt fails for a busy machine. */
const NODE_TIMEOUT_MS = 5000;

/** Something that locks, as a benchmark drives it. */
export interface Subject {
  readonly name: string;
  /** Acquires a resource nobody else wants, and releases it. Rejects when either fails. */
  cycle(resource: string): Promise<void>;
  close(): Promise<void>;
}

const OPEN: Readonly<Record<string, (servers: readonly TestServer[]) => Promise<Omit<Subject, "name">>>> = {
  engine: (servers) => openEngine(servers, { isGuarded: true, coalesce: true }),
  "engine-guards-off": (servers) => openEngine(servers, { isGuarded: false, coalesce: true }),
  "engine-one-by-one": (servers) => openEngine(servers, { isGuarded: true, coalesce: false }),
  "redlock-5": (servers) => openPeer(servers, "redlock-5"),
  "redlock-4": (servers) => openPeer(servers, "redlock-4"),
  sesamecare: (servers) => openPeer(servers, "@sesamecare-oss/redlock"),
  "resp-bound": openBound,
};

export const SUBJECTS = Object.keys(OPEN);

/** @throws RangeError for a name that is none of `SUBJECTS` */
export async function openSubject(name: string, servers: readonly TestServer[]): Promise<Subject> {
  const open = OPEN[name];
  if (open === undefined) throw new RangeError(`no subject is named ${name}; there are ${SUBJECTS.join(", ")}`);
  return { name, ...(await open(servers)) };
}

async function openEngine(
  servers: readonly TestServer[],
  { isGuarded, coalesce }: { readonly isGuarded: boolean; readonly coalesce: boolean },
): Promise<Omit<Subject, "name">> {
  const urls = servers.map(({ url }) => url);
  const guard = isGuarded ? new Guard({ mode: "full", maxTtlMs: TTL_MS, members: membersOf(urls) }) : noGuard();
  const masters = createMasters(urls, { nodeTimeoutMs: NODE_TIMEOUT_MS, guard, coalesce });
  await until(() => masters.every((master) => master.status().state === "up"), "the nodes to be up");
  if (isGuarded) await Promise.all(masters.map((master) => master.bootstrap()));
  const settings = { nodeTimeoutMs: NODE_TIMEOUT_MS, retryCount: 0 };
  const engine = new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings });
  return {
    async cycle(resource) {
      const lock = await engine.acquire([resource], TTL_MS);
      const { kind } = await lock.release();
      if (kind !== "released") throw new Error(`the release was answered with ${kind}`);
    },
    close: async () => void (await Promise.all(masters.map((master) => master.close()))),
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

async function openPeer(servers: readonly TestServer[], name: string): Promise<Omit<Subject, "name">> {
  const module = createRequire(join(process.cwd(), "package.json"))(name) as
    | PeerClass
    | { readonly default?: PeerClass; readonly Redlock?: PeerClass };
  const Class = typeof module === "function" ? module : (module.Redlock ?? module.default);
  if (Class === undefined) throw new Error(`${name} exports no Redlock`);
  const clients = servers.map(({ url }) => new Redis(url));
  await until(() => clients.every(({ status }) => status === "ready"), "the clients to be connected");
  const peer = new Class(clients, { retryCount: 0 });
  peer.on("error", () => {
    // Without a listener version 5 would end the process; what fails is rejected all the same.
  });
  const isVersion4 = name === "redlock-4";
  return {
    async cycle(resource) {
      if (isVersion4) await (await peer.lock(resource, TTL_MS)).unlock();
      else await (await peer.acquire([resource], TTL_MS)).release();
    },
    async close() {
      for (const client of clients) client.disconnect();
    },
  };
}

async function openBound(servers: readonly TestServer[]): Promise<Omit<Subject, "name">> {
  const bound = await RespBound.connect(servers.map(({ port }) => port));
  return {
    async cycle(resource) {
      const token = randomBytes(20).toString("hex");
      const isDone = (await bound.acquire(resource, token, TTL_MS)) && (await bound.release(resource, token));
      if (!isDone) throw new Error("no majority");
    },
    close: async () => bound.close(),
  };
}
