import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fenceContracts } from "./lock-node-contract-fence";
import { guardContract } from "./lock-node-contract-guard";
import { handOverContracts } from "./lock-node-contract-hand-over";
import { queueContracts } from "./lock-node-contract-queue";
import { releaseContracts } from "./lock-node-contract-release";
import {
  expectHeld,
  fingerprint,
  LONG_MS,
  type LockNodeHarness,
  MINE,
  ODD_NAMES,
  OTHERS,
  releaseOf,
  request,
  SHORT_MS,
  type World,
} from "./lock-node-harness";

export type { LockNodeHarness, StoredKey } from "./lock-node-harness";

/**
 * The promises of `LockNode`, as tests. Every implementation must pass them: the simulation proves something about the real
 * nodes only as far as both pass the same suite.
 *
 * @param makeHarness a fresh harness per test
 */
export function lockNodeContract(name: string, makeHarness: () => Promise<LockNodeHarness>): void {
  describe(`${name} keeps the promises of LockNode`, () => {
    let harness: LockNodeHarness;
    const world: World = { harness: () => harness, node: () => harness.node };
    beforeEach(async () => {
      harness = await makeHarness();
    });
    afterEach(async () => {
      await harness.dispose();
    });
    acquireContract(world);
    extendContract(world);
    releaseContracts(world);
    fenceContracts(world);
    queueContracts(world);
    handOverContracts(world);
    orderContract(world);
    guardContract(world);
  });
}

function acquireContract({ harness, node }: World): void {
  test.each(ODD_NAMES)("grants a free resource and stores token and ttl: %j", async (resource) => {
    expect(await node().acquire(request([resource]))).toEqual({ kind: "granted" });
    await expectHeld(harness(), resource, MINE, LONG_MS);
  });

  test("refuses a held resource and names the holder by fingerprint and remaining time, never by token", async () => {
    await harness().set("r", OTHERS, 30_000);
    const vote = await node().acquire(request(["r"]));
    expect(vote).toMatchObject({ kind: "refused", resource: "r", holder: fingerprint(OTHERS), foreignType: null });
    expect("remainingMs" in vote && vote.remainingMs).toBeGreaterThan(20_000);
    expect("remainingMs" in vote && vote.remainingMs).toBeLessThanOrEqual(30_000);
    expect(JSON.stringify(vote)).not.toContain(OTHERS);
    await expectHeld(harness(), "r", OTHERS, 30_000);
  });

  test("refuses a key without expiry and says that it has none", async () => {
    await harness().set("r", "stuck", null);
    expect(await node().acquire(request(["r"]))).toEqual({
      kind: "refused",
      resource: "r",
      holder: fingerprint("stuck"),
      remainingMs: null,
      foreignType: null,
    });
  });

  test("refuses a key of another type, says which, and leaves it alone", async () => {
    await harness().setForeign("r");
    expect(await node().acquire(request(["r"]))).toEqual({
      kind: "refused",
      resource: "r",
      holder: null,
      remainingMs: null,
      foreignType: "hash",
    });
    expect(await harness().get("r")).toEqual({ value: null, remainingMs: null });
  });

  test("refuses its own token a second time: a request is not a renewal", async () => {
    await node().acquire(request(["r"]));
    expect(await node().acquire(request(["r"]))).toMatchObject({ kind: "refused", holder: fingerprint(MINE) });
  });

  test("grants again once the key has expired", async () => {
    await node().acquire(request(["r"], { token: OTHERS, ttlMs: SHORT_MS }));
    await harness().untilGone("r");
    expect(await node().acquire(request(["r"]))).toEqual({ kind: "granted" });
  });

  test("grants several resources together", async () => {
    expect(await node().acquire(request(["a", "b", "c"]))).toEqual({ kind: "granted" });
    for (const resource of ["a", "b", "c"]) await expectHeld(harness(), resource, MINE, LONG_MS);
  });

  test.each(["a", "b", "c"])("grants none of several resources when %s is taken", async (taken) => {
    await harness().set(taken, OTHERS, LONG_MS);
    expect(await node().acquire(request(["a", "b", "c"]))).toMatchObject({ kind: "refused", resource: taken });
    for (const resource of ["a", "b", "c"].filter((each) => each !== taken)) {
      expect(await harness().get(resource)).toBeNull();
    }
  });

  test("grants none of several resources when one is a key of another type", async () => {
    await harness().setForeign("b");
    expect(await node().acquire(request(["a", "b"]))).toMatchObject({
      kind: "refused",
      resource: "b",
      holder: null,
      foreignType: "hash",
    });
    expect(await harness().get("a")).toBeNull();
  });
}

