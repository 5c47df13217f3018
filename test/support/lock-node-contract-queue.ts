import { expect, test } from "vitest";
import {
  expectHeld,
  fingerprint,
  LONG_MS,
  MINE,
  ODD_NAMES,
  OTHERS,
  request,
  SHORT_MS,
  type World,
} from "./lock-node-harness";
import { HAND_OVER_MS, handBack, turn, turnToken } from "./lock-node-turns";

/** The part of the contract about queues and what a release does with them; run by `lockNodeContract`. */
export function queueContracts(world: World): void {
  placeContract(world);
  handOverContract(world);
}

function placeContract({ harness, node }: World): void {
  test.each(ODD_NAMES)("grants a free resource to a waiter that nobody is before: %j", async (resource) => {
    expect(await node().acquire(turn(1, 1, {}, { resources: [resource] }))).toEqual({ kind: "granted" });
    await expectHeld(harness(), resource, turnToken(1), LONG_MS);
  });

  test("gives places by when the wait began, and of equal ones by name, not by who asks first", async () => {
    await harness().set("r", OTHERS, LONG_MS);
    const votes = [];
    for (const [who, since] of [
      [3, 7],
      [1, 9],
      [2, 7],
    ] as const) {
      votes.push(await node().acquire(turn(who, 1, { since })));
    }
    expect(votes).toMatchObject([
      { kind: "refused", holder: fingerprint(OTHERS), ahead: 0 },
      { kind: "refused", ahead: 1 },
      { kind: "refused", ahead: 0 },
    ]);
  });

  test("keeps the place of a waiter that asks again, and of one whose start is not known", async () => {
    await harness().set("r", OTHERS, LONG_MS);
    for (const who of [1, 2]) await node().acquire(turn(who, 1, { since: null }));
    expect(await node().acquire(turn(1, 2, { since: null }))).toMatchObject({ kind: "refused", ahead: 0 });
    expect(await node().acquire(turn(2, 2, { since: null }))).toMatchObject({ kind: "refused", ahead: 1 });
  });

  test("refuses a key of another type, and says which", async () => {
    await harness().setForeign("r");
    expect(await node().acquire(turn(1))).toMatchObject({ kind: "refused", holder: null, foreignType: "hash" });
  });

  test("heeds no acquire that is older than what it has seen of the waiter", async () => {
    await node().acquire(turn(1, 2));
    expect(await node().acquire(turn(1, 1))).toMatchObject({ kind: "error" });
    await expectHeld(harness(), "r", turnToken(1, 2), LONG_MS);
  });

  test("leaves no place behind a waiter that gave up, and no key of others changed", async () => {
    await harness().set("r", OTHERS, LONG_MS);
    for (const who of [1, 2]) await node().acquire(turn(who));
    expect(await node().release(handBack(1))).toMatchObject({ kind: "refused", holder: fingerprint(OTHERS) });
    await expectHeld(harness(), "r", OTHERS, LONG_MS);
    expect(await node().acquire(turn(2, 2))).toMatchObject({ kind: "refused", ahead: 0 });
  });

  test("under a guard gives no place while the node has no vote", async ({ skip }) => {
    const { forgetVotes } = harness();
    if (forgetVotes === null) return skip("no guard is in use");
    await forgetVotes();
    expect(await node().acquire(turn(1))).toMatchObject({ kind: "quarantined" });
    expect(await harness().get("r")).toBeNull();
  });
}

function handOverContract({ harness, node }: World): void {
  test("a release hands the key to the head, for a short life, and tells nobody else's token", async () => {
    await node().acquire(turn(1));
    for (const who of [3, 2]) await node().acquire(turn(who));
    expect(await node().release(handBack(1))).toEqual({ kind: "released" });
    await expectHeld(harness(), "r", turnToken(2), HAND_OVER_MS);
  });

  test("a release without anybody in the queue deletes the key, and answers gone the second time", async () => {
    await node().acquire(turn(1));
    expect(await node().release(handBack(1))).toEqual({ kind: "released" });
    expect(await harness().get("r")).toBeNull();
    expect(await node().release(handBack(1))).toEqual({ kind: "gone" });
  });

  test("a release hands over only what holds the token, or an earlier one of the same waiter", async () => {
    await node().acquire(turn(1));
    await node().acquire(turn(2));
    expect(await node().release({ ...handBack(3), token: MINE })).toMatchObject({ kind: "refused" });
    await expectHeld(harness(), "r", turnToken(1), LONG_MS);
    expect(await node().release({ ...handBack(1), token: MINE })).toEqual({ kind: "released" });
    await expectHeld(harness(), "r", turnToken(2), HAND_OVER_MS);
  });

  test("a release that is older than an acquire of the same waiter takes nothing of that back", async () => {
    await node().acquire(turn(1));
    await node().acquire(turn(1, 2));
    expect(await node().release(handBack(1))).toMatchObject({ kind: "refused", holder: fingerprint(turnToken(1, 2)) });
    await expectHeld(harness(), "r", turnToken(1, 2), LONG_MS);
    expect(await node().release(handBack(1, 2))).toEqual({ kind: "released" });
  });

  test("a release that is older than an acquire of the same waiter leaves its place", async () => {
    await harness().set("r", OTHERS, LONG_MS);
    await node().acquire(turn(1, 2));
    await node().release(handBack(1));
    expect(await node().acquire(turn(2))).toMatchObject({ kind: "refused", ahead: 1 });
  });

  test("a lock that queued is known by its token when nothing else of it is", async () => {
    await harness().set("r", turnToken(1), LONG_MS);
    await node().acquire(turn(2));
    expect(await node().release(handBack(1))).toEqual({ kind: "released" });
    await expectHeld(harness(), "r", turnToken(2), HAND_OVER_MS);
  });

  test("a key that was gone before its release goes to the head as well", async () => {
    await harness().set("r", OTHERS, SHORT_MS);
    await node().acquire(turn(2));
    await harness().untilGone("r");
    expect(await node().release(handBack(1))).toEqual({ kind: "gone" });
    await expectHeld(harness(), "r", turnToken(2), HAND_OVER_MS);
  });

  test("passes over waiters that were not heard of for longer than they said", async () => {
    await node().acquire(turn(1));
    await node().acquire(turn(2, 1, { aliveForMs: 1 }));
    await node().acquire(turn(3));
    await harness().set("clock", "x", SHORT_MS);
    await harness().untilGone("clock");
    await node().release(handBack(1));
    await expectHeld(harness(), "r", turnToken(3), HAND_OVER_MS);
  });

  test("a key that was handed over is refused to a client that does not queue", async () => {
    await node().acquire(turn(1));
    await node().acquire(turn(2));
    const [released, plain] = await Promise.all([node().release(handBack(1)), node().acquire(request(["r"]))]);
    expect(released).toEqual({ kind: "released" });
    expect(plain).toMatchObject({ kind: "refused", holder: fingerprint(turnToken(2)) });
  });
}
