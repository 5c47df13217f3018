import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  acquireAnswerSchema,
  auditListSchema,
  bootstrapAnswerSchema,
  clusterSchema,
  drainAnswerSchema,
  lockDetailSchema,
  resourceIdOf,
} from "@/lib/contract";
import { getRuntime } from "@/lib/runtime";
import { callApi, dataOf, errorOf } from "../support/api";
import { until } from "../support/until";

// The restart guard on the embedded cluster, as an operator meets it.

const dataDir = mkdtempSync(join(tmpdir(), "redlock-guard-"));

beforeAll(async () => {
  process.env.REDLOCK_DATA_DIR = dataDir;
  process.env.REDLOCK_NODE_TIMEOUT_MS = "250";
  process.env.REDLOCK_LOG_LEVEL = "error";
  await getRuntime();
});
afterAll(async () => {
  await (await getRuntime()).shutdown();
  rmSync(dataDir, { recursive: true, force: true });
});

const cluster = () => dataOf(callApi("cluster"), clusterSchema);
const nodeE = async () => (await cluster()).nodes.find(({ id }) => id === "e");
const fault = (kind: string) => callApi("cluster/nodes/e/faults", { method: "POST", body: { fault: kind } });
const heal = (data: string) => callApi(`cluster/nodes/e/faults?data=${data}`, { method: "DELETE" });
const acquire = (resource: string) =>
  dataOf(callApi("locks", { method: "POST", body: { resources: [resource], ttlMs: 30_000 } }), acquireAnswerSchema);
const bootstrap = (body: object) => callApi("cluster/bootstrap", { method: "POST", body });

test("a cluster that the console started itself votes at once, and its markers are no locks", async () => {
  expect(await cluster()).toMatchObject({ voting: 5, canLose: 2, guard: { mode: "full", quarantineMs: 60_602 } });
  expect((await acquire("first")).votes.map(({ vote }) => vote)).toEqual(Array(5).fill("granted"));
  const { locks } = (await (await callApi("locks")).json()).data;
  expect(locks.map(({ resource }: { resource: string }) => resource)).toEqual(["first"]);
});

test("a node that is killed and comes back with its data votes at once, and knows what it granted", async () => {
  // Its marker says so once the first look at it is done.
  await until(async () => (await nodeE())?.persistence === "aof always", "the persistence to be known");
  await fault("kill");
  await heal("keep");
  await until(async () => (await cluster()).voting === 5, "all to vote");
  expect((await acquire("first")).votes.map(({ vote }) => vote)).toEqual(Array(5).fill("refused"));
});

test("a node that comes back empty is kept out, says why and for how long, and an operator can let it in", async () => {
  await fault("stop");
  await heal("empty");
  expect((await cluster()).voting).toBe(4);
  await until(async () => (await nodeE())?.quarantineReason !== null, "the quarantine");
  // Reading and voting have a connection each; the vote needs the latter.
  await until(async () => (await nodeE())?.state !== "down", "the node to be back");
  const node = await nodeE();
  expect(node?.quarantinedForMs).toBeGreaterThan(30_000);
  expect(node?.quarantineReason).toMatch(/marker is missing/);
  expect(await cluster()).toMatchObject({ voting: 4, canLose: 1 });

  const { outcome, votes } = await acquire("second");
  expect(outcome).toBe("acquired");
  expect(votes.find((vote) => vote.node === "e")).toMatchObject({ vote: "quarantined", reason: expect.any(String) });
  const detail = await dataOf(callApi(`locks/${resourceIdOf("second")}`), lockDetailSchema);
  expect(detail.nodes.filter(({ quarantined }) => quarantined).map(({ node: id }) => id)).toEqual(["e"]);

  expect(await errorOf(bootstrap({}))).toMatchObject({ status: 400 });
  const { nodes } = await dataOf(bootstrap({ reason: "nothing is held" }), bootstrapAnswerSchema);
  expect(nodes).toEqual([..."abcde"].map((id) => ({ node: id, admitted: true, reason: null })));
  expect((await cluster()).voting).toBe(5);
  const { entries } = await dataOf(callApi("audit?action=cluster.bootstrapped"), auditListSchema);
  expect(entries[0]).toMatchObject({ phase: "outcome", reason: "nothing is held", outcome: "admitted 5 of 5" });
});

test("a node that is drained, stopped and started with its data votes again when it is undrained, on record", async () => {
  const drain = (method: "POST" | "DELETE", body?: object) => callApi("cluster/nodes/e/drain", { method, body });
  expect(await errorOf(drain("POST", {}))).toMatchObject({ status: 400 });
  expect(await errorOf(callApi("cluster/nodes/x/drain", { method: "DELETE" }))).toMatchObject({ status: 404 });
  await dataOf(drain("POST", { reason: "new kernel" }), drainAnswerSchema);
  await until(async () => (await nodeE())?.condition === "drained", "the drain");
  expect(await cluster()).toMatchObject({ voting: 4, canLose: 1 });
  expect(await nodeE()).toMatchObject({ condition: "drained", undrainable: true, quarantinedForMs: 0 });
  await fault("stop");
  await heal("keep");
  await until(async () => (await nodeE())?.undrainable === true, "the node to be back and undrainable");
  expect((await cluster()).voting).toBe(4);
  await dataOf(drain("DELETE"), drainAnswerSchema);
  await until(async () => (await cluster()).voting === 5, "all to vote");
  const { entries } = await dataOf(callApi("audit?action=node.drained"), auditListSchema);
  expect(entries[0]).toMatchObject({ phase: "outcome", target: "e", reason: "new kernel" });
});
