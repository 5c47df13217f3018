import { describe, expect, test } from "vitest";
import { type AcquireVote, type LockNode, RedlockEngine, SeededRandom, type SimulatedServer } from "@/lib/redlock";
import { engineOver, lockOf, makeRig, present, type Rig, WALL_START_MS } from "../../support/redlock-rig";
import { ScriptedNode } from "./scripted-node";

const TTL_MS = 1000;
const MINUTE_MS = 60_000;
/** Fence of the first millisecond of a rig. */
const START = (WALL_START_MS - 1_577_836_800_000) * 4096;

type Client = Pick<Rig, "engine">;

async function lockWith(rig: Rig, { engine }: Client = rig, resources = ["r"]) {
  return lockOf(await rig.clock.until(engine.tryAcquire(resources, TTL_MS, { fencing: true })));
}

/** Takes a fenced lock, gives it back, and tells its fence. */
async function fenceOf(rig: Rig, client: Client = rig, resources = ["r"]): Promise<number> {
  const lock = await lockWith(rig, client, resources);
  await rig.clock.until(lock.release());
  return present(lock.fencingToken);
}

function highWaters(rig: Rig): (number | null)[] {
  return rig.servers.map((server) => {
    const reading = server.store.readFence();
    return reading.kind === "high_water" ? reading.fence : null;
  });
}

function at(rig: Rig, index: number): SimulatedServer {
  return present(rig.servers[index]);
}

function lose(rig: Rig, ...indices: readonly number[]): void {
  for (const index of indices) {
    at(rig, index).stop();
    at(rig, index).start({ isEmpty: true });
  }
}

describe("a fencing token", () => {
  test("is not made unless asked for, and costs nothing then", async () => {
    const rig = makeRig(3);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS)));
    expect(lock.fencingToken).toBeNull();
    expect(highWaters(rig)).toEqual([null, null, null]);
  });

  test("is the time on a first use, which a single try survives", async () => {
    const rig = makeRig(5);
    const fence = await fenceOf(rig);
    expect(fence).toBeGreaterThanOrEqual(START);
    expect(fence).toBeLessThan(START + 4096 * 100);
    expect(Number.isSafeInteger(fence)).toBe(true);
  });

  test("needs one round trip when the nodes agree", async () => {
    const rig = makeRig(5);
    await fenceOf(rig);
    await rig.clock.advance(20);
    const before = rig.clock.now();
    await lockWith(rig);
    expect(rig.clock.now() - before).toBeCloseTo(1);
    expect(rig.links.map(({ sent }) => sent.raiseFence)).toEqual([0, 0, 0, 0, 0]);
  });

  test("rises from lock to lock, also when the next client's clock is minutes behind", async () => {
    const rig = makeRig(3);
    const behind = rig.join({}, -5 * MINUTE_MS);
    const fences = [await fenceOf(rig), await fenceOf(rig, behind), await fenceOf(rig), await fenceOf(rig, behind)];
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
  });

  test("is one for several resources, above that of each of them", async () => {
    const rig = makeRig(3);
    const behind = rig.join({}, -5 * MINUTE_MS);
    const a = await fenceOf(rig, rig, ["a"]);
    const both = await fenceOf(rig, behind, ["a", "b"]);
    const b = await fenceOf(rig, behind, ["b"]);
    expect([a, both, b]).toEqual([a, both, b].sort((x, y) => x - y));
    expect(new Set([a, both, b]).size).toBe(3);
  });

  test("can be asked for by the engine's settings, and stays when the lock is extended", async () => {
    const rig = makeRig(3, { fencing: true });
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS)));
    const { fencingToken } = lock;
    expect(fencingToken).toBeGreaterThan(0);
    await rig.clock.until(lock.extend(TTL_MS));
    expect(lock.fencingToken).toBe(fencingToken);
  });

  test("needs a wall clock, and a yes or no", async () => {
    const { engine } = engineOver([new ScriptedNode("a", "grant")]);
    await expect(engine.tryAcquire(["r"], TTL_MS, { fencing: true })).rejects.toThrow(/wallClock/);
    const settings = { fencing: "yes" as unknown as boolean };
    expect(() => engineOver([new ScriptedNode("a", "grant")], { settings })).toThrow(/fencing must be true or false/);
  });
});

