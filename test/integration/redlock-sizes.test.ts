import { describe, expect, test } from "vitest";
import { startRealRedlock } from "../support/real-redlock";

describe.each([1, 2, 3, 4])("with %i nodes", (size) => {
  test("acquires, extends, keeps others out, and releases", async () => {
    const world = await startRealRedlock({ up: size });
    try {
      const lock = await world.redlock.acquire(["r"], 10_000);
      await lock.extend(20_000);
      expect((await (await world.rival()).tryAcquire(["r"], 10_000)).kind).toBe("not_acquired");
      expect((await lock.release()).kind).toBe("released");
      await world.untilFree("r");
    } finally {
      await world.stop();
    }
  });
});

describe.each([2, 4])("with %i nodes split evenly", (size) => {
  test("nobody wins, at once, and nothing of the loser is left", async () => {
    const world = await startRealRedlock({ up: size });
    try {
      const others = world.servers.slice(size / 2);
      for (const { client } of others) await client.set("r", "somebody else");
      const startedAt = performance.now();
      const outcome = await world.redlock.tryAcquire(["r"], 10_000);
      expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "held_by_other" });
      expect(performance.now() - startedAt).toBeLessThan(1000);
      for (const { client } of others) await client.del("r");
      await world.untilFree("r");
    } finally {
      await world.stop();
    }
  });
});

test("of four nodes one may be killed, two may not", async () => {
  const world = await startRealRedlock({ up: 3, down: 1 });
  try {
    const lock = await world.redlock.acquire(["r"], 10_000);
    expect((await lock.release()).kind).toBe("released");
    await world.servers[2]?.kill();
    expect(await world.redlock.tryAcquire(["r"], 10_000)).toMatchObject({ refusal: "quorum_unreachable" });
  } finally {
    await world.stop();
  }
});

test("a single node that is killed is no lock service", async () => {
  const world = await startRealRedlock({ up: 0, down: 1 });
  try {
    expect(await world.redlock.tryAcquire(["r"], 10_000)).toMatchObject({ refusal: "quorum_unreachable" });
  } finally {
    await world.stop();
  }
});
