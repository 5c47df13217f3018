import { describe, expect, test } from "vitest";
import { fingerprint } from "../../support/lock-node-harness";
import { lockOf, makeRig, present } from "../../support/redlock-rig";

describe("one attempt", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])("wins a free resource on %i nodes with one token everywhere", async (membership) => {
    const { engine, clock, values } = makeRig(membership);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 10_000)));
    await clock.advance(5);
    expect(values("r")).toEqual(Array.from({ length: membership }, () => lock.token));
  });

  test("locks several resources as one lock", async () => {
    const { engine, clock, values, join } = makeRig(5);
    lockOf(await clock.until(engine.tryAcquire(["a", "b"], 10_000)));
    const other = await clock.until(join().engine.tryAcquire(["b", "c"], 10_000));
    expect(other).toMatchObject({ kind: "not_acquired", refusal: "held_by_other" });
    expect(values("c")).toEqual([null, null, null, null, null]);
  });

  test("names the present holder on a refusal by fingerprint and remaining time, never by token", async () => {
    const { engine, clock, join } = makeRig(5);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 10_000)));
    await clock.advance(1000);
    const refused = await clock.until(join().engine.tryAcquire(["r"], 10_000));
    const ballots = await clock.until(refused.settled());
    for (const { vote } of ballots) {
      expect(vote).toMatchObject({ kind: "refused", resource: "r", holder: fingerprint(lock.token) });
      expect("remainingMs" in vote && vote.remainingMs).toBeCloseTo(9000, -1);
    }
    expect(JSON.stringify(refused)).not.toContain(lock.token);
  });

  test("refuses a key of another type and says so", async () => {
    const { engine, clock, servers } = makeRig(5);
    for (const server of servers) server.store.setForeign("r", "zset");
    const error = await clock.until(engine.acquire(["r"], 1000, { retryCount: 0 }).catch((reason: unknown) => reason));
    expect(error).toMatchObject({ name: "ResourceLockedError" });
    expect(String(error)).toContain("r is a zset and no lock");
  });

  test("validity is the ttl less drift less the time since just before the first request", async () => {
    const { engine, clock, links } = makeRig(5);
    for (const link of links) link.delay(10);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 10_000)));
    expect(clock.now()).toBe(21);
    expect(lock.remaining()).toBe(10_000 - 21 - 102);
  });

  test("a win that comes too late is a loss and releases everywhere", async () => {
    const { engine, clock, links, values } = makeRig(3, { minValidityMs: 970 });
    for (const link of links) link.delay(10);
    const outcome = await clock.until(engine.tryAcquire(["r"], 1000));
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "too_late" });
    await clock.advance(100);
    expect(values("r")).toEqual([null, null, null]);
  });

  test("a process that was stopped past the ttl while the votes came in does not believe it holds", async () => {
    const { engine, clock, values } = makeRig(3);
    const pending = engine.tryAcquire(["r"], 100);
    await clock.advance(0.7);
    clock.stall(5000);
    expect(await clock.until(pending)).toMatchObject({ kind: "not_acquired", refusal: "too_late" });
    await clock.advance(10);
    expect(values("r")).toEqual([null, null, null]);
  });
});