describe("nodes that disagree about the fence", () => {
  test("get the highest of a quorum before the lock is won", async () => {
    const rig = makeRig(3);
    at(rig, 0).store.restoreFence({ fence: START + 5 * MINUTE_MS * 4096 });
    await fenceOf(rig); // gives the others a beginning
    await rig.clock.advance(20);
    for (const index of [1, 2]) lose(rig, index);
    for (const index of [1, 2]) at(rig, index).store.restoreFence({ fence: 0 });
    const lock = await lockWith(rig);
    expect(lock.fencingToken).toBeGreaterThan(START + 5 * MINUTE_MS * 4096);
    const reached = highWaters(rig).filter((fence) => fence === lock.fencingToken);
    expect(reached.length).toBeGreaterThanOrEqual(2);
  });

  test("that no longer have the lock's key make it a loss, which is released everywhere", async () => {
    const nodes = [7, 9, 8].map((fence, index) => new Granting(`n${index}`, fence));
    const { engine, clock } = fencedEngine(nodes);
    const outcome = await clock.until(engine.tryAcquire(["r"], TTL_MS, { fencing: true }));
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    expect(outcome.ballots.map(({ vote }) => vote.kind)).toContain("error");
    expect(nodes.map(({ released }) => released.length)).toEqual([1, 1, 1]);
  });

  test("that fall silent while it is raised make it a loss within the time limit", async () => {
    const nodes = [7, 9, 8].map((fence, index) => new Granting(`n${index}`, fence, "silent"));
    const { engine, clock } = fencedEngine(nodes);
    const outcome = await clock.until(engine.tryAcquire(["r"], TTL_MS, { fencing: true }));
    expect(outcome.kind).toBe("not_acquired");
    expect(clock.now()).toBeLessThanOrEqual(100);
  });
});

describe("a client whose clock is far wrong", () => {
  test("is refused, and told that its clock is behind the fences", async () => {
    const rig = makeRig(3);
    await fenceOf(rig, rig.join({}, 60 * MINUTE_MS));
    const outcome = await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fencing: true }));
    expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
    expect(outcome.ballots[0]?.vote).toMatchObject({ kind: "error", reason: expect.stringMatching(/ahead of this/) });
    expect(rig.values("r")).toEqual([null, null, null]);
  });
});

describe("a node that lost its fence counters", () => {
  test("takes part again with the highest fence of the others, however its own clock and the clients' are", async () => {
    const rig = makeRig(5);
    const ahead = await fenceOf(rig, rig.join({}, 9 * MINUTE_MS));
    lose(rig, 0, 1);
    await rig.clock.advance(10);
    await fenceOf(rig);
    await rig.clock.advance(50);
    expect(highWaters(rig).every((fence) => (fence ?? 0) >= ahead)).toBe(true);
    at(rig, 3).stop();
    at(rig, 4).stop();
    expect(await fenceOf(rig)).toBeGreaterThan(ahead);
  });

  test("waits while those are silent that may know", async () => {
    const rig = makeRig(5);
    const before = await fenceOf(rig, rig.join({}, 9 * MINUTE_MS));
    lose(rig, 0, 1);
    at(rig, 4).stop();
    await rig.clock.advance(10);
    const outcome = await rig.clock.until(rig.engine.tryAcquire(["r"], TTL_MS, { fencing: true }));
    expect(outcome.kind).toBe("not_acquired");
    expect(highWaters(rig).slice(0, 2)).toEqual([null, null]);
    at(rig, 4).start();
    await rig.clock.advance(20);
    expect(await fenceOf(rig)).toBeGreaterThan(before);
  });

  test("is given nothing that was read before its client was stopped", async () => {
    const rig = makeRig(3);
    await fenceOf(rig);
    lose(rig, 0);
    await rig.clock.advance(10);
    const [, , last] = rig.links;
    const read = present(last).readFence.bind(last);
    let stopMs = 200;
    present(last).readFence = async () => {
      const reading = await read();
      rig.clock.stall(stopMs);
      return reading;
    };
    await fenceOf(rig);
    await rig.clock.advance(50);
    expect(highWaters(rig)[0]).toBeNull();
    stopMs = 0;
    await fenceOf(rig);
    await rig.clock.advance(50);
    expect(highWaters(rig)[0]).not.toBeNull();
  });

  test("raises no alarm on a first use, and one when a quorum lost them together", async () => {
    const rig = makeRig(3);
    const guesses: boolean[] = [];
    for (const link of rig.links) {
      const restore = link.restoreFence.bind(link);
      link.restoreFence = (request) => {
        guesses.push(request.isGuess);
        return restore(request);
      };
    }
    await fenceOf(rig);
    expect(guesses).toEqual([false, false, false]);
    lose(rig, 0, 1);
    await rig.clock.advance(10);
    await fenceOf(rig);
    expect(guesses.slice(3)).toEqual([true, true]);
  });
});

/** Grants with a fence of its own, and has lost the key when that is to be raised. */
class Granting extends ScriptedNode {
  readonly #fence: number;
  readonly #raising: "missing" | "silent";

  constructor(name: string, fence: number, raising: "missing" | "silent" = "missing") {
    super(name, "grant");
    this.#fence = fence;
    this.#raising = raising;
  }

  override acquire(): Promise<AcquireVote> {
    return Promise.resolve({ kind: "granted", fence: this.#fence });
  }

  override raiseFence(): ReturnType<LockNode["raiseFence"]> {
    if (this.#raising === "silent") return new Promise(() => {});
    return Promise.resolve({ kind: "missing", resource: "r" });
  }
}

function fencedEngine(nodes: readonly LockNode[]) {
  const { clock } = makeRig(1);
  const wallClock = () => WALL_START_MS + clock.now();
  return { clock, engine: new RedlockEngine(nodes, { clock, random: new SeededRandom(1), wallClock }) };
}
