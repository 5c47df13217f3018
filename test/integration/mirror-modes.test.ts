// Where a node does not tell its changes, the mirror asks at intervals and says why.

import { afterEach, describe, expect, test } from "vitest";
import { type MeddlingProxy, startMeddlingProxy } from "../support/meddling-proxy";
import { commandCounts, MirrorWorld, type MirrorWorldOptions } from "../support/mirror-world";
import { until } from "../support/until";

let world: MirrorWorld;
const proxies: MeddlingProxy[] = [];
afterEach(async () => {
  await world.stop();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

async function started(options: MirrorWorldOptions = {}): Promise<MirrorWorld> {
  world = await MirrorWorld.start(options);
  return world;
}

describe("a user without permission for CLIENT TRACKING", () => {
  test("makes the mirror ask at intervals, with the reason and the next step", async () => {
    const words = ["on", ">secret", "~*", "&*", "+@all", "-client|tracking"];
    await started({
      nodes: 2,
      async urls(servers) {
        await Promise.all(servers.map(({ client }) => client.call("ACL", "SETUSER", "watcher", ...words)));
        return servers.map(({ port }) => `redis://watcher:secret@127.0.0.1:${port}`);
      },
    });
    await world.lock("orders:1");
    await world.inventory.start();
    world.inventory.subscribe(() => undefined);
    await until(() => world.inventory.scan().complete === 2, "the nodes to be read");
    const { nodes } = world.inventory.scan();
    expect(nodes.map(({ mode }) => mode)).toEqual(["polling", "polling"]);
    expect(nodes[0]?.modeReason).toMatch(/^CLIENT TRACKING is refused: NOPERM .*Allow it with \+client\|id/);
    await world.lock("orders:2");
    await world.untilEqual("the lock to be seen all the same");
    expect(world.modes()).toEqual(["polling", "polling"]);
  });
});

test("patterns with a beginning of their own are followed by it, and other keys cost nothing", async () => {
  await started({ patterns: ["orders:*", "jobs:[ab]?", "orders:eu:*"], nodes: 2 });
  await world.inventory.start();
  await world.untilTracking();
  await world.lock("orders:eu:1");
  await world.lock("jobs:a1");
  await world.lock("jobs:c1");
  await until(async () => (await world.locks()).length === 2, "the two locks");
  expect((await world.locks()).map(({ resource }) => resource)).toEqual(["jobs:a1", "orders:eu:1"]);
  const { client } = world.server(0);
  await client.config("RESETSTAT");
  await Promise.all(Array.from({ length: 200 }, (_, index) => client.set(`session:${index}`, "x")));
  await world.lock("orders:2");
  await until(async () => (await world.verdict("orders:2")) === "held", "the lock after them");
  expect((await commandCounts(client)).get("evalsha")).toBeLessThan(10);
});

test("a burst of more keys than can wait ends in one reading of everything", { timeout: 120_000 }, async () => {
  await started({ nodes: 1 });
  await world.inventory.start();
  await world.untilTracking();
  await world.fill(21_000);
  await until(() => world.told === 21_000 && world.inventory.scan().complete === 1, "all to be told", 100_000);
  await world.untilEqual("21,000 new locks to be told");
});

test("databases that were exchanged are read again", async () => {
  await started({ nodes: 1 });
  const { client } = world.server(0);
  await world.lock("orders:1");
  await world.inventory.start();
  await world.untilTracking();
  const startedAt = performance.now();
  await until(() => performance.now() - startedAt > 1500, "the count of exchanges to be known");
  await client.swapdb(0, 1);
  await world.untilEqual("the other database to be seen");
  expect(await world.locks()).toEqual([]);
});

test("a change that was not told of is found by the slow reading, and the node is not believed to tell any more", async () => {
  await started({
    nodes: 1,
    verifyEveryMs: 1200,
    async urls([server]) {
      const proxy = await startMeddlingProxy(server?.port ?? 0);
      proxies.push(proxy);
      return [proxy.url];
    },
  });
  await world.lock("orders:1");
  await world.inventory.start();
  await world.untilTracking();
  proxies[0]?.swallow(/\*3\r\n\$7\r\nmessage\r\n\$20\r\n__redis__:invalidate\r\n\*1\r\n\$\d+\r\n[^\r]*\r\n/g);
  await world.lock("orders:2");
  await until(() => world.modes()[0] === "polling", "the mirror to notice");
  expect(world.inventory.scan().nodes[0]?.modeReason).toMatch(/^1 changes? w.* not told of/);
  await world.untilEqual("the change to be told");
});

test("fifty listeners cost the nodes what one does", async () => {
  await started({ nodes: 2 });
  await world.fill(200);
  await world.inventory.start();
  await world.untilTracking();
  const asked = async () => {
    const { client } = world.server(0);
    await client.config("RESETSTAT");
    for (let round = 0; round < 40; round += 1) {
      await world.lock(`orders:${round % 10}`);
      const startedAt = performance.now();
      await until(() => performance.now() - startedAt > 50, "a moment to pass");
    }
    const counts = await commandCounts(client);
    return (counts.get("evalsha") ?? 0) + (counts.get("ping") ?? 0) + (counts.get("scan") ?? 0);
  };
  world.listen();
  const one = await asked();
  for (let listener = 1; listener < 50; listener += 1) world.listen();
  const fifty = await asked();
  console.info(`commands of the mirror at one node for 40 changes: ${one} with 1 listener, ${fifty} with 50`);
  expect(fifty).toBeLessThan(one * 1.3);
});
