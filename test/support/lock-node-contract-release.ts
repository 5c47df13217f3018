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
  type World,
} from "./lock-node-harness";

/** The part of the contract about healing and releasing; run by `lockNodeContract`. */
export function releaseContracts(world: World): void {
  healContract(world);
  releaseContract(world);
}

function healContract({ harness, node }: World): void {
  test("heals a missing key with the time that is left", async () => {
    expect(await node().heal(request(["r"], { ttlMs: 20_000 }))).toEqual({ kind: "healed" });
    await expectHeld(harness(), "r", MINE, 20_000);
  });

  test("heals only what is missing: a key that holds the token stays as it is", async () => {
    await harness().set("a", MINE, LONG_MS);
    expect(await node().heal(request(["a", "b"], { ttlMs: 20_000 }))).toEqual({ kind: "healed" });
    await expectHeld(harness(), "a", MINE, LONG_MS);
    await expectHeld(harness(), "b", MINE, 20_000);
  });

  test("refuses to heal over another holder, and then heals none of several", async () => {
    await harness().set("b", OTHERS, LONG_MS);
    expect(await node().heal(request(["a", "b"]))).toMatchObject({
      kind: "refused",
      resource: "b",
      holder: fingerprint(OTHERS),
    });
    expect(await harness().get("a")).toBeNull();
    await expectHeld(harness(), "b", OTHERS, LONG_MS);
  });

  test("refuses to heal over a key of another type", async () => {
    await harness().setForeign("r");
    expect(await node().heal(request(["r"]))).toMatchObject({ kind: "refused", foreignType: "hash" });
  });
}

function releaseContract({ harness, node }: World): void {
  test.each(ODD_NAMES)("releases a lock that holds the token: %j", async (resource) => {
    await node().acquire(request([resource]));
    expect(await node().release(releaseOf([resource]))).toEqual({ kind: "released" });
    expect(await harness().get(resource)).toBeNull();
  });

  test("answers gone for a key that is not there, also a second time", async () => {
    expect(await node().release(releaseOf(["r"]))).toEqual({ kind: "gone" });
    expect(await node().release(releaseOf(["r"]))).toEqual({ kind: "gone" });
  });

  test("a wrong token releases nothing", async () => {
    await harness().set("r", OTHERS, LONG_MS);
    expect(await node().release(releaseOf(["r"]))).toMatchObject({ kind: "refused", holder: fingerprint(OTHERS) });
    await expectHeld(harness(), "r", OTHERS, LONG_MS);
  });

  test("releases nothing of another type", async () => {
    await harness().setForeign("r");
    expect(await node().release(releaseOf(["r"]))).toMatchObject({
      kind: "refused",
      holder: null,
      foreignType: "hash",
    });
    expect(await harness().get("r")).toEqual({ value: null, remainingMs: null });
  });

  test("releases every one of several resources that still holds the token", async () => {
    await harness().set("a", MINE, LONG_MS);
    await harness().set("c", MINE, LONG_MS);
    expect(await node().release(releaseOf(["a", "b", "c"]))).toEqual({ kind: "gone" });
    expect(await harness().get("a")).toBeNull();
    expect(await harness().get("c")).toBeNull();
  });

  test("releases its own among several resources and leaves another holder's", async () => {
    await harness().set("a", OTHERS, LONG_MS);
    await harness().set("b", MINE, LONG_MS);
    expect(await node().release(releaseOf(["a", "b"]))).toMatchObject({ kind: "refused", resource: "a" });
    await expectHeld(harness(), "a", OTHERS, LONG_MS);
    expect(await harness().get("b")).toBeNull();
  });
}
