import { expect, test } from "vitest";
import type { AcquireRequest, QueuePlace, ReleaseRequest, Token } from "@/lib/redlock";
import {
  expectHeld,
  fingerprint,
  LONG_MS,
  MINE,
  ODD_NAMES,
  OTHERS,
  releaseOf,
  request,
  SHORT_MS,
  tokenOf,
  type World,
} from "./lock-node-harness";
import { until } from "./until";

const HAND_OVER_MS = 30_000;

/** What waiter `who`, who came as number `who`, asks in this round; its token has the two digits. */
function turn(who: number, round = 1, place: Partial<QueuePlace> = {}, more: Partial<AcquireRequest> = {}) {
  const name = { waiter: `engine-${who}`, since: 1000 + who, round };
  const queue = { ...name, aliveForMs: LONG_MS, handOverMs: HAND_OVER_MS, ...place };
  return request(["r"], { token: turnToken(who, round), queue, ...more });
}

function turnToken(who: number, round = 1): Token {
  return `${tokenOf(who).slice(0, 38)}0${round}` as Token;
}

function handBack(who: number, round = 1): ReleaseRequest {
  return { ...releaseOf(["r"]), token: turnToken(who, round), queue: { waiter: `engine-${who}`, round } };
}

/** The part of the contract about queues and hand-over; run by `lockNodeContract`. */
export function queueContracts(world: World): void {
  placeContract(world);
  handOverContract(world);
  takeOverContract(world);
  wordContract(world);
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

function takeOverContract({ harness, node }: World): void {
  test("the next acquire of the waiter takes the key over, with its own token and ttl", async () => {
    await node().acquire(turn(1));
    await node().acquire(turn(2));
    await node().release(handBack(1));
    expect(await node().acquire(turn(2, 2))).toEqual({ kind: "granted" });
    await expectHeld(harness(), "r", turnToken(2, 2), LONG_MS);
  });

  test("nobody else takes it over, however early he came", async () => {
    await node().acquire(turn(2));
    await node().acquire(turn(3));
    await node().release(handBack(2));
    expect(await node().acquire(turn(1))).toMatchObject({
      kind: "refused",
      holder: fingerprint(turnToken(3)),
      ahead: 0,
    });
    await expectHeld(harness(), "r", turnToken(3), HAND_OVER_MS);
  });

  test("a waiter that asks again gives what it has to one that came before it", async () => {
    await node().acquire(turn(2));
    await node().acquire(turn(1));
    expect(await node().acquire(turn(2, 2))).toMatchObject({ kind: "refused", holder: fingerprint(turnToken(1)) });
    await expectHeld(harness(), "r", turnToken(1), HAND_OVER_MS);
  });

  test("a free key goes to the head, whoever finds it", async () => {
    await harness().set("r", OTHERS, SHORT_MS);
    await node().acquire(turn(1));
    await harness().untilGone("r");
    expect(await node().acquire(turn(2))).toMatchObject({
      kind: "refused",
      holder: fingerprint(turnToken(1)),
      ahead: 0,
    });
    await expectHeld(harness(), "r", turnToken(1), HAND_OVER_MS);
    expect(await node().acquire(turn(1, 2))).toEqual({ kind: "granted" });
  });

  test("a handed key that nobody takes over ends, and goes to the next", async () => {
    await node().acquire(turn(1));
    await node().acquire(turn(2, 1, { handOverMs: SHORT_MS }));
    await node().acquire(turn(3));
    await node().release(handBack(1));
    await harness().untilGone("r");
    expect(await node().acquire(turn(3, 2))).toEqual({ kind: "granted" });
  });

  test("issues a higher fence at each acquire that is granted, and keeps the place of one that gets none", async () => {
    const proposal = { fence: 100, limit: 1000 };
    expect(await node().acquire(turn(1, 1, {}, { proposal }))).toMatchObject({ kind: "error", lacksFence: true });
    await node().restoreFence({ fence: 0, isGuess: false, isCancelled: () => false });
    expect(await node().acquire(turn(2, 1, {}, { proposal }))).toMatchObject({ kind: "refused", ahead: 0 });
    expect(await node().acquire(turn(1, 2, {}, { proposal }))).toEqual({ kind: "granted", fence: 100 });
    await node().acquire(turn(2, 2, {}, { proposal }));
    await node().release(handBack(1, 2));
    expect(await node().acquire(turn(2, 3, {}, { proposal }))).toEqual({ kind: "granted", fence: 101 });
  });
}

function wordContract({ harness, node }: World): void {
  test("tells a waiter that it was handed the key, with the round, until it stops listening", async () => {
    const words: (number | null)[] = [];
    const stop = node().handOver?.listen("engine-2", (round) => words.push(round));
    const handOver = async (round: number) => {
      await node().acquire(turn(1, round));
      await node().acquire(turn(2, round));
      await node().release(handBack(1, round));
      await node().release(handBack(2, round));
      expect(await harness().get("r")).toBeNull();
    };
    let round = 0;
    // Words may be lost, and are until the node has begun to listen.
    await until(async () => {
      await handOver(++round);
      return words.some((word) => word !== null);
    }, "a word of the hand-over");
    expect(words.filter((word) => word !== null)).toContainEqual(expect.any(Number));
    expect(Math.max(...words.map((word) => word ?? 0))).toBeLessThanOrEqual(round);
    stop?.();
    const heard = words.length;
    await handOver(++round);
    expect(words).toHaveLength(heard);
  });

  test("tells about what time it is there", () => {
    const first = node().handOver?.now() ?? Number.NaN;
    expect(first).toBeGreaterThanOrEqual(0);
    expect(node().handOver?.now()).toBeGreaterThanOrEqual(first);
  });
}
