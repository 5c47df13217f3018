import { afterEach, expect, test } from "vitest";
import { lineUp, TTL_MS } from "../support/fair-line";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { until } from "../support/until";

let real: RealRedlock;
afterEach(() => real.stop());

test.each(["taken away", "released past the queue"] as const)(
  "goes to the head at once when it is %s by the console, to nobody else, and leaves a living lock alone",
  async (how) => {
    // So rarely does a waiter look by itself that only a word can be what it hears.
    real = await startRealRedlock({ up: 5 }, { retryDelay: 60_000 });
    const { redlock, rival, masters, values } = real;
    const plain = await redlock.acquire(["r"], TTL_MS);
    const first = await lineUp(real, await rival());
    const second = await lineUp(real, await rival());
    await Promise.all(masters.map((master) => master.handOn("r")));
    expect(await values("r")).toEqual(Array(5).fill(plain.token));
    const takeAway = {
      key: "r",
      expects: [{ kind: "value", key: "r", value: plain.token }],
      steps: [{ kind: "delete", key: "r" }],
    } as const;
    if (how === "taken away") await Promise.all(masters.map((master) => master.carryOut(takeAway)));
    else {
      await redlock.release(plain);
      await Promise.all(masters.map((master) => master.handOn("r")));
    }
    const lock = await first.lock;
    await until(async () => (await values("r")).every((value) => value === lock.token), "the lock on every node");
    await lock.release();
    await (await second.lock).release();
    await Promise.all(masters.map((master) => master.handOn("r")));
    expect(await values("r")).toEqual([null, null, null, null, null]);
  },
);
