import { expect, test } from "vitest";
import { expectHeld, fingerprint, LONG_MS, OTHERS, SHORT_MS, type World } from "./lock-node-harness";
import { HAND_OVER_MS, handBack, turn, turnToken } from "./lock-node-turns";
import { until } from "./until";

/** The part of the contract about taking over what was handed over; run by `lockNodeContract`. */
export function handOverContracts(world: World): void {
  takeOverContract(world);
  wordContract(world);
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
