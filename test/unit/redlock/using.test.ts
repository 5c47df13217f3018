import { describe, expect, test, vi } from "vitest";
import { LockLostError, type RedlockEngine, type VirtualClock } from "@/lib/redlock";
import { lockOf, makeRig } from "../../support/redlock-rig";

function pause(clock: VirtualClock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(ms, resolve));
}

/** Work that goes on until it is told to stop. */
function workUntilAborted(engine: RedlockEngine, clock: VirtualClock, ttlMs: number) {
  return engine.using(["r"], ttlMs, async (signal) => {
    while (!signal.aborted) await pause(clock, 5);
    throw signal.error;
  });
}

describe("using", () => {
  test("holds the lock as long as the routine runs, returns its result and releases", async () => {
    const { engine, clock, values, join } = makeRig(5);
    const result = engine.using(["r"], 1000, async (signal, context) => {
      await pause(clock, 10_000);
      expect(signal.aborted).toBe(false);
      context.lock.check();
      const other = await join().engine.tryAcquire(["r"], 1000);
      expect(other.kind).toBe("not_acquired");
      return context.extensions;
    });
    expect(await clock.until(result)).toBeGreaterThan(10);
    await clock.advance(5);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });

  test("takes settings between duration and routine, as node-redlock does", async () => {
    const { engine, clock, join } = makeRig(3);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const failed = engine.using(["r"], 1000, { retryCount: 0 }, async () => "never").catch((error: unknown) => error);
    expect(await clock.until(failed)).toMatchObject({ name: "ResourceLockedError", outcome: { attempts: 1 } });
  });

  test("rejects with the routine's error, after the release", async () => {
    const { engine, clock, values } = makeRig(3);
    const failed = engine.using(["r"], 60_000, async () => {
      throw new Error("mine");
    });
    await expect(clock.until(failed)).rejects.toThrow("mine");
    await clock.advance(5);
    expect(values("r")).toEqual([null, null, null]);
  });

  test("keeps the routine's result when the release reaches no node", async () => {
    const { engine, clock, servers } = makeRig(3);
    const result = engine.using(["r"], 60_000, async () => {
      for (const server of servers) server.stop();
      return "result";
    });
    expect(await clock.until(result)).toBe("result");
  });

  test("refuses a routine that is none", async () => {
    const { engine } = makeRig(3);
    await expect(engine.using(["r"], 1000, {}, undefined as never)).rejects.toThrow("routine must be a function");
  });

  test.each([
    [10, 350],
    [50, 100],
    [500, 20],
    [1000, 10],
  ])(
    "a ttl of %i ms is extended at a bounded rate (at most %i times a second), threshold or not",
    async (ttlMs, most) => {
      for (const automaticExtensionThreshold of [0, 500, 5000]) {
        const { engine, clock, links } = makeRig(3, { automaticExtensionThreshold });
        for (const link of links) link.delay(-0.4);
        await clock.until(engine.using(["r"], ttlMs, () => pause(clock, 1000)));
        expect(links[0]?.sent.extend).toBeLessThanOrEqual(most);
        expect(links[0]?.sent.extend).toBeGreaterThan(0);
      }
    },
  );

  test("a failed extension is tried again within the validity, at a bounded rate", async () => {
    const { engine, clock, servers, links } = makeRig(5);
    const work = workUntilAborted(engine, clock, 2000).catch((error: unknown) => error);
    await clock.advance(100);
    for (const server of servers.slice(0, 3)) server.stop();
    await clock.advance(1500);
    for (const server of servers.slice(0, 3)) server.start();
    await clock.advance(5000);
    // Still held: it survived 1.5 s without a majority.
    for (const server of servers) server.stop();
    const before = links[0]?.sent.extend ?? 0;
    expect(await clock.until(work)).toBeInstanceOf(LockLostError);
    expect((links[0]?.sent.extend ?? 0) - before).toBeLessThan(60);
  });
});

