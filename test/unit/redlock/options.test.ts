import { describe, expect, test } from "vitest";
import { type CallSettings, type Settings, TTL_MS_MAX, TTL_MS_MIN } from "@/lib/redlock";
import { makeRig } from "../../support/redlock-rig";

describe("bad arguments are refused up front, by name and value", () => {
  const { engine } = makeRig(5);

  test.each([0, -1, 9, TTL_MS_MAX + 1, 10.5, Number.NaN, Number.POSITIVE_INFINITY])("ttl %d", async (ttlMs) => {
    await expect(engine.tryAcquire(["r"], ttlMs)).rejects.toThrow(`got ${ttlMs}`);
    await expect(engine.tryAcquire(["r"], ttlMs)).rejects.toThrow(RangeError);
    await expect(engine.acquire(["r"], ttlMs)).rejects.toThrow("ttlMs");
    await expect(engine.using(["r"], ttlMs, async () => {})).rejects.toThrow("ttlMs");
  });

  test("a ttl that is no number", async () => {
    const ttlMs = "1000" as unknown as number;
    await expect(engine.tryAcquire(["r"], ttlMs)).rejects.toThrow(TypeError);
  });

  test.each([TTL_MS_MIN, 1000, TTL_MS_MAX])("a ttl of %i ms is fine", async (ttlMs) => {
    const { engine: own, clock } = makeRig(5);
    expect((await clock.until(own.tryAcquire(["r"], ttlMs))).kind).toBe("acquired");
  });

  test.each<[string, unknown]>([
    ["an empty list", []],
    ["an empty name", [""]],
    ["an empty name among others", ["a", ""]],
    ["a name that is no string", [42]],
    ["a bare string", "orders:42"],
  ])("resources: %s", async (_, resources) => {
    await expect(engine.tryAcquire(resources as string[], 1000)).rejects.toThrow(TypeError);
    await expect(engine.tryAcquire(resources as string[], 1000)).rejects.toThrow("resources");
  });

  test.each<[keyof CallSettings, number]>([
    ["retryCount", -2],
    ["retryCount", 1.5],
    ["retryCount", Number.NaN],
    ["retryDelay", -1],
    ["retryJitter", -1],
    ["retryJitter", Number.NaN],
    ["driftFactor", -0.1],
    ["driftFactor", 1],
    ["automaticExtensionThreshold", -1],
    ["minValidityMs", -1],
    ["maxExtensions", -1],
    ["maxHoldMs", 0],
    ["waitMs", -1],
    ["waitMs", Number.POSITIVE_INFINITY],
  ])("setting %s = %d of one call", async (name, value) => {
    await expect(engine.acquire(["r"], 1000, { [name]: value })).rejects.toThrow(RangeError);
    await expect(engine.acquire(["r"], 1000, { [name]: value })).rejects.toThrow(`${name} must be`);
  });

  test.each<[keyof Settings, number]>([
    ["nodeTimeoutMs", 0],
    ["nodeTimeoutMs", Number.NaN],
    ["quorum", 2],
    ["quorum", 6],
    ["quorum", 3.5],
  ])("setting %s = %d of an engine of five nodes", (name, value) => {
    expect(() => makeRig(5, { [name]: value })).toThrow(RangeError);
    expect(() => makeRig(5, { [name]: value })).toThrow(name);
  });

  test("no node at all, and two nodes of one name", () => {
    expect(() => makeRig(0)).toThrow(RangeError);
    const { links, clock } = makeRig(1);
    const [node] = links;
    const build = () =>
      new (engine.constructor as new (...given: unknown[]) => unknown)([node, node], { clock, random: null });
    expect(build).toThrow("a twice");
  });

  test("a bare key without token or resources", async () => {
    await expect(engine.release({ resources: ["r"], token: "" as never })).rejects.toThrow(TypeError);
    await expect(engine.tryExtend({ resources: [], token: "x" as never }, 1000)).rejects.toThrow(TypeError);
  });
});

describe("settings", () => {
  test("have node-redlock's names and these defaults", () => {
    expect(makeRig(5).engine.settings).toEqual({
      driftFactor: 0.01,
      retryCount: 10,
      retryDelay: 200,
      retryJitter: 200,
      automaticExtensionThreshold: 500,
      nodeTimeoutMs: 50,
      quorum: 3,
      minValidityMs: 0,
      maxExtensions: Number.POSITIVE_INFINITY,
      maxHoldMs: Number.POSITIVE_INFINITY,
      clockErrorMs: 0,
      maxTtlMs: TTL_MS_MAX,
      fencing: false,
      fair: false,
      handOverMs: 200,
    });
  });

  test("that are undefined fall back to the default, those that are 0 do not", () => {
    const { engine } = makeRig(3, { retryCount: 0, retryDelay: undefined });
    expect(engine.settings).toMatchObject({ retryCount: 0, retryDelay: 200 });
  });
});

describe("resources", () => {
  test("that are named twice are locked once, so that the release finds each where it left it", async () => {
    const { engine, clock, values } = makeRig(5);
    const lock = await clock.until(engine.acquire(["b", "a", "b"], 1000));
    expect(lock.resources).toEqual(["a", "b"]);
    expect((await clock.until(lock.release())).kind).toBe("released");
    expect(values("b")).toEqual([null, null, null, null, null]);
  });
});
