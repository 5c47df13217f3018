// Whatever happens to a node or to the connection that tells its changes, during a reading and after it: once it is over the
// mirror equals a plain reading of the nodes again, within two seconds.

import { afterEach, describe, expect, test } from "vitest";
import { Link } from "@/lib/cluster";
import { MirrorWorld } from "../support/mirror-world";
import { freePort } from "../support/redis-server";
import { measureStalls } from "../support/stalls";
import { until } from "../support/until";

/** Locks on every node: so many that reading them takes several steps. */
const LOCKS = 400;
/** After the end of the fault, milliseconds, on a machine that has time for it. */
const HEALED_WITHIN_MS = 2000;
/** Every wait passes through this process and through a server: a busy machine keeps both waiting. */
const STALLED_TWICE = 2;

let world: MirrorWorld;
const links: Link[] = [];
afterEach(async () => {
  for (const server of world.servers) server.resume();
  await world.stop();
  for (const link of links.splice(0)) link.close();
});

interface Fault {
  readonly name: string;
  /** Does it to the first node. */
  begin(): Promise<unknown> | unknown;
  /** Ends it; by itself it has ended when there is none. */
  heal?(): Promise<unknown> | unknown;
  /** Changes cannot reach the node meanwhile. */
  readonly isDown?: boolean;
}

const first = () => world.server(0);

const FAULTS: readonly Fault[] = [
  { name: "paused", begin: () => first().pause(), heal: () => first().resume(), isDown: true },
  { name: "killed, and restarted empty", begin: () => first().kill(), heal: () => first().restart(), isDown: true },
  { name: "restarted empty at once", begin: () => first().restart() },
  { name: "flushed", begin: () => first().client.flushall() },
  { name: "on a slow link", begin: () => links[0]?.setMode("slow"), heal: () => links[0]?.setMode("open") },
  { name: "cut off", begin: () => links[0]?.setMode("partitioned"), heal: () => links[0]?.setMode("open") },
  { name: "without its tracking connection", begin: () => killTracking() },
];

/** Ends the connections that a server tells changes on. */
async function killTracking(): Promise<void> {
  const { client } = first();
  for (const [, id = ""] of String(await client.client("LIST")).matchAll(/^id=(\d+) .*flags=\S*t/gm)) {
    await client.client("KILL", "ID", id);
  }
}

async function start(): Promise<void> {
  world = await MirrorWorld.start({
    nodeTimeoutMs: 1500,
    urls: (servers) =>
      Promise.all(
        servers.map(async ({ port }) => {
          const link = new Link(await freePort(), port);
          await link.listen();
          links.push(link);
          return `redis://127.0.0.1:${link.port}`;
        }),
      ),
  });
  await world.fill(LOCKS);
  await world.lock("kept:1");
  await world.lock("short:1", { ttlMs: 4000 });
}

/** Changes every node in each way, the first one only if it can be reached. */
async function change({ isDown = false }: Fault): Promise<void> {
  const servers = world.servers.slice(isDown ? 1 : 0);
  await Promise.all(
    servers.map(async ({ client }) => {
      await client.set("new:1", "0123456789abcdef0123456789abcdef", "PX", 60_000);
      await client.del("fill:0");
      await client.pexpire("fill:1", 60_000);
      await client.set("fill:2", "fedcba9876543210fedcba9876543210", "PX", 60_000);
    }),
  );
}

/** Waits for the mirror to equal the nodes, which must not take long. */
async function healed(what: string): Promise<void> {
  const stopMeasuring = measureStalls();
  const ms = await world.untilEqual("the mirror to equal the nodes");
  const stalledMs = stopMeasuring();
  console.info(
    `${what}: equal after ${Math.round(ms)} ms, of which this process was kept waiting for ${Math.round(stalledMs)}`,
  );
  expect(ms - STALLED_TWICE * stalledMs).toBeLessThan(HEALED_WITHIN_MS);
}

describe.each(FAULTS)("a node $name", (fault) => {
  test("during the first reading", { timeout: 90_000 }, async () => {
    await start();
    const starting = world.inventory.start();
    await until(() => (world.inventory.scan().nodes[0]?.keys ?? 0) > 0, "the reading to be under way");
    await fault.begin();
    await change(fault);
    await starting;
    await fault.heal?.();
    await healed(`${fault.name}, during the first reading`);
  });

  test("after it", { timeout: 90_000 }, async () => {
    await start();
    await world.inventory.start();
    await world.untilTracking();
    await fault.begin();
    await change(fault);
    if (fault.isDown) await until(() => world.inventory.scan().complete < 3, "the node not to be believed");
    await fault.heal?.();
    await healed(`${fault.name}, after the first reading`);
    await world.untilTracking();
    await change({ ...fault, isDown: false });
    await world.untilEqual("changes to be followed again");
    await world.untilTracking();
  });
});
