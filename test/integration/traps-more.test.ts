import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { MasterWorld, OTHER, RELEASE, request, TOKEN, untilState } from "../support/test-master";
import { until } from "../support/until";

// The smaller traps below the table of 25; the others of that line are in options.test.ts and redlock-healthy.test.ts.

let world: RealRedlock;
beforeAll(async () => {
  world = await startRealRedlock({ up: 5 }, { nodeTimeoutMs: 300, retryCount: 0 });
});
afterAll(() => world.stop());
const single = new MasterWorld();
afterEach(() => single.clear());

test("three frozen nodes: an acquire settles within the time limit of a node, and the next one at once", async () => {
  for (const server of world.servers.slice(0, 3)) server.pause();
  const startedAt = performance.now();
  const first = await world.redlock.tryAcquire(["frozen"], 60_000);
  expect(first).toMatchObject({ kind: "not_acquired", refusal: "quorum_unreachable" });
  expect(first.ballots.filter(({ vote }) => vote.kind === "timeout")).toHaveLength(3);
  const second = await world.redlock.tryAcquire(["frozen"], 60_000);
  expect(second.ballots.filter(({ vote }) => vote.kind === "unreachable")).toHaveLength(3);
  // Its TTL would have allowed thirty seconds.
  expect(performance.now() - startedAt).toBeLessThan(2000);
  for (const server of world.servers) server.resume();
  await until(() => world.masters.every((master) => master.status().state === "up"), "all nodes to be up again");
  await world.untilFree("frozen");
});

test("a key without TTL is reported as what it is, and never taken over", async () => {
  await Promise.all(world.servers.slice(0, 3).map(({ client }) => client.set("stuck", "somebody else")));
  const outcome = await world.redlock.tryAcquire(["stuck"], 10_000);
  expect(outcome).toMatchObject({ kind: "not_acquired", refusal: "held_by_other" });
  for (const { vote } of (await outcome.settled()).slice(0, 3)) {
    expect(vote).toMatchObject({ kind: "refused", resource: "stuck", remainingMs: null, foreignType: null });
  }
  await expect(world.redlock.acquire(["stuck"], 10_000)).rejects.toThrow(/no expiry/);
  expect((await world.values("stuck")).slice(0, 3)).toEqual(Array(3).fill("somebody else"));
});

test("a script killed by ACL: no vote, in the server's words and without the token, and nothing is left half done", async () => {
  const server = await single.server();
  await server.client.call("ACL", "SETUSER", "locker", "on", ">secret", "~*", "+@all");
  const node = single.master(`redis://locker:secret@127.0.0.1:${server.port}#a`);
  await untilState(node, "up");
  // Only now: what is missing from the start is found before the first vote.
  await server.client.call("ACL", "SETUSER", "locker", "-set");
  const vote = await node.acquire(request());
  expect(vote).toMatchObject({
    kind: "error",
    reason: expect.stringMatching(/can't run this command|NOPERM|no permissions/),
  });
  expect(JSON.stringify(vote)).not.toContain(TOKEN.slice(0, 8));
  await server.client.set("r", TOKEN, "PX", 60_000);
  await server.client.call("ACL", "SETUSER", "locker", "+set", "-del");
  // Where there is such a command it is a right of its own.
  for (const native of ["-delex", "-delifeq"])
    await server.client.call("ACL", "SETUSER", "locker", native).catch(() => {});
  expect(await node.acquire(request({ token: OTHER }))).toMatchObject({ kind: "refused" });
  expect(await node.release(RELEASE)).toMatchObject({ kind: "error" });
  expect(await server.client.get("r")).toBe(TOKEN);
  await server.client.call("ACL", "SETUSER", "locker", "+del");
  await until(async () => (await server.client.exists("r")) === 0, "the release to be repeated once it may be");
});

test("MISCONF blocks release: it is an answer and no exception, and the release is repeated until it is done", async () => {
  const folder = mkdtempSync(join(tmpdir(), "redlock-misconf-"));
  const server = await single.server("--dir", folder, "--save", "3600 1");
  const node = await single.connected(server.url);
  expect(await node.acquire(request())).toEqual({ kind: "granted" });
  rmSync(folder, { recursive: true });
  await server.client.bgsave();
  await until(async () => (await server.client.info("persistence")).includes("bgsave_status:err"), "the save to fail");

  expect(await node.release(RELEASE)).toMatchObject({ kind: "error", reason: expect.stringContaining("MISCONF") });
  expect(await node.acquire(request({ resources: ["other"] }))).toMatchObject({ kind: "error" });
  await until(() => node.status().condition === "degraded", "the node to be degraded");
  expect(node.outstandingReleases).toBe(1);
  expect(await server.client.get("r")).toBe(TOKEN);

  await server.client.config("SET", "stop-writes-on-bgsave-error", "no");
  await until(async () => (await server.client.exists("r")) === 0, "the key to be gone");
  await until(() => node.outstandingReleases === 0, "the clean-up to be done");
});
