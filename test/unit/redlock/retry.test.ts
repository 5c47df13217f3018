import { describe, expect, test } from "vitest";
import { lockOf, makeRig } from "../../support/redlock-rig";

describe("acquire with retries", () => {
  test("gets the lock after the holder has released it", async () => {
    const { engine, clock, join } = makeRig(5);
    const held = lockOf(await clock.until(join().engine.tryAcquire(["r"], 10_000)));
    const waiting = engine.acquire(["r"], 10_000);
    await clock.advance(1000);
    await clock.until(held.release());
    expect((await clock.until(waiting)).remaining()).toBeGreaterThan(9000);
  });

  test("validity is measured from the start of the winning attempt, not of the first", async () => {
    const { engine, clock, join } = makeRig(5);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 3000)));
    const lock = await clock.until(engine.acquire(["r"], 1000, { retryCount: -1 }));
    expect(clock.now()).toBeGreaterThan(2900);
    expect(lock.remaining()).toBe(1000 - 12 - 1);
  });

  test("a token is never used for two attempts", async () => {
    const { engine, clock, join, links } = makeRig(3);
    const tokens = new Set<string>();
    let asked = 0;
    for (const link of links.slice(0, 1)) {
      const send = link.acquire.bind(link);
      link.acquire = (request) => {
        asked += 1;
        tokens.add(request.token);
        return send(request);
      };
    }
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 10_000)));
    await clock.until(engine.tryAcquire(["r"], 1000, { retryCount: 5 }));
    expect(asked).toBe(6);
    expect(tokens.size).toBe(6);
  });

  test.each([
    [0, 1],
    [1, 2],
    [4, 5],
  ])("retryCount %i means %i attempts", async (retryCount, attempts) => {
    const { engine, clock, join } = makeRig(3);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    expect(await clock.until(engine.tryAcquire(["r"], 1000, { retryCount }))).toMatchObject({ attempts });
  });

  test("keeps no partial votes over the waiting time: two that split the nodes do not block a third", async () => {
    const { engine, clock, servers, values } = makeRig(4);
    for (const server of servers.slice(0, 2)) server.store.set("r", "x", 300);
    const waiting = engine.tryAcquire(["r"], 10_000, { retryCount: 1, retryDelay: 400, retryJitter: 0 });
    await clock.advance(100);
    expect(values("r").slice(2)).toEqual([null, null]);
    lockOf(await clock.until(waiting));
  });

  test.each([2, 4, 6])(
    "contenders of an even split of %i nodes do not keep each other out for ever",
    async (membership) => {
      const { engine, clock, links, join } = makeRig(membership);
      const other = join();
      // Each is nearer to its half of the nodes.
      for (const [index, link] of links.entries()) link.delay(index < membership / 2 ? 0 : 3);
      for (const [index, link] of other.links.entries()) link.delay(index < membership / 2 ? 3 : 0);
      const winners = await clock.until(
        Promise.race([engine.acquire(["r"], 10_000), other.engine.acquire(["r"], 10_000)]),
      );
      expect(winners.remaining()).toBeGreaterThan(0);
      expect(clock.now()).toBeLessThan(2000);
    },
  );
});

