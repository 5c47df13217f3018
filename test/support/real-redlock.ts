import { createMasters, Guard, type MasterNode, membersOf, noGuard, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine, type Settings } from "@/lib/redlock";
import { startRedisServers, type TestServer } from "./redis-server";
import { until } from "./until";

/** The engine on real servers, and a way to look at each of them past it. */
export interface RealRedlock {
  readonly redlock: RedlockEngine;
  readonly servers: readonly TestServer[];
  readonly masters: readonly MasterNode[];
  /** Value of the key per server that is connected; null = no key. */
  values(resource: string): Promise<readonly (string | null)[]>;
  /** Resolves when no server has the key; killed servers are left out. */
  untilFree(resource: string): Promise<void>;
  /** Another engine with its own connections to the same servers: a rival in another process. */
  rival(settings?: Partial<Settings>, wallClock?: () => number): Promise<RedlockEngine>;
  stop(): Promise<void>;
}

/** How many servers, and whether their votes are guarded: then they are bootstrapped, and this is the longest TTL assumed. */
interface Size {
  readonly up: number;
  readonly down?: number;
  readonly guardedTtlMs?: number;
}

/** Limits are wide, so that a busy machine is not mistaken for a hung server; retries are quick. */
const SETTINGS: Partial<Settings> = { nodeTimeoutMs: 1000, retryDelay: 20, retryJitter: 10, retryCount: 3 };

/**
 * Starts `up` + `down` servers, connects an engine to all, and kills the last `down` of them.
 *
 * @param settings over ours
 */
export async function startRealRedlock(size: Size, settings: Partial<Settings> = {}): Promise<RealRedlock> {
  const { up, down = 0, guardedTtlMs } = size;
  const { servers, stop } = await startRedisServers(up + down);
  const open: MasterNode[] = [];
  const connect = async (own: Partial<Settings>, isComplete: boolean, wallClock = Date.now) => {
    const all = { ...SETTINGS, ...own };
    const urls = servers.map((server, index) => `${server.url}#${"abcdefgh"[index]}`);
    const guard =
      guardedTtlMs === undefined
        ? noGuard()
        : new Guard({ mode: "full", maxTtlMs: guardedTtlMs, members: membersOf(urls) });
    const masters = createMasters(urls, { nodeTimeoutMs: all.nodeTimeoutMs, probeEveryMs: 100, guard });
    open.push(...masters);
    await Promise.all(masters.map((master) => master.firstContact));
    if (isComplete) await until(() => masters.every(isUp), "all nodes to be up");
    const ports = { clock: systemClock, random: systemRandom, wallClock };
    return { masters, engine: new RedlockEngine(masters, { ...ports, settings: all }) };
  };
  const { masters, engine } = await connect(settings, true);
  if (guardedTtlMs !== undefined) await Promise.all(masters.map((master) => master.bootstrap()));
  await Promise.all(servers.slice(up).map((server) => server.kill()));
  await until(
    () => masters.slice(up).every((master) => master.status().state === "down"),
    "the killed nodes to be down",
  );
  const living = () => servers.filter((server) => server.client.status === "ready");
  return {
    redlock: engine,
    servers,
    masters,
    values: (resource) => Promise.all(living().map((server) => server.client.get(resource))),
    untilFree: (resource) =>
      until(async () => {
        const counts = await Promise.all(living().map((server) => server.client.exists(resource)));
        return counts.every((count) => count === 0);
      }, `${resource} to be free on every server`),
    rival: async (own = {}, wallClock) => (await connect({ ...settings, ...own }, false, wallClock)).engine,
    async stop() {
      await Promise.all(open.map((master) => master.close()));
      await stop();
    },
  };
}

function isUp(master: MasterNode): boolean {
  return master.status().state === "up";
}
