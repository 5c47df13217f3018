import { describe, expect, test } from "vitest";
import { asToken, quorumOf } from "@/lib/redlock";
import { lockOf, makeRig, type Rig } from "../../support/redlock-rig";

/** A lock of 10 s on every node. */
async function held(membership: number, settings = {}) {
  const rig = makeRig(membership, settings);
  const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], 10_000)));
  await rig.clock.advance(4);
  return { ...rig, lock };
}

function wipe({ servers }: Rig, count: number): void {
  for (const server of servers.slice(0, count)) server.store.clear();
}

describe("extend", () => {
  test("holds on for the ttl from the start of the extension, on the same handle", async () => {
    const { clock, lock } = await held(5);
    await clock.advance(5000);
    expect(await clock.until(lock.extend(10_000))).toBe(lock);
    expect(lock.remaining()).toBe(10_000 - 102 - 1);
    expect(lock.extensions).toBe(1);
  });

  test("never shortens: a smaller ttl leaves the validity that was there", async () => {
    const { clock, lock, engine, remaining } = await held(5);
    const before = lock.remaining();
    const outcome = await clock.until(engine.tryExtend(lock, 1000));
    expect(outcome).toMatchObject({ kind: "extended", validityMs: before - 1 });
    expect(lock.remaining()).toBe(before - 1);
    expect(remaining("r")).toEqual([9995, 9995, 9995, 9995, 9995]);
  });

  test("never revives a lock whose own validity has ended, though its keys are still there", async () => {
    const { clock, lock, engine, values, links } = await held(5);
    await clock.advance(lock.remaining());
    expect(values("r")).toEqual(Array.from({ length: 5 }, () => lock.token));
    expect(await clock.until(engine.tryExtend(lock, 10_000))).toMatchObject({ kind: "lost", ballots: [] });
    expect(links[0]?.sent.extend).toBe(0);
    await expect(clock.until(lock.extend(10_000))).rejects.toMatchObject({ name: "LockLostError" });
    expect(lock.remaining()).toBe(0);
  });

  test("never revives a lock whose validity ended while the replies were on their way", async () => {
    const { clock, lock, engine } = await held(5);
    await clock.advance(lock.remaining() - 10);
    const pending = engine.tryExtend(lock, 10_000);
    await clock.advance(0.7);
    clock.stall(50);
    expect((await clock.until(pending)).kind).toBe("lost");
    expect(lock.remaining()).toBe(0);
    expect(lock.signal.aborted).toBe(true);
  });

  test("on a minority fails, changes nothing and releases nothing", async () => {
    const { clock, lock, engine, servers, links, values } = await held(5);
    for (const server of servers.slice(0, 3)) server.hang();
    const before = lock.remaining();
    const at = clock.now();
    const outcome = await clock.until(engine.tryExtend(lock, 60_000));
    expect(outcome.kind).toBe("unknown");
    expect(lock.remaining()).toBe(before - (clock.now() - at));
    expect(values("r")).toEqual(Array.from({ length: 5 }, () => lock.token));
    expect(links.map((link) => link.sent.release)).toEqual([0, 0, 0, 0, 0]);
  });

  test("tries again within the validity when the nodes leave it open", async () => {
    const { clock, lock, servers } = await held(5);
    for (const server of servers.slice(0, 3)) server.hang();
    const extended = lock.extend(60_000);
    await clock.advance(500);
    for (const server of servers) server.wake();
    await clock.until(extended);
    expect(lock.remaining()).toBeGreaterThan(50_000);
  });

  test("settles before the validity ends when the nodes never answer", async () => {
    const { clock, lock, servers } = await held(5);
    for (const server of servers) server.hang();
    const failed = lock.extend(60_000).catch((error: unknown) => error);
    expect(await clock.until(failed)).toMatchObject({ name: "ExecutionError", outcome: { kind: "unknown" } });
    expect(lock.remaining()).toBeGreaterThan(0);
  });

  test("stops at the allowed number of extensions, and keeps the validity it has", async () => {
    const { clock, lock, engine } = await held(3, { maxExtensions: 1 });
    await clock.until(lock.extend(10_000));
    expect(await clock.until(engine.tryExtend(lock, 10_000))).toMatchObject({ kind: "capped", ballots: [] });
    expect(lock.remaining()).toBeGreaterThan(9000);
    await expect(clock.until(lock.extend(10_000))).rejects.toThrow("as often or as long as allowed");
  });

  test("never reaches beyond the longest time a lock may be held", async () => {
    const { clock, lock, engine } = await held(3, { maxHoldMs: 15_000 });
    await clock.advance(4000);
    expect((await clock.until(engine.tryExtend(lock, 10_000))).kind).toBe("extended");
    await clock.advance(3000);
    expect((await clock.until(engine.tryExtend(lock, 10_000))).kind).toBe("capped");
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7])("an extension over %i nodes of which k have lost the key", (membership) => {
  const spare = membership - quorumOf(membership);

  test("is won while a quorum has it, and lost as soon as more than N - q deny it", async () => {
    for (let missing = 0; missing <= membership; missing += 1) {
      const rig = await held(membership);
      wipe(rig, missing);
      const outcome = await rig.clock.until(rig.engine.tryExtend(rig.lock, 10_000));
      expect(outcome.kind, `${missing} missing`).toBe(missing > spare ? "lost" : "extended");
      expect(rig.lock.remaining() > 0, `${missing} missing`).toBe(missing <= spare);
    }
  });

  test("is unknown, not lost, when nodes are merely silent", async () => {
    for (let silent = spare + 1; silent <= membership; silent += 1) {
      const rig = await held(membership);
      for (const server of rig.servers.slice(0, silent)) server.stop();
      const outcome = await rig.clock.until(rig.engine.tryExtend(rig.lock, 10_000));
      expect(outcome.kind, `${silent} silent`).toBe("unknown");
      expect(rig.lock.remaining(), `${silent} silent`).toBeGreaterThan(9000);
    }
  });
});

describe("healing", () => {
  test("gives the key back to a node that misses it, with what is left of the validity", async () => {
    const rig = await held(5);
    const { clock, engine, lock, values, remaining } = rig;
    wipe(rig, 2);
    const outcome = await clock.until(engine.tryExtend(lock, 10_000));
    expect(outcome).toMatchObject({ kind: "extended", healing: ["a", "b"] });
    await clock.advance(5);
    expect(values("r")).toEqual(Array.from({ length: 5 }, () => lock.token));
    const validity = Math.round(lock.remaining());
    expect(
      remaining("r")
        .slice(0, 2)
        .every((ms) => ms !== null && ms <= validity + 5),
    ).toBe(true);
  });

  test("heals a straggler that turns out to miss the key", async () => {
    const rig = await held(5);
    const { clock, engine, lock, links, values } = rig;
    wipe(rig, 1);
    links[0]?.delay(10);
    expect(await clock.until(engine.tryExtend(lock, 10_000))).toMatchObject({ kind: "extended", healing: [] });
    await clock.advance(60);
    expect(values("r")[0]).toBe(lock.token);
  });

  test("never takes a node from another holder", async () => {
    const { clock, engine, lock, servers, values } = await held(5);
    servers[0]?.store.set("r", "other", 60_000);
    expect(await clock.until(engine.tryExtend(lock, 10_000))).toMatchObject({ kind: "extended", healing: [] });
    await clock.advance(100);
    expect(values("r")[0]).toBe("other");
  });

  test.each([0, 0.3, 0.7, 1, 1.2, 1.7, 2.5])("a release %d ms into an extension leaves no key anywhere", async (ms) => {
    const rig = await held(5);
    const { clock, engine, lock, servers, values } = rig;
    wipe(rig, 2);
    for (const server of servers) server.forgetScripts();
    const extension = engine.tryExtend(lock, 10_000);
    await clock.advance(ms);
    await clock.until(lock.release());
    await clock.until(extension);
    await clock.advance(100);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });

  test.each([0, 0.7, 1, 1.7])("the same by bare key, %d ms into it", async (ms) => {
    const rig = await held(5);
    const { clock, engine, lock, values } = rig;
    const key = { resources: lock.resources, token: lock.token };
    wipe(rig, 2);
    const extension = engine.tryExtend(key, 10_000);
    await clock.advance(ms);
    await clock.until(engine.release(key));
    await clock.until(extension);
    await clock.advance(100);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });
});

describe("an extension by bare key", () => {
  test("is won by a majority of the nodes", async () => {
    const { clock, engine, lock } = await held(5);
    const key = { resources: ["r"], token: lock.token };
    const outcome = await clock.until(engine.tryExtend(key, 20_000));
    expect(outcome).toMatchObject({ kind: "extended", validityMs: 20_000 - 202 - 1 });
  });

  test("with a wrong token is lost and touches nothing", async () => {
    const { clock, engine, lock, remaining } = await held(5);
    const key = { resources: ["r"], token: asToken("wrong") };
    expect((await clock.until(engine.tryExtend(key, 60_000))).kind).toBe("lost");
    for (const ms of remaining("r")) expect(ms).toBeLessThan(10_000);
    expect(lock.remaining()).toBeGreaterThan(0);
  });
});