describe("the loss of a lock in use", () => {
  test("a black-holed holder is aborted before anybody else can get in", async () => {
    const { engine, clock, links, join } = makeRig(5);
    let abortedAt = 0;
    const work = engine.using(["r"], 2000, async (signal) => {
      signal.addEventListener("abort", () => {
        abortedAt = clock.now();
      });
      await pause(clock, 3000);
    });
    await clock.advance(10);
    for (const link of links) link.hold();
    const other = join().engine.acquire(["r"], 1000, { retryCount: -1, retryDelay: 10, retryJitter: 0 });
    await clock.until(other);
    const takenAt = clock.now();
    await clock.until(work);
    expect(abortedAt).toBeGreaterThan(0);
    expect(abortedAt).toBeLessThanOrEqual(takenAt);
  });

  test("a deleted lock aborts the routine at the next extension, long before its ttl is over", async () => {
    const { engine, clock, servers } = makeRig(3);
    const work = workUntilAborted(engine, clock, 30_000).catch((error: unknown) => error);
    await clock.advance(100);
    for (const server of servers) server.store.clear();
    expect(await clock.until(work)).toMatchObject({ name: "LockLostError", outcome: { kind: "lost" } });
    expect(clock.now()).toBeLessThan(21_000);
  });

  test("a routine that ignores it settles as it likes, like in node-redlock", async () => {
    const { engine, clock, servers } = makeRig(3);
    const result = engine.using(["r"], 1000, async (signal, { lock }) => {
      for (const server of servers) server.store.clear();
      await pause(clock, 5000);
      expect(signal.aborted).toBe(true);
      expect(() => lock.check()).toThrow(LockLostError);
      return "done anyway";
    });
    expect(await clock.until(result)).toBe("done anyway");
  });

  test("after a stall of the event loop the signal is aborted before the routine's next line", async () => {
    const { engine, clock } = makeRig(3);
    const seen = engine.using(["r"], 1000, async (signal) => {
      await pause(clock, 100);
      clock.stall(3000);
      return signal.aborted;
    });
    expect(await clock.until(seen)).toBe(true);
  });

  test("after it the release is one bounded pass", async () => {
    const { engine, clock, servers } = makeRig(3);
    const work = workUntilAborted(engine, clock, 1000).catch(() => clock.now());
    await clock.advance(10);
    for (const server of servers) server.hang();
    await clock.until(work);
    expect(clock.now()).toBeLessThan(1100);
  });
});

describe("keepAlive", () => {
  test("holds a lock until it is released, and no extension follows", async () => {
    const { engine, clock, values, links } = makeRig(3);
    const onLost = vi.fn();
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
    engine.keepAlive(lock, 1000, { onLost });
    await clock.advance(10_000);
    lock.check();
    await clock.until(lock.release());
    const sent = links[0]?.sent.extend;
    await clock.advance(10_000);
    expect(links[0]?.sent.extend).toBe(sent);
    expect(values("r")).toEqual([null, null, null]);
    expect(onLost).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });

  test("tells once when the lock is lost", async () => {
    const { engine, clock, servers } = makeRig(3);
    const onLost = vi.fn();
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
    engine.keepAlive(lock, 1000, { onLost });
    await clock.advance(5000);
    for (const server of servers) server.hang();
    await clock.advance(5000);
    expect(onLost).toHaveBeenCalledOnce();
    expect(onLost.mock.calls[0]?.[0]).toBeInstanceOf(LockLostError);
  });

  test("stops when it is told to: the lock lives out its validity", async () => {
    const { engine, clock } = makeRig(3);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
    const alive = engine.keepAlive(lock, 1000);
    await clock.advance(3000);
    alive.stop();
    lock.check();
    await clock.advance(1000);
    expect(lock.remaining()).toBe(0);
  });

  test("ends at the longest time a lock may be held", async () => {
    const { engine, clock } = makeRig(3, { maxHoldMs: 5000 });
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
    engine.keepAlive(lock, 1000);
    await clock.advance(3900);
    lock.check();
    await clock.advance(1200);
    expect(lock.remaining()).toBe(0);
    expect(lock.signal.aborted).toBe(true);
  });

  test.each([0.2, 0.7, 1.3, 1.8])("a release that races an extension (%d ms in) leaves no key anywhere", async (ms) => {
    const { engine, clock, servers, values } = makeRig(3);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
    engine.keepAlive(lock, 1000);
    servers[0]?.store.clear();
    // The first extension starts when half of the ttl is left.
    await clock.advance(lock.remaining() - 500 + ms);
    await clock.until(lock.release());
    await clock.advance(50);
    expect(values("r")).toEqual([null, null, null]);
  });
});
