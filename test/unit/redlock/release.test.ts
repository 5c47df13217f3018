import { describe, expect, test } from "vitest";
import { asToken, quorumOf, type ReleaseOutcome } from "@/lib/redlock";
import { lockOf, makeRig, words } from "../../support/redlock-rig";

type Fate = "kept" | "gone" | "stolen" | "dead";

/** A lock on every node, each of which then meets its fate. */
async function releaseAfter(fates: readonly Fate[]) {
  const { engine, clock, servers } = makeRig(fates.length);
  const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
  await clock.advance(4);
  for (const [index, fate] of fates.entries()) {
    if (fate === "gone") servers[index]?.store.clear();
    if (fate === "stolen") servers[index]?.store.set("r", "other", 60_000);
    if (fate === "dead") servers[index]?.stop();
  }
  return clock.until(lock.release());
}

describe.each([1, 2, 3, 4, 5])("the release of a lock on %i nodes", (membership) => {
  const quorum = quorumOf(membership);

  test("has the outcome its votes add up to, over every combination", async () => {
    for (const fates of words<Fate>(["kept", "gone", "stolen", "dead"], membership)) {
      const count = (fate: Fate): number => fates.filter((each) => each === fate).length;
      const expected = (): ReleaseOutcome["kind"] => {
        if (count("kept") >= quorum) return "released";
        if (count("stolen") >= quorum) return "lost";
        return count("gone") + count("stolen") > membership - quorum ? "expired" : "unknown";
      };
      expect((await releaseAfter(fates)).kind, fates.join(" ")).toBe(expected());
    }
  });
});

describe("release", () => {
  test("of an expired lock is an outcome, not an error, and takes one bounded pass", async () => {
    const { engine, clock, links } = makeRig(5);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
    await clock.advance(2000);
    const at = clock.now();
    expect((await clock.until(lock.release())).kind).toBe("expired");
    expect(clock.now() - at).toBe(1);
    expect(links.map((link) => link.sent.release)).toEqual([1, 1, 1, 1, 1]);
  });

  test("is bounded by one time limit when no node answers, and says that it does not know", async () => {
    const { engine, clock, servers } = makeRig(5);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    for (const server of servers) server.hang();
    const at = clock.now();
    expect((await clock.until(lock.release())).kind).toBe("unknown");
    expect(clock.now() - at).toBe(50);
  });

  test("does not wait for a dead or hung minority", async () => {
    const { engine, clock, servers } = makeRig(5);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    await clock.advance(4);
    servers[0]?.hang();
    servers[1]?.stop();
    const at = clock.now();
    expect((await clock.until(lock.release())).kind).toBe("released");
    expect(clock.now() - at).toBe(1);
  });

  test("is idempotent: a second call answers what the first did and asks nobody", async () => {
    const { engine, clock, links } = makeRig(3);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    const both = [lock.release(), lock.release()];
    expect((await clock.until(Promise.all(both))).map(({ kind }) => kind)).toEqual(["released", "released"]);
    expect((await clock.until(engine.release(lock))).kind).toBe("released");
    expect(links.map((link) => link.sent.release)).toEqual([1, 1, 1]);
  });

  test("that did not reach a majority is tried again by a later call", async () => {
    const { engine, clock, servers, values } = makeRig(3);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    await clock.advance(4);
    for (const server of servers) server.stop();
    expect((await clock.until(lock.release())).kind).toBe("unknown");
    for (const server of servers) server.start();
    await clock.until(lock.release());
    await clock.advance(5);
    expect(values("r")).toEqual([null, null, null]);
  });

  test("right behind the acquire catches its stragglers: no key is left on a slow node", async () => {
    const { engine, clock, links, servers, values } = makeRig(5);
    for (const server of servers) server.forgetScripts();
    links[4]?.delay(15);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    await clock.until(lock.release());
    await clock.advance(200);
    expect(values("r")).toEqual([null, null, null, null, null]);
  });

  test("by bare key works like one by handle; with a wrong token it releases nothing", async () => {
    const { engine, clock, values } = makeRig(5);
    const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 60_000)));
    await clock.advance(4);
    const wrong = { resources: ["r"], token: asToken("wrong") };
    expect((await clock.until(engine.release(wrong))).kind).toBe("lost");
    expect(values("r")).toEqual(Array.from({ length: 5 }, () => lock.token));
    const right = { resources: ["r"], token: lock.token };
    expect((await clock.until(engine.release(right))).kind).toBe("released");
    expect((await clock.until(lock.release())).kind).toBe("expired");
  });

  test("happens by itself at the end of an `await using` block", async () => {
    const { engine, clock, values } = makeRig(3);
    const work = async (): Promise<void> => {
      await using lock = await engine.acquire(["r"], 60_000);
      lock.check();
    };
    await clock.until(work());
    await clock.advance(4);
    expect(values("r")).toEqual([null, null, null]);
  });
});
