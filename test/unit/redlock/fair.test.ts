import { describe, expect, test } from "vitest";
import { lockOf, makeRig, present, type Rig } from "../../support/redlock-rig";

const TTL_MS = 10_000;
const FAIR = { fair: true, waitMs: 60_000 };

/** Clients that each come so much later than the one before, hold the lock for a while, and note their number when they get it. */
async function serve(rig: Rig, count: number, { everyMs, holdMs }: { everyMs: number; holdMs: number }) {
  const order: number[] = [];
  const work = Array.from({ length: count }, async (_, index) => {
    const { engine } = rig.join();
    await new Promise<void>((resolve) => rig.clock.schedule(1 + index * everyMs, resolve));
    const lock = await engine.acquire(["r"], TTL_MS, FAIR);
    order.push(index);
    await new Promise<void>((resolve) => rig.clock.schedule(holdMs, resolve));
    await lock.release();
  });
  const startedAt = rig.clock.now();
  await rig.clock.until(Promise.all(work));
  return { order, tookMs: rig.clock.now() - startedAt };
}

describe("a fair lock", () => {
  test.each([1, 3, 4, 5])("serves independent clients in the order in which they came, on %i nodes", async (nodes) => {
    const { order } = await serve(makeRig(nodes), 20, { everyMs: 2, holdMs: 15 });
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test("costs a waiter a few round trips and no pause of a retry", async () => {
    const { tookMs } = await serve(makeRig(5), 20, { everyMs: 2, holdMs: 15 });
    expect(tookMs).toBeLessThan(20 * (15 + 5));
  });

  test("asks each node twice per waiter: once for a place, once to take over", async () => {
    const rig = makeRig(5);
    const holder = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fair: true })));
    const { engine, links } = rig.join();
    const waiting = engine.acquire(["r"], TTL_MS, FAIR);
    await rig.clock.advance(100);
    expect(links.map((link) => link.sent.acquire)).toEqual([1, 1, 1, 1, 1]);
    await rig.clock.until(holder.release());
    await rig.clock.until(waiting);
    expect(links.map((link) => link.sent.acquire)).toEqual([2, 2, 2, 2, 2]);
  });

  test("counts its validity from the acquire behind the hand-over, and has a token of its own", async () => {
    const rig = makeRig(5);
    const holder = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fair: true })));
    const { engine } = rig.join({ clockErrorMs: 0 });
    const waiting = engine.acquire(["r"], TTL_MS, FAIR);
    await rig.clock.advance(500);
    const handed = new Set<string | null>();
    await rig.clock.until(holder.release());
    for (const value of rig.values("r")) handed.add(value);
    const lock = await rig.clock.until(waiting);
    expect(lock.remaining()).toBeGreaterThan(TTL_MS * 0.99 - 2 - 2);
    expect(handed.has(lock.token)).toBe(false);
    await rig.clock.advance(5);
    expect(rig.values("r")).toEqual(Array(5).fill(lock.token));
    expect(rig.remaining("r").every((ms) => present(ms) > TTL_MS - 20)).toBe(true);
  });

  test("never lets a client in between that does not queue", async () => {
    const rig = makeRig(5);
    const holder = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fair: true })));
    const waiting = rig.join().engine.acquire(["r"], TTL_MS, FAIR);
    await rig.clock.advance(10);
    const released = holder.release();
    const plain = rig.join().engine;
    for (let tries = 0; tries < 20; tries += 1) {
      const outcome = await rig.clock.until(plain.tryAcquire(["r"], TTL_MS));
      expect(outcome.kind).toBe("not_acquired");
    }
    await rig.clock.until(released);
    expect((await rig.clock.until(waiting)).remaining()).toBeGreaterThan(0);
  });
});
