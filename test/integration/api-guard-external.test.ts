import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acquireAnswerSchema, bootstrapAnswerSchema, clusterSchema, lockDetailSchema } from "@/lib/contract";
import { getRuntime } from "@/lib/runtime";
import { callApi, dataOf, errorOf } from "../support/api";
import { startRedisServers } from "../support/redis-server";

// The restart guard, asked for, on masters that were never used under it; and an operator's limit of the TTL.

const dataDir = mkdtempSync(join(tmpdir(), "redlock-guard-"));
let servers: Awaited<ReturnType<typeof startRedisServers>>;

beforeAll(async () => {
  servers = await startRedisServers(3);
  process.env.REDLOCK_NODES = servers.servers.map(({ url }, index) => `${url}#${"abc"[index]}`).join(",");
  process.env.REDLOCK_GUARD = "full";
  process.env.REDLOCK_MAX_TTL_MS = "40000";
  process.env.REDLOCK_NODE_TIMEOUT_MS = "250";
  process.env.REDLOCK_DATA_DIR = dataDir;
  process.env.REDLOCK_LOG_LEVEL = "error";
  await getRuntime();
});
afterAll(async () => {
  await (await getRuntime()).shutdown();
  await servers.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const acquire = (ttlMs: number) => callApi("locks", { method: "POST", body: { resources: ["r"], ttlMs } });

test("the first use waits, says for how long and what ends it, until an operator bootstraps", async () => {
  const answer = await dataOf(acquire(10_000), acquireAnswerSchema);
  expect(answer.outcome).toBe("not_acquired");
  expect(answer.votes.map(({ vote }) => vote)).toEqual(["quarantined", "quarantined", "quarantined"]);
  expect(answer.reason).toMatch(/3 are quarantined, for \d+ s more: wait, or bootstrap/);
  const cluster = await dataOf(callApi("cluster"), clusterSchema);
  expect(cluster).toMatchObject({ voting: 0, canLose: -2, guard: { mode: "full", quarantineMs: 40_402 } });
  const { obstacles, nextChance } = await dataOf(callApi("locks/r"), lockDetailSchema);
  expect(obstacles.map(({ reason }) => reason.slice(0, 12))).toEqual(Array(3).fill("Quarantined:"));
  expect(nextChance.inMs).toBeGreaterThan(1000);
  expect(nextChance.inMs).toBeLessThanOrEqual(40_402);
  const body = { reason: "fresh masters" };
  await dataOf(callApi("cluster/bootstrap", { method: "POST", body }), bootstrapAnswerSchema);
  expect((await dataOf(acquire(10_000), acquireAnswerSchema)).outcome).toBe("acquired");
});

test("a lock longer than the operator's limit is refused before anything is sent", async () => {
  expect(await errorOf(acquire(40_001))).toMatchObject({
    status: 400,
    code: "invalid_request",
    details: [{ field: "ttlMs", value: 40_001, rule: expect.stringContaining("REDLOCK_MAX_TTL_MS") }],
  });
});
