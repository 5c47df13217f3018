import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServerShim, type ServerShim, type ShimBuild } from "@/lib/cluster";
import { startRedisServers, type TestServers } from "../support/redis-server";
import { until } from "../support/until";

let folder: string;
let build: ShimBuild;
const started: TestServers[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "redlock-shim-test-"));
  build = await buildServerShim(folder);
});
afterAll(async () => {
  await Promise.all(started.map((servers) => servers.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** A server under the shim, or the test is skipped with the reason why there is none. */
async function shimmed(skip: (note: string) => never, name: string, args: readonly string[] = []) {
  if (build.kind === "unavailable") return skip(build.reason);
  const shim = build.forServer(name);
  const servers = await startRedisServers(1, args, shim.env);
  started.push(servers);
  const [server] = servers.servers;
  if (server === undefined) throw new Error("no server");
  const aheadMs = async (): Promise<number> => {
    const [seconds, microseconds] = await server.client.time();
    return Number(seconds) * 1000 + Number(microseconds) / 1000 - Date.now();
  };
  return { shim, server, aheadMs };
}

/** Between the step and its reading a busy machine may take its time, but never seconds. */
const NEAR_MS = 2000;

test("the clock of a server is put ten seconds forward and right again, and keys end by it", async ({ skip }) => {
  const { shim, server, aheadMs } = await shimmed(skip, "clock");
  await server.client.set("key", "", "PX", 9000);
  shim.stepClock(10_000);
  // Valkey 9 looks at the wall clock a few times a second, and reckons in between.
  await until(async () => Math.abs((await aheadMs()) - 10_000) < NEAR_MS, "the server to go by its clock");
  expect(await server.client.exists("key")).toBe(0);
  shim.stepClock(0);
  await until(async () => Math.abs(await aheadMs()) < NEAR_MS, "the clock to be right again");
});

test("an hour and some milliseconds back, which no unsigned number survives, and so it stays through a restart", async ({
  skip,
}) => {
  const { shim, server, aheadMs } = await shimmed(skip, "back");
  await server.client.set("key", "", "PX", 4000);
  shim.stepClock(-3_600_999);
  await until(async () => Math.abs((await aheadMs()) + 3_600_999) < NEAR_MS, "the server to go by its clock");
  expect(await server.client.pttl("key")).toBeGreaterThan(3_600_000);
  const before = shim.loadedBy;
  await server.restart();
  expect(shim.loadedBy).not.toBe(before);
  expect(Math.abs((await aheadMs()) + 3_600_999)).toBeLessThan(NEAR_MS);
});

test("a disk takes as long as told, and is as quick as before once it is well", async ({ skip }) => {
  const { shim, server } = await shimmed(skip, "disk", ["--appendonly", "yes", "--appendfsync", "always"]);
  const tookMs = async (): Promise<number> => {
    const from = performance.now();
    await server.client.set("key", "");
    return performance.now() - from;
  };
  shim.delayFsync(1500);
  expect(await tookMs()).toBeGreaterThanOrEqual(1499);
  shim.delayFsync(60_000);
  const slow = tookMs();
  shim.delayFsync(0);
  expect(await slow).toBeLessThan(20_000);
});

test("a server says that it has loaded the shim, and nobody else does", async ({ skip }) => {
  const { shim, server } = await shimmed(skip, "loaded");
  expect(await server.client.info("server")).toContain(`process_id:${shim.loadedBy}`);
  const other = build.kind === "built" ? build.forServer("unused") : null;
  expect(other?.loadedBy).toBeNull();
});

test("without a compiler, with a broken one, and elsewhere than on Linux it says why there is none", async () => {
  const missing = await buildServerShim(folder, { compilers: ["no-such-compiler-1", "no-such-compiler-2"] });
  expect(missing).toEqual({
    kind: "unavailable",
    reason: expect.stringMatching(/^no C compiler \(no-such-compiler-1, no-such-compiler-2\).* install one/),
  });
  expect(await buildServerShim(folder, { compilers: ["false"] })).toEqual({
    kind: "unavailable",
    reason: expect.stringMatching(/^false could not compile it: ./),
  });
  expect(await buildServerShim(folder, { platform: "darwin" })).toEqual({
    kind: "unavailable",
    reason: "it works on Linux only, and this is darwin",
  });
});

test("orders that are no times are refused", async ({ skip }) => {
  if (build.kind === "unavailable") return skip(build.reason);
  const shim: ServerShim = build.forServer("orders");
  expect(() => shim.stepClock(0.5)).toThrow("ms must be an integer, got 0.5");
  expect(() => shim.delayFsync(-1)).toThrow("ms must not be negative, got -1");
});
