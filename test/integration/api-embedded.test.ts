import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type Cluster, clusterSchema, lockListSchema, lockSchema, type StreamEvents, scanSchema } from "@/lib/contract";
import { getRuntime } from "@/lib/runtime";
import { callApi, dataOf, errorOf } from "../support/api";
import { until } from "../support/until";

const dataDir = mkdtempSync(join(tmpdir(), "redlock-api-"));

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
const list = () => dataOf(callApi("locks"), lockListSchema);
const nodeOf = ({ nodes }: Cluster, name: string) => nodes.find(({ id }) => id === name);

interface Received {
  readonly name: string;
  readonly data: unknown;
}

/** Reads events until `isEnough`; closes the stream. */
async function eventsUntil(isEnough: (events: readonly Received[]) => boolean, act: () => Promise<unknown>) {
  const leaving = new AbortController();
  const response = await callApi("events", { signal: leaving.signal });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const events: Received[] = [];
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let hasActed = false;
  while (reader !== undefined && !isEnough(events)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const name = /^event: (.+)$/m.exec(block)?.[1];
      if (name === undefined) continue;
      expect(block).toMatch(/^id: \d+$/m);
      events.push({ name, data: JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? "null") });
    }
    if (events.length > 0 && !hasActed) {
      hasActed = true;
      void act();
    }
  }
  leaving.abort();
  return events;
}

test("a node can be stopped and started, and is reported as it is", async () => {
  const stopped = await dataOf(
    callApi("cluster/nodes/e/faults", { method: "POST", body: { fault: "stop" } }),
    clusterSchema,
  );
  expect(nodeOf(stopped, "e")?.process?.state).toBe("stopped");
  await until(async () => (await cluster()).voting === 4, "the node to be missed");
  await dataOf(callApi("cluster/nodes/e/faults?data=keep", { method: "DELETE" }), clusterSchema);
  await until(async () => (await cluster()).voting === 5, "the node to be back");
});

test("a fault needs a node that exists and a fault that exists", async () => {
  const body = { fault: "stop" };
  expect(await errorOf(callApi("cluster/nodes/z/faults", { method: "POST", body }))).toMatchObject({ status: 404 });
  const wrong = await errorOf(callApi("cluster/nodes/a/faults", { method: "POST", body: { fault: "explode" } }));
  expect(wrong).toMatchObject({ status: 400, details: [{ field: "fault", value: "explode" }] });
});

test("the stream begins with a snapshot and tells of a lock and the action behind it", async () => {
  const seen = (events: readonly Received[]) =>
    z
      .array(lockSchema)
      .parse(events.flatMap(({ name, data }) => (name === "locks" ? (data as StreamEvents["locks"]).changed : [])))
      // The nodes tell of it one after another.
      .find(({ resource, votes }) => resource === "streamed" && votes === 5);
  const actionOf = (events: readonly Received[]) => events.find(({ name }) => name === "action");
  const events = await eventsUntil(
    (received) => seen(received) !== undefined && actionOf(received) !== undefined,
    () => callApi("locks", { method: "POST", body: { resources: ["streamed"], ttlMs: 5000 } }),
  );
  expect(events[0]?.name).toBe("snapshot");
  const snapshot = events[0]?.data as StreamEvents["snapshot"];
  clusterSchema.parse(snapshot.cluster);
  scanSchema.parse(snapshot.scan);
  expect(seen(events)).toMatchObject({ verdict: "held", votes: 5 });
  expect(actionOf(events)?.data).toMatchObject({ action: "lock.acquired", phase: "outcome" });
});

test("the demonstration fills the page and cleans up after itself", async () => {
  const body = { running: true };
  const started = await callApi("demonstration", { method: "POST", body });
  expect((await started.json()).data).toMatchObject({ running: true, available: true });
  await until(async () => (await list()).total >= 4, "several locks to be seen");
  await until(async () => (await list()).counts.leftover > 0, "what the crashed client left behind");
  await callApi("demonstration", { method: "POST", body: { running: false } });
  expect((await cluster()).demonstration.running).toBe(false);
  await until(
    async () => (await list()).locks.every(({ resource }) => resource === "streamed"),
    "its locks to be given back",
  );
});

test("shutting down ends open streams and gives back what is kept alive", async () => {
  const runtime = await getRuntime();
  await callApi("locks", { method: "POST", body: { resources: ["kept"], ttlMs: 60_000, keepAlive: true } });
  const response = await callApi("events");
  const reader = response.body?.getReader();
  const ended = (async () => {
    while (reader !== undefined && !(await reader.read()).done);
  })();
  await runtime.shutdown();
  await ended;
});
