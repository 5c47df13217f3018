import { afterEach, expect, test } from "vitest";
import { acquireOf, kinds, makeCrowded, releaseOf, scriptCalls } from "../support/batch-requests";
import { MasterWorld } from "../support/test-master";

const world = new MasterWorld();
afterEach(() => world.clear());

test("a batch takes fenced acquires as well, each with a fence of its own, among others and over several resources", async () => {
  const server = await world.server();
  const node = await world.connected(server.url);
  await server.client.set("taken", "somebody", "PX", 30_000);
  const fenced = (resources: string | readonly string[], by: number, fence: number, limit = 9000) =>
    node.acquire(acquireOf(resources, by, { proposal: { fence, limit } }));
  await makeCrowded(node);
  expect(kinds(await Promise.all([fenced("x", 1, 100), fenced("y", 2, 100)]))).toEqual(["error"]);
  await node.restoreFence({ fence: 50, isGuess: false, isCancelled: () => false });
  await makeCrowded(node);
  await server.client.config("RESETSTAT");
  const votes = await Promise.all([
    fenced("a", 1, 100),
    fenced(["b", "c"], 2, 101),
    fenced("taken", 3, 102),
    node.acquire(acquireOf("plain", 4)),
    fenced("a", 5, 103),
    fenced("beyond", 6, 9001),
    node.release(releaseOf("a", 1)),
    fenced("a", 7, 60),
  ]);
  expect(await scriptCalls(server)).toBe(1);
  expect(votes).toMatchObject([
    { kind: "granted", fence: 100 },
    { kind: "granted", fence: 101 },
    { kind: "refused", resource: "taken" },
    { kind: "granted" },
    { kind: "refused", resource: "a" },
    { kind: "error", reason: expect.stringContaining("clock") },
    { kind: "released" },
    // Not what it asked for: the counter of the resource is further.
    { kind: "granted", fence: 101 },
  ]);
  const counters = await Promise.all(["a", "b", "c"].map((name) => server.client.get(`redlock:{guard}:fence:${name}`)));
  expect(counters).toEqual(["101", "101", "101"]);
  expect(await server.client.get("redlock:{guard}:fence")).toBe("101|50");
});