describe("every wait has an end", () => {
  test("a deadline ends the waiting, with a last try that still fits in", async () => {
    const { engine, clock, join } = makeRig(5);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const startedAt = clock.now();
    const outcome = await clock.until(engine.tryAcquire(["r"], 10_000, { waitMs: 1000 }));
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "deadline" });
    expect(clock.now() - startedAt).toBeGreaterThan(900);
    expect(clock.now() - startedAt).toBeLessThanOrEqual(1000);
  });

  test("a deadline shorter than the retry delay still gets a second try", async () => {
    const { engine, clock, join } = makeRig(5);
    const held = lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const waiting = engine.tryAcquire(["r"], 10_000, { waitMs: 150, retryDelay: 10_000, retryJitter: 0 });
    await clock.advance(20);
    await clock.until(held.release());
    lockOf(await clock.until(waiting));
  });

  test("says locked, not merely late, when the deadline passed because others held it", async () => {
    const { engine, clock, join } = makeRig(5);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const failed = engine.acquire(["r"], 10_000, { waitMs: 500 }).catch((reason: unknown) => reason);
    expect(await clock.until(failed)).toMatchObject({ name: "ResourceLockedError", outcome: { refusal: "deadline" } });
  });

  test("an abort ends the waiting at once", async () => {
    const { engine, clock, join } = makeRig(5);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const controller = new AbortController();
    const waiting = engine.tryAcquire(["r"], 10_000, { retryCount: -1, signal: controller.signal });
    await clock.advance(10_000);
    const abortedAt = clock.now();
    controller.abort();
    expect(await clock.until(waiting)).toMatchObject({ kind: "not_acquired", refusal: "aborted" });
    expect(clock.now()).toBe(abortedAt);
  });

  test("an abort in the middle of an attempt releases what was granted", async () => {
    const { engine, clock, values } = makeRig(5);
    const controller = new AbortController();
    const waiting = engine.acquire(["r"], 60_000, { signal: controller.signal });
    await clock.advance(0.7);
    controller.abort(new Error("enough"));
    await expect(clock.until(waiting)).rejects.toMatchObject({
      name: "ExecutionError",
      outcome: { refusal: "aborted" },
      cause: { message: "enough" },
    });
    await clock.advance(10);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });

  test("a signal that has fired already asks no node", async () => {
    const { engine, clock, links } = makeRig(5);
    const outcome = await clock.until(engine.tryAcquire(["r"], 1000, { signal: AbortSignal.abort() }));
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "aborted", attempts: 0, ballots: [] });
    expect(await outcome.settled()).toEqual([]);
    expect(links.map((link) => link.sent.acquire)).toEqual([0, 0, 0, 0, 0]);
  });

  test("a dead cluster is reported after the retries, with every node's answer", async () => {
    const { engine, clock, servers } = makeRig(3);
    for (const server of servers) server.stop();
    const error = await clock.until(engine.acquire(["r"], 1000).catch((reason: unknown) => reason));
    expect(error).toMatchObject({ name: "ExecutionError", outcome: { attempts: 11, refusal: "quorum_unreachable" } });
  });
});

describe("waiters of one process", () => {
  test("one of them tries at a time, the others stand in line", async () => {
    const { engine, clock, join, links } = makeRig(3);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const waiting = Array.from({ length: 20 }, () =>
      engine.tryAcquire(["r"], 1000, { retryCount: -1, waitMs: 5000, retryJitter: 50 }),
    );
    await clock.advance(4000);
    // One at a time would be at most 4000 / 150; all twenty would be hundreds.
    expect(links[0]?.sent.acquire).toBeLessThan(30);
    const outcomes = await clock.until(Promise.all(waiting));
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["not_acquired"]));
  });

  test("are served first come, first served, each as soon as the one before releases", async () => {
    const { engine, clock, join } = makeRig(3);
    const held = lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const order: number[] = [];
    const waiting = Array.from({ length: 10 }, async (_, index) => {
      const lock = await engine.acquire(["r"], 10_000, { retryCount: -1 });
      order.push(index);
      await lock.release();
    });
    await clock.advance(1000);
    await clock.until(held.release());
    const startedAt = clock.now();
    await clock.until(Promise.all(waiting));
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // The first polls, each of the others is woken: one round trip for the release and one for the acquire.
    expect(clock.now() - startedAt).toBeLessThan(400 + 10 * 4);
  });

  test("nobody is refused without a try of its own, however long the line", async () => {
    const { engine, clock, join } = makeRig(3);
    lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const first = engine.tryAcquire(["r"], 1000, { retryCount: -1, waitMs: 60_000 });
    const behind = await clock.until(engine.tryAcquire(["r"], 1000, { retryCount: 2 }));
    expect(behind).toMatchObject({ kind: "not_acquired", refusal: "held_by_other", attempts: 3 });
    expect((await clock.until(behind.settled())).map(({ vote }) => vote.kind)).toEqual([
      "refused",
      "refused",
      "refused",
    ]);
    await clock.until(first);
  });

  test("one that gives up leaves the line to the next", async () => {
    const { engine, clock, join } = makeRig(3);
    const held = lockOf(await clock.until(join().engine.tryAcquire(["r"], 60_000)));
    const controller = new AbortController();
    const first = engine.tryAcquire(["r"], 1000, { retryCount: -1, signal: controller.signal });
    const second = engine.acquire(["r"], 1000, { retryCount: -1 });
    await clock.advance(1000);
    controller.abort();
    await clock.until(first);
    await clock.until(held.release());
    expect((await clock.until(second)).remaining()).toBeGreaterThan(0);
  });
});
