import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { until } from "../support/until";

describe("with two of five nodes up, three killed", () => {
  let world: RealRedlock;
  beforeAll(async () => {
    world = await startRealRedlock({ up: 2, down: 3 });
  });
  afterAll(() => world.stop());

  test("an acquire is refused at once for want of a quorum, and leaves no key", async () => {
    const startedAt = performance.now();
    const outcome = await world.redlock.tryAcquire(["r"], 10_000);
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    expect(outcome.ballots.filter(({ vote }) => vote.kind === "unreachable")).toHaveLength(3);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    await world.untilFree("r");
  });

  test("an acquire that may wait ends at its deadline, leaving no key", async () => {
    const outcome = await world.redlock.tryAcquire(["r"], 10_000, { waitMs: 1500 });
    expect(outcome.kind).toBe("not_acquired");
    expect(outcome.attempts).toBeGreaterThan(1);
    await world.untilFree("r");
  });
});

describe("when a majority is lost while a lock is held", () => {
  let world: RealRedlock;
  beforeAll(async () => {
    world = await startRealRedlock({ up: 5 });
  });
  afterAll(() => world.stop());

  test("an extension does not know, a release neither, and using ends by its signal before the validity does", async () => {
    const lock = await world.redlock.acquire(["r"], 30_000);
    let abortedWith = Number.NaN;
    const used = world.redlock.using(["used"], 1500, async (signal, context) => {
      await Promise.all(world.servers.slice(2).map((server) => server.kill()));
      await until(() => signal.aborted, "the signal", 5000);
      abortedWith = context.lock.remaining();
    });
    await used;
    expect(abortedWith).toBe(0);
    expect((await world.redlock.tryExtend(lock, 30_000)).kind).toBe("unknown");
    expect(lock.remaining()).toBeGreaterThan(0);
    expect((await lock.release()).kind).toBe("unknown");
    await world.untilFree("r");
  });
});
