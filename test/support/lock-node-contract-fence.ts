import { expect, test } from "vitest";
import {
  expectHeld,
  fingerprint,
  LONG_MS,
  MINE,
  ODD_NAMES,
  OTHERS,
  releaseOf,
  request,
  tokenOf,
  type World,
} from "./lock-node-harness";

/** No fence of these tests comes near it. */
const NO_LIMIT = 1_000_000;

/** The part of the contract about fences; run by `lockNodeContract`. */
export function fenceContracts(world: World): void {
  issueContract(world);
  raiseContract(world);
  restoreContract(world);
}

function propose(resources: readonly string[], fence: number, { token = MINE, limit = NO_LIMIT } = {}) {
  return request(resources, { token, proposal: { fence, limit } });
}

const unhurried = { isCancelled: () => false };

async function begin({ node }: World, fence = 0): Promise<void> {
  expect(await node().restoreFence({ fence, isGuess: false, ...unhurried })).toEqual({ kind: "restored" });
}

function issueContract(world: World): void {
  const { harness, node } = world;

  test("issues nothing and grants nothing fenced before it was given a beginning, and says so", async () => {
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: null });
    expect(await node().acquire(propose(["r"], 100))).toMatchObject({ kind: "error", lacksFence: true });
    expect(await harness().get("r")).toBeNull();
    expect(await node().acquire(request(["r"]))).toEqual({ kind: "granted" });
  });

  test.each(ODD_NAMES)("issues the fence proposed when it is higher than any before: %j", async (resource) => {
    await begin(world);
    expect(await node().acquire(propose([resource], 100))).toEqual({ kind: "granted", fence: 100 });
    await expectHeld(harness(), resource, MINE, LONG_MS);
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 100 });
  });

  test("issues the next one when the proposal is not higher, whoever asks", async () => {
    await begin(world);
    await node().acquire(propose(["r"], 100));
    await node().release(releaseOf(["r"]));
    expect(await node().acquire(propose(["r"], 40, { token: OTHERS }))).toEqual({ kind: "granted", fence: 101 });
  });

  test("issues one fence for several resources, higher than that of each, and keeps it for each", async () => {
    await begin(world);
    await node().acquire(propose(["a"], 100));
    await node().release(releaseOf(["a"]));
    expect(await node().acquire(propose(["a", "b"], 50, { token: OTHERS }))).toEqual({ kind: "granted", fence: 101 });
    await node().release({ ...releaseOf(["a", "b"]), token: OTHERS });
    expect(await node().acquire(propose(["b"], 1))).toEqual({ kind: "granted", fence: 102 });
  });

  test("begins a resource it does not know behind everything it ever issued", async () => {
    await begin(world);
    await node().acquire(propose(["a"], 100));
    expect(await node().acquire(propose(["b"], 1, { token: OTHERS }))).toEqual({ kind: "granted", fence: 101 });
  });

  test("issues nothing to whom it refuses", async () => {
    await begin(world);
    await node().acquire(propose(["r"], 100));
    const vote = await node().acquire(propose(["r"], 500, { token: OTHERS }));
    expect(vote).toMatchObject({ kind: "refused", holder: fingerprint(MINE) });
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 100 });
  });

  test("grants nothing beyond the limit, and says whose clock to look at", async () => {
    await begin(world, 1000);
    const vote = await node().acquire(propose(["r"], 10, { limit: 1000 }));
    expect(vote).toMatchObject({ kind: "error", reason: expect.stringMatching(/ahead of this client's clock/) });
    expect(await harness().get("r")).toBeNull();
    expect(await node().acquire(propose(["r"], 10, { limit: 1001 }))).toEqual({ kind: "granted", fence: 1001 });
  });

  test("works on unnoticed when the server forgets its scripts", async () => {
    await begin(world);
    await harness().forgetScripts();
    expect(await node().acquire(propose(["r"], 7))).toEqual({ kind: "granted", fence: 7 });
    await harness().forgetScripts();
    expect(await node().raiseFence({ resources: ["r"], token: MINE, fence: 9, ...unhurried })).toEqual({
      kind: "raised",
    });
    await harness().forgetScripts();
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 9 });
  });
}

function raiseContract(world: World): void {
  const { harness, node } = world;
  const raise = (resources: readonly string[], fence: number, token = MINE) =>
    node().raiseFence({ resources, token, fence, ...unhurried });

  test("raises the fence of a lock while its keys hold the token, and never lowers it", async () => {
    await begin(world);
    await node().acquire(propose(["a", "b"], 100));
    expect(await raise(["a", "b"], 120)).toEqual({ kind: "raised" });
    expect(await raise(["a", "b"], 110)).toEqual({ kind: "raised" });
    await node().release(releaseOf(["a", "b"]));
    expect(await node().acquire(propose(["b"], 1))).toEqual({ kind: "granted", fence: 121 });
  });

  test("raises nothing once a key is gone: a fence behind a release could be another's, too", async () => {
    await begin(world);
    await node().acquire(propose(["a", "b"], 100));
    await node().release(releaseOf(["b"]));
    expect(await raise(["a", "b"], 120)).toEqual({ kind: "missing", resource: "b" });
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 100 });
  });

  test("raises nothing over another holder or a key of another type", async () => {
    await begin(world);
    await node().acquire(propose(["a"], 100));
    expect(await raise(["a"], 120, tokenOf(3))).toMatchObject({ kind: "refused", holder: fingerprint(MINE) });
    await harness().setForeign("h");
    expect(await raise(["h"], 120)).toMatchObject({ kind: "refused", foreignType: "hash" });
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 100 });
  });
}

function restoreContract(world: World): void {
  const { node } = world;

  test("begins behind the fence it was given", async () => {
    await begin(world, 500);
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 500 });
    expect(await node().acquire(propose(["r"], 3))).toEqual({ kind: "granted", fence: 501 });
  });

  test("a second beginning changes nothing", async () => {
    await begin(world, 500);
    await node().acquire(propose(["r"], 600));
    await begin(world, 900);
    await begin(world, 1);
    expect(await node().readFence()).toEqual({ kind: "high_water", fence: 600 });
  });
}