describe("nodes that do not answer", () => {
  test.each([
    [3, 1],
    [5, 2],
    [7, 3],
  ])("of %i nodes %i dead or hung never delay the answer", async (membership, count) => {
    const { engine, clock, servers } = makeRig(membership);
    for (const [index, server] of servers.slice(0, count).entries()) {
      if (index % 2 === 0) server.hang();
      else server.stop();
    }
    lockOf(await clock.until(engine.tryAcquire(["r"], 10_000)));
    expect(clock.now()).toBe(1);
  });

  test("a silent majority costs one time limit, and then nothing", async () => {
    const { engine, clock, servers } = makeRig(5);
    for (const server of servers.slice(0, 3)) server.hang();
    const first = await clock.until(engine.tryAcquire(["r"], 10_000));
    expect(first).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    expect(clock.now()).toBe(50);
    const second = await clock.until(engine.tryAcquire(["r"], 10_000));
    expect(second).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    expect(clock.now()).toBe(50);
    expect(second.ballots[0]?.vote).toEqual({ kind: "unreachable", reason: "has not answered for 50 ms" });
  });

  test("a short ttl shortens the time limit, so that an answer can still be of use", async () => {
    const { engine, clock, servers } = makeRig(3);
    for (const server of servers) server.hang();
    await clock.until(engine.tryAcquire(["r"], 20));
    expect(clock.now()).toBe(10);
  });

  test("a hung node that wakes later executes the release after the late SET: no ghost key", async () => {
    const { engine, clock, servers, values } = makeRig(5);
    for (const server of servers.slice(0, 3)) server.hang();
    await clock.until(engine.tryAcquire(["r"], 60_000));
    await clock.advance(1000);
    for (const server of servers) server.wake();
    await clock.advance(10);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });

  test("the same with scripts the server no longer knows: the cancelled acquire takes no second step", async () => {
    const { engine, clock, servers, values } = makeRig(5);
    for (const server of servers) server.forgetScripts();
    for (const server of servers.slice(0, 3)) server.hang();
    await clock.until(engine.tryAcquire(["r"], 60_000));
    for (const server of servers) server.wake();
    await clock.advance(10);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });

  test("a reply lost after the SET landed leaves no key behind", async () => {
    const { engine, clock, links, values } = makeRig(3);
    const pending = engine.tryAcquire(["r"], 60_000);
    await clock.advance(0.7);
    expect(values("r").filter((value) => value !== null)).toHaveLength(3);
    for (const link of links) link.reset();
    expect(await clock.until(pending)).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    await clock.advance(10);
    expect(values("r")).toEqual([null, null, null]);
  });

  test("a node that went away with the key is released when it comes back within the ttl", async () => {
    const { engine, clock, servers, values } = makeRig(3);
    const pending = engine.tryAcquire(["r"], 60_000);
    await clock.advance(0.7);
    for (const server of servers) server.stop();
    await clock.until(pending);
    expect(values("r").filter((value) => value !== null)).toHaveLength(3);
    for (const server of servers) server.start();
    await clock.advance(10);
    expect(values("r")).toEqual([null, null, null]);
  });

  test("SCRIPT FLUSH in the middle goes unnoticed", async () => {
    const { engine, clock, servers } = makeRig(5);
    for (const server of servers) server.forgetScripts();
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 10_000)));
    for (const server of servers) server.forgetScripts();
    expect((await clock.until(engine.tryExtend(lock, 10_000))).kind).toBe("extended");
    for (const server of servers) server.forgetScripts();
    expect((await clock.until(lock.release())).kind).toBe("released");
  });

  test("an answer that is here when the time limit is noticed still counts, as after a stall of the event loop", async () => {
    const { engine, clock, links } = makeRig(5);
    // Due at the very end of the limit, and delivered behind its timer.
    for (const link of links) link.delay(24.5);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    expect(lock.remaining()).toBe(60_000 - 50 - 602);
  });

  test("an answer behind the time limit never counts", async () => {
    const { engine, clock, links } = makeRig(5);
    for (const link of links) link.delay(25);
    expect((await clock.until(engine.tryAcquire(["r"], 60_000))).kind).toBe("not_acquired");
  });
});

describe("the votes behind an outcome", () => {
  test("are all there once settled, while the winner did not wait for the straggler", async () => {
    const { engine, clock, links } = makeRig(5);
    present(links[4]).delay(10);
    const outcome = await clock.until(engine.tryAcquire(["r"], 10_000));
    expect(clock.now()).toBe(1);
    expect(outcome.ballots[4]?.vote.kind).toBe("pending");
    const settled = await clock.until(outcome.settled());
    expect(settled.map(({ vote, roundTripMs }) => [vote.kind, roundTripMs])).toEqual([
      ["granted", 1],
      ["granted", 1],
      ["granted", 1],
      ["granted", 1],
      ["granted", 21],
    ]);
  });

  test("appear in the message of the error, node by node", async () => {
    const { engine, clock, servers, join } = makeRig(3);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 10_000)));
    servers[2]?.stop();
    const other = join().engine.acquire(["r"], 10_000, { retryCount: 1 });
    const error = await clock.until(other.catch((reason: unknown) => reason as Error));
    expect(error).toMatchObject({ name: "ResourceLockedError", outcome: { attempts: 2, refusal: "held_by_other" } });
    const message = String(error);
    expect(message).toContain("could not acquire r in 2 attempts: others hold it on too many nodes");
    expect(message).toMatch(new RegExp(`a: r held by ${fingerprint(lock.token)}, \\d+ ms left`));
    expect(message).toContain("c: unreachable: connection refused");
    expect(message).not.toContain(lock.token);
  });
});

test("no listener attached, no crash, and a faulty one breaks nothing", async () => {
  const { clock, events, join } = makeRig(3);
  const { engine } = join();
  events.push = () => {
    throw new Error("listener");
  };
  const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
  expect((await clock.until(lock.release())).kind).toBe("released");
});
