import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { lockOf, makeRig } from "../../support/redlock-rig";

async function held(ttlMs: number) {
  const rig = makeRig(3);
  const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], ttlMs)));
  return { ...rig, lock };
}

describe("the handle of a lock", () => {
  test("counts its validity down to 0 and never below", async () => {
    const { clock, lock } = await held(1000);
    expect(lock.remaining()).toBe(1000 - 12 - 1);
    await clock.advance(500);
    expect(lock.remaining()).toBe(487);
    await clock.advance(5000);
    expect(lock.remaining()).toBe(0);
  });

  test("shows its token to who asks, but not to logs or JSON", async () => {
    const { lock } = await held(1000);
    expect(lock.value).toBe(lock.token);
    expect(JSON.stringify(lock)).not.toContain(lock.token);
    expect(inspect(lock, { depth: 5, showHidden: true })).not.toContain(lock.token);
  });

  test("check passes while it holds and throws once it has ended", async () => {
    const { clock, lock } = await held(1000);
    lock.check();
    await clock.advance(1000);
    expect(() => lock.check()).toThrow("the validity of r has ended");
  });

  test("check throws after a release, and the signal stays quiet: nothing was lost", async () => {
    const { clock, lock } = await held(1000);
    const onAbort = vi.fn();
    lock.signal.addEventListener("abort", onAbort);
    await clock.until(lock.release());
    expect(() => lock.check()).toThrow("r has been released");
    expect(lock.remaining()).toBe(0);
    await clock.advance(5000);
    expect(onAbort).not.toHaveBeenCalled();
    expect(lock.signal.aborted).toBe(false);
  });
});

describe("the signal of a lock", () => {
  test("aborts at the end of the validity by a timer of its own, whatever the nodes do", async () => {
    const { clock, lock, servers } = await held(1000);
    const onAbort = vi.fn();
    lock.signal.addEventListener("abort", onAbort);
    for (const server of servers) server.hang();
    await clock.advance(986);
    expect(onAbort).not.toHaveBeenCalled();
    await clock.advance(2);
    expect(onAbort).toHaveBeenCalledOnce();
    expect(lock.signal.error).toMatchObject({ name: "LockLostError" });
  });

  test("moves with an extension", async () => {
    const { clock, lock } = await held(1000);
    const { signal } = lock;
    await clock.advance(500);
    await clock.until(lock.extend(1000));
    await clock.advance(600);
    expect(signal.aborted).toBe(false);
    await clock.advance(400);
    expect(signal.aborted).toBe(true);
  });

  test("is aborted for the next line that looks, also when the event loop stalled past the end and no timer has run", async () => {
    const { clock, lock } = await held(1000);
    const { signal } = lock;
    clock.stall(5000);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: "LockLostError" });
    expect(() => signal.throwIfAborted()).toThrow("the validity of r has ended");
  });

  test("tells listeners when the end is noticed by looking, before the timer", async () => {
    const { clock, lock } = await held(1000);
    const onAbort = vi.fn();
    lock.signal.addEventListener("abort", onAbort);
    clock.stall(5000);
    expect(lock.remaining()).toBe(0);
    expect(onAbort).toHaveBeenCalledOnce();
  });

  test("that is first asked for after the end is aborted already", async () => {
    const { clock, lock } = await held(1000);
    await clock.advance(2000);
    expect(lock.signal.aborted).toBe(true);
  });

  test("aborts when an extension learns that the majority has gone", async () => {
    const { clock, engine, lock, servers } = await held(60_000);
    for (const server of servers.slice(0, 2)) server.store.clear();
    await clock.until(engine.tryExtend(lock, 60_000));
    expect(lock.signal.aborted).toBe(true);
    expect(String(lock.signal.error)).toContain("lost r");
  });

  test("works with what takes an AbortSignal", async () => {
    const { clock, lock } = await held(1000);
    const either = AbortSignal.any([lock.signal]);
    await clock.advance(1000);
    expect(either.aborted).toBe(true);
  });

  test("costs no timer when nobody asks for it", async () => {
    const { clock, lock } = await held(1000);
    await clock.advance(100);
    expect(clock.pending).toBe(0);
    expect(lock.remaining()).toBeGreaterThan(0);
  });
});
