import { beforeEach, describe, expect, test } from "vitest";
import { bytesOfKey, type CallSettings, keyFromBytes, RedlockEngine } from "@/lib/redlock";
import { checkResources } from "@/lib/redlock/options";
import { KEY_BYTES_MAX } from "@/lib/redlock/resource-key";
import { makeRig, type Rig } from "../../support/redlock-rig";

// Input that is refused with the reason, before anything is sent to a node.

const TTL_MS_MAX = 60_000;

let rig: Rig;
beforeEach(() => {
  rig = makeRig(5, { maxTtlMs: TTL_MS_MAX });
});

function sent(): number {
  return rig.links.flatMap((link) => Object.values(link.sent)).reduce((sum, count) => sum + count, 0);
}

/** Each verb with these arguments. @returns what each said */
async function refusals(resources: readonly string[], ttlMs: number, settings?: CallSettings): Promise<unknown[]> {
  const { engine } = rig;
  const attempts = [
    () => engine.tryAcquire(resources, ttlMs, settings),
    () => engine.acquire(resources, ttlMs, settings),
    () => engine.using(resources, ttlMs, settings ?? {}, async () => expect.unreachable("the routine ran")),
  ];
  return Promise.all(attempts.map((attempt) => attempt().then(() => "accepted", String)));
}

test("a ttl above the guarded maximum, at an acquire and at an extension", async () => {
  const reason = `RangeError: ttlMs must be an integer from 10 to ${TTL_MS_MAX}, got ${TTL_MS_MAX + 1}`;
  expect(await refusals(["r"], TTL_MS_MAX + 1)).toEqual([reason, reason, reason]);
  expect(sent()).toBe(0);
  const lock = await rig.clock.until(rig.engine.acquire(["r"], TTL_MS_MAX));
  const before = sent();
  await expect(lock.extend(TTL_MS_MAX + 1)).rejects.toThrow(reason.slice("RangeError: ".length));
  await expect(rig.engine.tryExtend(lock, TTL_MS_MAX + 1)).rejects.toThrow("ttlMs");
  expect(() => rig.engine.keepAlive(lock, TTL_MS_MAX + 1)).toThrow("ttlMs");
  expect(sent()).toBe(before);
});

describe("a quorum below the majority", () => {
  test("of an engine", () => {
    expect(() => makeRig(5, { quorum: 2 })).toThrow("quorum must be between 3 and 5, got 2");
    expect(() => makeRig(4, { quorum: 2 })).toThrow("quorum must be between 3 and 4, got 2");
  });

  test("of one call, for which there is no such option: it is not passed over in silence", async () => {
    const reason = "TypeError: quorum must be set for the engine, not for one call, got 2 instead of 3";
    expect(await refusals(["r"], 1000, { quorum: 2 } as CallSettings)).toEqual([reason, reason, reason]);
    expect(sent()).toBe(0);
  });

  test("the engine's own settings may be handed on to a call", async () => {
    const { engine, clock } = rig;
    const settings: CallSettings = { ...engine.settings, retryCount: 0 };
    expect((await clock.until(engine.tryAcquire(["r"], 1000, settings))).kind).toBe("acquired");
  });
});

test("the same node twice", () => {
  const [first] = rig.links;
  if (first === undefined) throw new Error("no node");
  const ports = { clock: rig.clock, random: { token: () => "x" as never, fraction: () => 0 } };
  expect(() => new RedlockEngine([first, first], ports)).toThrow("nodes must have different names, got a twice");
  expect(sent()).toBe(0);
});

test("a key without a name", async () => {
  const reason = 'TypeError: resources must be non-empty strings, got ""';
  expect(await refusals(["r", ""], 1000)).toEqual([reason, reason, reason]);
  const token = "x" as never;
  await expect(rig.engine.release({ resources: [""], token })).rejects.toThrow("non-empty");
  await expect(rig.engine.tryExtend({ resources: [""], token }, 1000)).rejects.toThrow("non-empty");
  expect(sent()).toBe(0);
});

describe("a key that is longer than Redis takes, in bytes of UTF-8", () => {
  const reason = "resources must be at most 8 bytes long each, got one of more";

  test.each(["123456789", "12345678é", "€€€", "🔒🔒1", "é".repeat(5)])("%s is refused", (name) => {
    expect(new TextEncoder().encode(name).length).toBeGreaterThan(8);
    expect(() => checkResources(["r", name], 8)).toThrow(reason);
    expect(() => checkResources(["r", name], 8)).toThrow(RangeError);
  });

  test.each(["12345678", "123456é", "€€é", "🔒🔒", "é".repeat(4)])("%s is not", (name) => {
    expect(new TextEncoder().encode(name).length).toBe(8);
    expect(checkResources([name], 8)).toEqual([name]);
  });

  test("of one that is no text its bytes count", () => {
    const name = keyFromBytes(new Uint8Array(8).fill(0xff));
    expect(bytesOfKey(name)).toHaveLength(8);
    expect(checkResources([name], 8)).toEqual([name]);
    expect(() => checkResources([name], 7)).toThrow("at most 7 bytes");
  });

  test("without another limit it is that of Redis", () => {
    expect(KEY_BYTES_MAX).toBe(2 ** 29 - 1);
    expect(checkResources(["r".repeat(1_000_000)])).toHaveLength(1);
  });
});

test("a token that a caller hands in with a NUL in it, or without anything in it", async () => {
  for (const [token, reason] of [
    ["abc\0def", "token must not contain a NUL character"],
    ["\0", "token must not contain a NUL character"],
    ["", "token must be a non-empty string"],
  ] as const) {
    const key = { resources: ["r"], token: token as never };
    await expect(rig.engine.release(key)).rejects.toThrow(reason);
    await expect(rig.engine.tryExtend(key, 1000)).rejects.toThrow(reason);
  }
  expect(sent()).toBe(0);
});
