import { describe, expect, test } from "vitest";
import type { CallSettings } from "@/lib/redlock";
import { lockOf, makeRig, present, queuesOf, type Rig } from "../../support/redlock-rig";

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

/** Takes the lock, and lets another client wait for it. */
async function holdAndWait(rig: Rig, settings: CallSettings = {}) {
  const holder = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fair: true })));
  const { engine, links } = rig.join();
  const waiting = engine.tryAcquire(["r"], TTL_MS, { ...FAIR, ...settings });
  await rig.clock.advance(100);
  return { holder, engine, links, waiting };
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

describe("a waiter for a fair lock", () => {
  test("that gives up leaves every queue", async () => {
    const rig = makeRig(5);
    const controller = new AbortController();
    const { holder, waiting } = await holdAndWait(rig, { signal: controller.signal });
    expect(queuesOf(rig)).toEqual([1, 1, 1, 1, 1]);
    controller.abort();
    expect(await rig.clock.until(waiting)).toMatchObject({ kind: "not_acquired", refusal: "aborted" });
    await rig.clock.advance(5);
    expect(queuesOf(rig)).toEqual([0, 0, 0, 0, 0]);
    await rig.clock.until(holder.release());
    expect(rig.values("r")).toEqual([null, null, null, null, null]);
  });

  test("that gives up in the middle of a hand-over passes the lock on", async () => {
    const rig = makeRig(5);
    const controller = new AbortController();
    const { holder, waiting } = await holdAndWait(rig, { signal: controller.signal });
    const next = rig.join().engine.acquire(["r"], TTL_MS, FAIR);
    await rig.clock.advance(10);
    const released = holder.release();
    await rig.clock.advance(0.7);
    controller.abort();
    expect(await rig.clock.until(waiting)).toMatchObject({ refusal: "aborted" });
    await rig.clock.until(released);
    const before = rig.clock.now();
    await rig.clock.until(next);
    expect(rig.clock.now() - before).toBeLessThan(10);
  });

  test("whose time is over leaves every queue", async () => {
    const rig = makeRig(5);
    const { waiting } = await holdAndWait(rig, { waitMs: 700 });
    expect(await rig.clock.until(waiting)).toMatchObject({ kind: "not_acquired", refusal: "deadline" });
    await rig.clock.advance(5);
    expect(queuesOf(rig)).toEqual([0, 0, 0, 0, 0]);
  });

  test("that tries once leaves no trace, and does not get before those who wait", async () => {
    const rig = makeRig(5);
    const { holder, waiting } = await holdAndWait(rig);
    const released = holder.release();
    const once = await rig.clock.until(rig.join().engine.tryAcquire(["r"], TTL_MS, { fair: true }));
    expect(once).toMatchObject({ kind: "not_acquired", attempts: 1 });
    await rig.clock.until(released);
    const lock = lockOf(await rig.clock.until(waiting));
    await rig.clock.advance(5);
    expect(queuesOf(rig)).toEqual([0, 0, 0, 0, 0]);
    expect(lock.remaining()).toBeGreaterThan(0);
  });

  test("gets it although no word of the hand-over arrives, a look later", async () => {
    const rig = makeRig(5);
    const { holder, links, waiting } = await holdAndWait(rig);
    for (const { handOver } of links) handOver.isMute = true;
    await rig.clock.until(holder.release());
    const before = rig.clock.now();
    lockOf(await rig.clock.until(waiting));
    expect(rig.clock.now() - before).toBeLessThan(1010);
  });

  test("gets it when a majority of the nodes tells, and when only some do", async () => {
    for (const mute of [0, 1, 2, 3, 4]) {
      const rig = makeRig(5);
      const { holder, links, waiting } = await holdAndWait(rig);
      for (const { handOver } of links.slice(0, mute)) handOver.isMute = true;
      await rig.clock.until(holder.release());
      const before = rig.clock.now();
      lockOf(await rig.clock.until(waiting));
      // A minority is heard of: then it is claimed after a moment, since the others may only be late.
      expect(rig.clock.now() - before).toBeLessThan(mute > 2 ? 60 : 5);
    }
  });

  test("asks again when the lock it waits for expires", async () => {
    const rig = makeRig(5);
    lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], 500)));
    const lock = await rig.clock.until(rig.join().engine.acquire(["r"], TTL_MS, FAIR));
    expect(lock.remaining()).toBeGreaterThan(0);
    expect(rig.clock.now()).toBeLessThan(520);
  });

  test("that died costs the next one the life of a key handed over, and a look", async () => {
    const rig = makeRig(5);
    const { holder, links } = await holdAndWait(rig);
    const next = rig.join().engine.acquire(["r"], TTL_MS, FAIR);
    await rig.clock.advance(10);
    for (const link of links) link.hold();
    const before = rig.clock.now();
    await rig.clock.until(holder.release());
    await rig.clock.until(next);
    expect(rig.clock.now() - before).toBeLessThan(200 + 1010);
  });

  test("that was not heard of for long is passed over", async () => {
    const rig = makeRig(5);
    const { holder, links } = await holdAndWait(rig);
    const next = rig.join().engine.acquire(["r"], TTL_MS, FAIR);
    for (const link of links) link.hold();
    for (let seconds = 0; seconds < 12; seconds += 4) {
      await rig.clock.advance(4000);
      await rig.clock.until(holder.extend(TTL_MS));
    }
    const before = rig.clock.now();
    await rig.clock.until(holder.release());
    await rig.clock.until(next);
    expect(rig.clock.now() - before).toBeLessThan(10);
  });

  test("has the lock on every node that still queues it, once its turn has come", async () => {
    const rig = makeRig(5);
    const { holder, waiting } = await holdAndWait(rig);
    rig.servers[4]?.hang();
    await rig.clock.until(holder.release());
    const lock = lockOf(await rig.clock.until(waiting));
    rig.servers[4]?.wake();
    await rig.clock.advance(10);
    await rig.clock.until(lock.release());
    await rig.clock.advance(10);
    expect(rig.values("r")).toEqual([null, null, null, null, null]);
    expect(queuesOf(rig)).toEqual([0, 0, 0, 0, 0]);
  });

  test("leaves nothing on a node that hung when it gave up", async () => {
    const rig = makeRig(5);
    // Somebody has all nodes but the first, which is granted to the waiter.
    for (const { store } of rig.servers.slice(1)) store.set("r", "somebody's", TTL_MS);
    const controller = new AbortController();
    const waiting = rig.engine.tryAcquire(["r"], TTL_MS, { ...FAIR, signal: controller.signal });
    await rig.clock.advance(10);
    expect(rig.values("r")[0]).not.toBeNull();
    rig.servers[0]?.hang();
    // Long enough for attempts that this node is not sent any more.
    await rig.clock.advance(4000);
    controller.abort();
    await rig.clock.until(waiting);
    rig.servers[0]?.wake();
    await rig.clock.advance(10);
    expect(rig.values("r")[0]).toBeNull();
    expect(queuesOf(rig)).toEqual([0, 0, 0, 0, 0]);
  });
});
