import { afterEach, describe, expect, test } from "vitest";
import { createMasters, Guard, type GuardMode, type MasterNode, membersOf } from "@/lib/redis";
import type { TestServer } from "../support/redis-server";
import { MasterWorld, OTHER, request, TOKEN } from "../support/test-master";
import { until } from "../support/until";

// R9: a key that would live longer than any lock can. Its clock was put back, or somebody made it permanent.

const MAX_TTL_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A minute, the drift of clocks and the grain of one. */
const LONGEST_MS = 60_602;

const world = new MasterWorld();
afterEach(() => world.clear());

async function nodeUnder(mode: GuardMode): Promise<{ readonly node: MasterNode; readonly server: TestServer }> {
  const server = await world.server();
  const guard = new Guard({ mode, maxTtlMs: MAX_TTL_MS, members: membersOf([server.url]) });
  const [node] = createMasters([server.url], { nodeTimeoutMs: 5000, guard });
  if (node === undefined) throw new Error("no node");
  world.adopt(node);
  await until(() => node.status().state === "up", "the node to be up");
  if (mode !== "off") await node.bootstrap();
  return { node, server };
}

/** An acquire that meets the key, and what the key has left then; null = no expiry. */
async function leftAfterAcquire({ node, server }: Awaited<ReturnType<typeof nodeUnder>>, isFenced = false) {
  if (isFenced) await node.restoreFence({ fence: 1, isGuess: false, isCancelled: () => false });
  const proposal = isFenced ? { proposal: { fence: 2, limit: 3 } } : {};
  const vote = await node.acquire({ ...request(), ...proposal });
  expect(vote.kind).toBe("refused");
  const left = await server.client.pttl("r");
  return left < 0 ? null : left;
}

describe.each([
  ["plain", false],
  ["fenced", true],
])("a %s acquire under the guard", (_, isFenced) => {
  test("gives a token of ours an end that is permanent, or an hour away", async () => {
    const own = await nodeUnder("full");
    await own.server.client.set("r", OTHER);
    const left = await leftAfterAcquire(own, isFenced);
    expect(left).toBeGreaterThan(LONGEST_MS - 10_000);
    expect(left).toBeLessThanOrEqual(LONGEST_MS);
    await own.server.client.set("r", OTHER, "PX", HOUR_MS);
    expect(await leftAfterAcquire(own, isFenced)).toBeLessThanOrEqual(LONGEST_MS);
    expect(await own.server.client.get("r")).toBe(OTHER);
  });

  test.each(["stuck", "0".repeat(32), `${OTHER}0`, "g".repeat(40), "A".repeat(40)])(
    "leaves %s alone, of whose owner it knows nothing",
    async (value) => {
      const own = await nodeUnder("full");
      await own.server.client.set("r", value);
      expect(await leftAfterAcquire(own, isFenced)).toBeNull();
    },
  );
});

test("a lock that is longer than was configured is known to be, and keeps its time", async () => {
  const own = await nodeUnder("full");
  expect(await own.node.acquire(request({ token: OTHER, ttlMs: HOUR_MS }))).toEqual({ kind: "granted" });
  expect(await leftAfterAcquire(own)).toBeGreaterThan(HOUR_MS - 10_000);
});

test("one that is just shorter than the longest keeps its time, too", async () => {
  const own = await nodeUnder("full");
  await own.server.client.set("r", OTHER, "PX", MAX_TTL_MS);
  const left = await leftAfterAcquire(own);
  expect(left).toBeLessThanOrEqual(MAX_TTL_MS);
  expect(left).toBeGreaterThan(MAX_TTL_MS - 10_000);
});

test("without the guard nobody knows how long a lock may be, so every key keeps its time", async () => {
  const own = await nodeUnder("off");
  await own.server.client.set("r", OTHER);
  expect(await own.node.acquire(request({ token: TOKEN }))).toMatchObject({ kind: "refused", remainingMs: null });
  expect(await own.server.client.pttl("r")).toBe(-1);
});