function extendContract({ harness, node }: World): void {
  test.each(ODD_NAMES)("extends a lock that holds the token: %j", async (resource) => {
    await harness().set(resource, MINE, 30_000);
    expect(await node().extend(request([resource]))).toEqual({ kind: "extended" });
    await expectHeld(harness(), resource, MINE, LONG_MS);
  });

  test("extends several resources together", async () => {
    await node().acquire(request(["a", "b"], { ttlMs: 20_000 }));
    expect(await node().extend(request(["a", "b"]))).toEqual({ kind: "extended" });
    for (const resource of ["a", "b"]) await expectHeld(harness(), resource, MINE, LONG_MS);
  });

  test("never shortens: an extension to less than what remains leaves what remains", async () => {
    await harness().set("r", MINE, LONG_MS);
    expect(await node().extend(request(["r"], { ttlMs: 1000 }))).toEqual({ kind: "extended" });
    await expectHeld(harness(), "r", MINE, LONG_MS);
  });

  test("never revives: an extension of a missing key answers missing and creates nothing", async () => {
    expect(await node().extend(request(["r"]))).toEqual({ kind: "missing", resource: "r" });
    expect(await harness().get("r")).toBeNull();
  });

  test("never revives an expired key", async () => {
    await node().acquire(request(["r"], { ttlMs: SHORT_MS }));
    await harness().untilGone("r");
    expect(await node().extend(request(["r"]))).toEqual({ kind: "missing", resource: "r" });
    expect(await harness().get("r")).toBeNull();
  });

  test("answers missing when one of several resources has gone, and does not create it", async () => {
    await harness().set("a", MINE, 20_000);
    expect(await node().extend(request(["a", "b"]))).toEqual({ kind: "missing", resource: "b" });
    expect(await harness().get("b")).toBeNull();
  });

  test("refuses to extend another holder's key and names that holder", async () => {
    await harness().set("r", OTHERS, 20_000);
    expect(await node().extend(request(["r"]))).toMatchObject({
      kind: "refused",
      resource: "r",
      holder: fingerprint(OTHERS),
      foreignType: null,
    });
    await expectHeld(harness(), "r", OTHERS, 20_000);
  });

  test("refuses to extend a key of another type", async () => {
    await harness().setForeign("r");
    expect(await node().extend(request(["r"]))).toMatchObject({ kind: "refused", holder: null, foreignType: "hash" });
  });
}

function orderContract({ harness, node }: World): void {
  test.each([
    { scripts: "known", resources: ["r"] },
    { scripts: "known", resources: ["a", "b"] },
    { scripts: "forgotten", resources: ["r"] },
    { scripts: "forgotten", resources: ["a", "b"] },
  ])("a release sent right behind its acquire leaves no key ($scripts scripts, $resources)", async (given) => {
    if (given.scripts === "forgotten") await harness().forgetScripts();
    const acquired = node().acquire(request(given.resources));
    const released = node().release(releaseOf(given.resources));
    await Promise.all([acquired, released]);
    for (const resource of given.resources) expect(await harness().get(resource)).toBeNull();
  });

  test.each([
    { verb: "acquire", resources: ["r"] },
    { verb: "acquire", resources: ["a", "b"] },
    { verb: "heal", resources: ["r"] },
    { verb: "heal", resources: ["a", "b"] },
  ] as const)(
    "a cancelled $verb takes no further step behind its release ($resources)",
    async ({ verb, resources }) => {
      await harness().forgetScripts();
      let isCancelled = false;
      const asked = node()[verb](request(resources, { isCancelled: () => isCancelled }));
      isCancelled = true;
      const released = node().release(releaseOf(resources));
      await Promise.all([asked, released]);
      for (const resource of resources) expect(await harness().get(resource)).toBeNull();
    },
  );

  test("works on unnoticed when the server forgets its scripts at any moment", async () => {
    for (const resources of [["r"], ["a", "b"]]) {
      await harness().forgetScripts();
      expect(await node().acquire(request(resources, { ttlMs: 20_000 }))).toEqual({ kind: "granted" });
      await harness().forgetScripts();
      expect(await node().extend(request(resources))).toEqual({ kind: "extended" });
      await harness().forgetScripts();
      expect(await node().release(releaseOf(resources))).toEqual({ kind: "released" });
      await harness().forgetScripts();
      expect(await node().heal(request(resources))).toEqual({ kind: "healed" });
    }
  });

  test("executes requests in the order they were sent", async () => {
    const votes = await Promise.all([
      node().acquire(request(["r"], { ttlMs: 20_000 })),
      node().extend(request(["r"])),
      node().acquire(request(["r"], { token: OTHERS })),
      node().release(releaseOf(["r"])),
      node().acquire(request(["r"], { token: OTHERS })),
    ]);
    expect(votes.map((vote) => vote.kind)).toEqual(["granted", "extended", "refused", "released", "granted"]);
    await expectHeld(harness(), "r", OTHERS, LONG_MS);
  });
}
