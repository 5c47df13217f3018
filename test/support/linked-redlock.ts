import { createMasters, type MasterNode, systemClock, systemRandom } from "@/lib/redis";
import { type Clock, RedlockEngine, type Settings } from "@/lib/redlock";
import { FaultLink } from "../fault/fault-link";
import { type RealRedlock, startRealRedlock } from "./real-redlock";
import { until } from "./until";

/** An engine that reaches its servers over links with faults in them. `world.redlock` is a rival that reaches them directly. */
export interface LinkedRedlock {
  readonly world: RealRedlock;
  readonly redlock: RedlockEngine;
  readonly masters: readonly MasterNode[];
  readonly links: readonly FaultLink[];
  stop(): Promise<void>;
}

/** As `startRealRedlock` with `size` servers; the settings are those of both engines. */
export async function startLinkedRedlock(size: number, settings: Partial<Settings> = {}): Promise<LinkedRedlock> {
  const world = await startRealRedlock({ up: size }, settings);
  const linked = await linkTo(world, settings);
  await until(() => linked.masters.every((master) => master.status().state === "up"), "all links to be up");
  return {
    world,
    ...linked,
    async stop() {
      await linked.close();
      await world.stop();
    },
  };
}

/** Another engine over links of its own. Its nodes need not be up yet: see to that. */
export async function linkTo(
  { servers, redlock: { settings: usual } }: RealRedlock,
  settings: Partial<Settings> = {},
  {
    clock = systemClock,
    prepare = () => {},
  }: { clock?: Clock; prepare?: (link: FaultLink, index: number) => void } = {},
): Promise<Omit<LinkedRedlock, "world" | "stop"> & { close(): Promise<void> }> {
  const links = await Promise.all(servers.map((server) => FaultLink.start(server.port)));
  for (const [index, link] of links.entries()) prepare(link, index);
  const all = { ...usual, ...settings };
  const urls = links.map((link, index) => `${link.url}#${"abcdefgh"[index]}`);
  const masters = createMasters(urls, { nodeTimeoutMs: all.nodeTimeoutMs, probeEveryMs: 100 });
  return {
    redlock: new RedlockEngine(masters, { clock, random: systemRandom, settings: all }),
    masters,
    links,
    async close() {
      await Promise.all(masters.map((master) => master.close()));
      for (const link of links) link.close();
    },
  };
}

/** Tries once and again until the lock is had, within 10 s. */
export async function takeWhenFree(engine: RedlockEngine, resource: string, ttlMs: number): Promise<void> {
  await engine.acquire([resource], ttlMs, { waitMs: 10_000, retryDelay: 10, retryJitter: 5 });
}
