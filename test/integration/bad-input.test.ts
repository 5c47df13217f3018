import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Redlock, type RedlockSettings } from "@/lib/redis";
import { type CallSettings, type LockKey, nodeId } from "@/lib/redlock";
import { CommandLog } from "../support/command-log";
import { startMeddlingProxy } from "../support/meddling-proxy";
import { startRedisServers, type TestServers } from "../support/redis-server";
import { until } from "../support/until";

/** No hash or random token holds this, as it may three letters that are hexadecimal digits. */
const BAD = "never-sent";

// Input that is refused with the reason: the servers themselves say what reached them.

let servers: TestServers;
const log = new CommandLog();
const open: Redlock[] = [];
beforeAll(async () => {
  servers = await startRedisServers(3);
});
afterAll(() => servers.stop());
beforeEach(() => log.watch(servers.servers));
afterEach(async () => {
  log.close();
  await Promise.all(open.splice(0).map((redlock) => redlock.quit()));
  await Promise.all(servers.servers.map((server) => server.client.flushall()));
});

const urls = (): readonly string[] => servers.servers.map(({ url }) => url);

function redlockOn(given: readonly string[], settings: RedlockSettings = {}): Redlock {
  const redlock = new Redlock(given, { nodeTimeoutMs: 2000, retryCount: 0, ...settings });
  open.push(redlock);
  return redlock;
}

describe("nothing is sent for", () => {
  const bareKey = (key: { resources: readonly string[]; token: string }) => key as LockKey;

  test.each<[string, RedlockSettings, (redlock: Redlock) => Promise<unknown>, string]>([
    ["a ttl above the maximum", { maxTtlMs: 5000 }, (redlock) => redlock.acquire([BAD], 5001), "from 10 to 5000"],
    [
      "a ttl that clocks eat up",
      { clockErrorMs: 400 },
      (redlock) => redlock.acquire([BAD], 800),
      "clockErrorMs is 400",
    ],
    ["a ttl of no use", { minValidityMs: 900 }, (redlock) => redlock.acquire([BAD], 900), "minValidityMs"],
    [
      "a quorum of one",
      {},
      (redlock) => redlock.acquire([BAD], 900, { quorum: 1 } as CallSettings),
      "quorum must be set",
    ],
    ["an empty key", {}, (redlock) => redlock.acquire([BAD, ""], 900), "non-empty"],
    [
      "a release by a token with a NUL",
      {},
      (redlock) => redlock.release(bareKey({ resources: [BAD], token: "a\0b" })),
      "NUL",
    ],
    [
      "an extension by one",
      {},
      (redlock) => redlock.tryExtend(bareKey({ resources: [BAD], token: "a\0b" }), 900),
      "NUL",
    ],
    [
      "a release without a key",
      {},
      (redlock) => redlock.release(bareKey({ resources: [""], token: "ab" })),
      "non-empty",
    ],
  ])("%s", async (_, settings, attempt, reason) => {
    const redlock = redlockOn(urls(), settings);
    await expect(attempt(redlock)).rejects.toThrow(reason);
    // On the same connections, so behind whatever was sent: it is all that they see.
    await redlock.acquire(["good"], 5000);
    await log.untilEachSaw("good");
    expect([log.count(BAD), log.count("EVALSHA")]).toEqual([0, log.count("good")]);
  });

  test("a ttl above that of the guard, where one was named", async () => {
    const redlock = redlockOn(urls(), { guard: { mode: "full", maxTtlMs: 300 } });
    await expect(redlock.acquire([BAD], 301)).rejects.toThrow("ttlMs must be an integer from 10 to 300, got 301");
    await until(async () => (await redlock.tryAcquire(["good"], 300)).kind === "acquired", "the quarantine to end");
    await log.untilEachSaw("good");
    expect(log.count(BAD)).toBe(0);
  });
});

describe("the same server twice", () => {
  test.each([
    ["under one name", ["redis://127.0.0.1:7001", "redis://127.0.0.1:7001"]],
    ["under two labels", ["redis://127.0.0.1:7001#a", "redis://127.0.0.1:7001#b"]],
    ["with two databases", ["redis://127.0.0.1:7001/0", "redis://127.0.0.1:7001/1"]],
  ])("is refused at once %s", (_, given) => {
    expect(() => new Redlock(given)).toThrow("127.0.0.1:7001 twice");
  });

  test("through another port or name is found when both are connected, and has one vote", async () => {
    const [a, b] = servers.servers;
    if (a === undefined || b === undefined) throw new Error("no servers");
    const proxy = await startMeddlingProxy(a.port);
    try {
      const errors: string[] = [];
      const another = `redis://127.0.0.1:${proxy.port}/3#proxied`;
      const redlock = redlockOn([`redis://127.0.0.1:${a.port}#a`, `redis://localhost:${a.port}#named`, another]);
      redlock.on("error", ({ message }) => errors.push(message));
      await until(async () => {
        const { kind, ballots } = await redlock.tryAcquire(["r"], 5000);
        expect(kind).toBe("not_acquired");
        return ballots.filter(({ vote }) => vote.kind === "error").length === 2;
      }, "both other names to be found out");
      const { ballots } = await redlock.tryAcquire(["r"], 5000);
      const reasonOf = (name: string) => ballots.find(({ node }) => node === nodeId(name))?.vote;
      const reason = expect.stringMatching(/the same server as node a, so its vote would count twice/);
      expect(reasonOf("named")).toEqual({ kind: "error", reason });
      expect(reasonOf("proxied")).toEqual({ kind: "error", reason });
      expect(await b.client.exists("r")).toBe(0);
    } finally {
      await proxy.close();
    }
  });
});
