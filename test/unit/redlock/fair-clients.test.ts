import { describe, expect, test } from "vitest";
import { engineOver, lockOf, makeRig, queuesOf } from "../../support/redlock-rig";
import { ScriptedNode } from "./scripted-node";

const TTL_MS = 10_000;
const FAIR = { fair: true, waitMs: 60_000 };

describe("splits between fair clients", () => {
  test.each([2, 3, 4, 5, 6])("end by themselves, whoever got which of %i nodes first", async (nodes) => {
    const rig = makeRig(nodes);
    const clients = [rig.join(), rig.join(), rig.join()];
    // Each is nearest to other nodes, and they ask at the same time.
    for (const [index, { links }] of clients.entries()) {
      for (const [node, link] of links.entries()) link.delay(node % clients.length === index ? 0 : 2);
    }
    const before = rig.clock.now();
    const locks = clients.map(async ({ engine }) => (await engine.acquire(["r"], TTL_MS, FAIR)).release());
    await rig.clock.until(Promise.all(locks));
    expect(rig.clock.now() - before).toBeLessThan(500);
  });
});

describe("the line of a process", () => {
  test("has one waiter in the queues at a time, and each its turn by when it came to the line", async () => {
    const rig = makeRig(5);
    const holder = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fair: true })));
    const [a, b] = [rig.join().engine, rig.join().engine];
    const order: string[] = [];
    const wait = async (name: string, engine = a): Promise<void> => {
      const lock = await engine.acquire(["r"], TTL_MS, FAIR);
      order.push(name);
      await new Promise<void>((resolve) => rig.clock.schedule(10, resolve));
      await lock.release();
    };
    const work: Promise<void>[] = [];
    for (const [name, engine] of [
      ["a1", a],
      ["a2", a],
      ["b1", b],
      ["a3", a],
      ["b2", b],
    ] as const) {
      work.push(wait(name, engine));
      await rig.clock.advance(5);
    }
    expect(queuesOf(rig)).toEqual([2, 2, 2, 2, 2]);
    await rig.clock.until(holder.release());
    await rig.clock.until(Promise.all(work));
    expect(order).toEqual(["a1", "a2", "b1", "a3", "b2"]);
  });
});

describe("what cannot be fair", () => {
  test("is refused before anything is sent: several resources", async () => {
    const { engine, links } = makeRig(3);
    await expect(engine.acquire(["a", "b"], TTL_MS, FAIR)).rejects.toThrow(/fair locks have one resource each, got 2/);
    expect(links.map((link) => link.sent.acquire)).toEqual([0, 0, 0]);
  });

  test("is refused before anything is sent: a node that keeps no queues", async () => {
    const nodes = ["a", "b", "c"].map((name) => new ScriptedNode(name, "grant"));
    const { engine } = engineOver(nodes);
    await expect(engine.tryAcquire(["r"], TTL_MS, FAIR)).rejects.toThrow(
      /fair locks need nodes that keep queues; a does/,
    );
    expect(nodes.flatMap(({ acquired }) => acquired)).toEqual([]);
  });

  test.each([1, "yes", null])("is refused: fair %j", async (fair) => {
    const { engine } = makeRig(3);
    await expect(engine.acquire(["r"], TTL_MS, { fair } as never)).rejects.toThrow(/fair must be true or false/);
  });

  test.each([0, 1.5, -1, Number.NaN])("is refused: handOverMs %d", async (handOverMs) => {
    const { engine } = makeRig(3);
    await expect(engine.acquire(["r"], TTL_MS, { fair: true, handOverMs })).rejects.toThrow(/handOverMs must be/);
  });
});
