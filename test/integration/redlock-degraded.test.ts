import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { until } from "../support/until";

describe("with three of five nodes up, two killed", () => {
  let world: RealRedlock;
  beforeAll(async () => {
    world = await startRealRedlock({ up: 3, down: 2 });
  });
  afterAll(() => world.stop());
  afterEach(() => Promise.all(world.servers.slice(0, 3).map((server) => server.client.flushall())));

  test("acquires, extends and releases; the dead nodes are named, and cost nothing", async () => {
    const startedAt = performance.now();
    const outcome = await world.redlock.tryAcquire(["r"], 10_000);
    if (outcome.kind !== "acquired") throw new Error(outcome.refusal);
    for (const id of ["d", "e"]) {
      const ballot = outcome.ballots.find(({ node }) => node === id);
      expect(ballot?.vote).toMatchObject({ kind: "unreachable", reason: expect.stringMatching(/connection|refused/) });
    }
    await outcome.lock.extend(20_000);
    expect((await outcome.lock.release()).kind).toBe("released");
    // Three operations; each would take the whole time limit of 1000 ms if it waited for the dead.
    expect(performance.now() - startedAt).toBeLessThan(1000);
    await world.untilFree("r");
  });

  test("keeps a lock alive in using", async () => {
    await world.redlock.using(["r"], 400, async (signal, context) => {
      await until(() => context.extensions >= 2, "two extensions");
      expect(signal.aborted).toBe(false);
    });
    await world.untilFree("r");
  });

  test("one more refusal loses: two of five is no majority, and what was granted is released", async () => {
    await world.servers[0]?.client.set("r", "somebody else");
    expect((await world.redlock.tryAcquire(["r"], 10_000)).kind).toBe("not_acquired");
    await until(async () => (await world.values("r")).filter((value) => value !== null).length === 1, "the release");
  });
});

describe("with three of five nodes up, two hung", () => {
  let world: RealRedlock;
  beforeAll(async () => {
    world = await startRealRedlock({ up: 5 }, { nodeTimeoutMs: 200 });
  });
  afterAll(() => world.stop());
  afterEach(() => {
    for (const server of world.servers) server.resume();
  });

  test("a lock taken and released while they are hung leaves no key when they wake", async () => {
    const hung = world.servers.slice(3);
    for (const server of hung) server.pause();
    const lock = await world.redlock.acquire(["r"], 60_000);
    expect((await lock.release()).kind).toBe("released");
    for (const server of hung) server.resume();
    await until(() => world.masters.every((master) => master.status().state === "up"), "all nodes to be up");
    await world.untilFree("r");
    expect(await world.values("r")).toEqual([null, null, null, null, null]);
  });

  test("a failed acquire leaves no key on a node that was hung all the while", async () => {
    const [first, second, third, , fifth] = world.servers;
    for (const server of [first, second, third]) await server?.client.set("taken", "somebody else");
    fifth?.pause();
    expect((await world.redlock.tryAcquire(["taken"], 60_000)).kind).toBe("not_acquired");
    fifth?.resume();
    await until(() => world.masters.every((master) => master.status().state === "up"), "all nodes to be up");
    await until(async () => {
      const [, , , fourthValue, fifthValue] = await world.values("taken");
      return fourthValue === null && fifthValue === null;
    }, "no key of the failed acquire to be left");
  });
});

describe("with one of five nodes killed and started again under load", () => {
  let world: RealRedlock;
  beforeAll(async () => {
    world = await startRealRedlock({ up: 5 });
  });
  afterAll(() => world.stop());

  test("nothing fails, at whatever moment it goes and comes back", async () => {
    const [, , victim] = world.servers;
    if (victim === undefined) throw new Error("there is no third server");
    let isOver = false;
    let won = 0;
    const failures: string[] = [];
    const work = async (resource: string): Promise<void> => {
      while (!isOver) {
        const outcome = await world.redlock.tryAcquire([resource], 30_000);
        if (outcome.kind !== "acquired") {
          failures.push(`${outcome.refusal}: ${outcome.ballots.map(({ vote }) => vote.kind).join(" ")}`);
          continue;
        }
        won += 1;
        const { kind } = await outcome.lock.release();
        if (kind !== "released") failures.push(`the release was answered with ${kind}`);
      }
    };
    const workers = Array.from({ length: 10 }, (_, worker) => work(`busy:${worker}`));
    for (let round = 0; round < 6; round += 1) {
      const before = won;
      // Each time some more wins later, so that it is killed within acquires and within releases.
      await until(() => won > before + 3 * round, "wins with the node");
      await victim.kill();
      const without = won;
      await until(() => won > without + 20, "wins without it");
      await victim.restart();
      await until(() => world.masters[2]?.status().state === "up", "the node to be back");
    }
    isOver = true;
    await Promise.all(workers);
    expect(failures).toEqual([]);
  });
});
