import { describe, expect, test } from "vitest";
import { makeRig, present } from "../../support/redlock-rig";

/** One node that hangs, and an engine that has noticed. */
async function silentNode() {
  const rig = makeRig(1);
  const server = present(rig.servers[0]);
  const link = present(rig.links[0]);
  server.hang();
  await rig.clock.until(rig.engine.tryAcquire(["first"], 60_000));
  return { ...rig, server, link };
}

describe("a node that has left a request unanswered for a whole time limit", () => {
  test("is not sent another acquire, extension or heal, and says at once since when it is silent", async () => {
    const { engine, clock, link } = await silentNode();
    await clock.advance(100);
    const outcome = await clock.until(engine.tryAcquire(["r"], 60_000));
    expect(outcome.ballots[0]?.vote).toEqual({ kind: "unreachable", reason: "has not answered for 150 ms" });
    const key = { resources: ["r"], token: "x" as never };
    expect((await clock.until(engine.tryExtend(key, 60_000))).kind).toBe("unknown");
    expect(clock.now()).toBe(150);
    expect(link.sent).toEqual({ acquire: 1, extend: 0, heal: 0, release: 1, raiseFence: 0 });
  });

  test("piles up nothing while clients keep trying", async () => {
    const { engine, clock, link } = await silentNode();
    await clock.until(engine.tryAcquire(["r"], 60_000, { retryCount: 1000, retryDelay: 2, retryJitter: 0 }));
    expect(link.sent.acquire).toBe(1);
    expect(link.sent.release).toBe(1);
  });

  test("votes again as soon as any outstanding answer arrives", async () => {
    const { engine, clock, server, values } = await silentNode();
    await clock.advance(1000);
    server.wake();
    await clock.advance(1);
    expect((await clock.until(engine.tryAcquire(["r"], 60_000))).kind).toBe("acquired");
    expect(values("first")).toEqual([null]);
  });

  test("is asked again when its connection closes, whatever was outstanding", async () => {
    const { engine, clock, server, link } = await silentNode();
    server.wake();
    link.reset();
    await clock.advance(5);
    expect((await clock.until(engine.tryAcquire(["r"], 60_000))).kind).toBe("acquired");
  });

  test("is tried again now and then even if its outstanding answers never come", async () => {
    const { engine, clock, server, link } = await silentNode();
    // An implementation that loses promises: the node is well, the first answer is not.
    link.hold();
    server.wake();
    await clock.advance(6000);
    link.deliver();
    expect((await clock.until(engine.tryAcquire(["r"], 60_000))).kind).toBe("acquired");
  });

  test("still gets the release of a lock it has voted for", async () => {
    const { engine, clock, servers, links, values } = makeRig(3);
    const lock = await clock.until(engine.acquire(["r"], 60_000));
    await clock.advance(5);
    present(servers[0]).hang();
    await clock.until(engine.tryAcquire(["other"], 1000));
    await clock.advance(100);
    await clock.until(lock.release());
    expect(links[0]?.sent.release).toBe(1);
    present(servers[0]).wake();
    await clock.advance(5);
    expect(values("r")).toEqual([null, null, null]);
  });
});

test("an attempt with a short ttl that gives up early does not make a healthy, slower node silent", async () => {
  const { engine, clock, links } = makeRig(1);
  present(links[0]).delay(10);
  expect((await clock.until(engine.tryAcquire(["short"], 10))).kind).toBe("not_acquired");
  expect((await clock.until(engine.tryAcquire(["long"], 60_000))).kind).toBe("acquired");
});
