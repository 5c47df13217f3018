import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type LabRun, labRunSchema, labSchema } from "@/lib/contract";
import { getRuntime } from "@/lib/runtime";
import { bundleLabClient } from "../../lib/setup/lab-client.mjs";
import { callApi, dataOf, errorOf } from "../support/api";
import { apiConsole } from "../support/api-console";
import { clientPids, isAlive } from "../support/lab";
import { until } from "../support/until";

const console = apiConsole(1);

beforeAll(async () => {
  await bundleLabClient(fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, ""));
});

const start = (body: object) => callApi("lab/runs", { method: "POST", body });
const read = (id: string) => dataOf(callApi(`lab/runs/${id}`), labRunSchema);
const isOn = ({ state }: LabRun) => state === "starting" || state === "playing";

/** What the stream has brought so far. */
function readAll(stream: Response): () => string {
  let text = "";
  const decoder = new TextDecoder();
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      text += decoder.decode(chunk, { stream: true });
    },
  });
  // The stream ends when its reader leaves.
  void stream.body?.pipeTo(sink).catch(() => undefined);
  return () => text;
}

describe("the lab of a console over masters of others", () => {
  test("lists its scenarios and can play them", async () => {
    const lab = await dataOf(callApi("lab"), labSchema);
    expect(lab).toMatchObject({ unavailableBecause: null, run: null });
    expect(lab.scenarios.map(({ id }) => id)).toContain("crash-restart");
  });

  test("plays one run at a time to its verdict, and leaves the console's own masters alone", {
    timeout: 70_000,
  }, async () => {
    await console.setByHand("orders:42");
    const { id, seed, n } = await dataOf(start({ scenario: "five-masters", seed: 3, n: 3 }), labRunSchema);
    expect({ seed, n }).toEqual({ seed: 3, n: 3 });
    expect(await errorOf(start({ scenario: "five-masters", seed: 3 }))).toMatchObject({
      status: 409,
      code: "lab_busy",
    });
    await until(async () => !isOn(await read(id)), "the run to end", 60_000);
    const run = await read(id);
    expect(run.state).toBe("met");
    expect(run.checks.every(({ isMet }) => isMet)).toBe(true);
    expect(await console.holders("orders:42")).not.toContain(null);
    expect(console.recordText()).toContain("lab.started");
  });

  test("ends everything it started when it is told to", { timeout: 70_000 }, async () => {
    const { id } = await dataOf(start({ scenario: "crash-restart", seed: 1 }), labRunSchema);
    await until(async () => clientPids(await read(id)).length === 2, "two clients to be there", 30_000);
    const pids = clientPids(await read(id));
    expect(pids.every(isAlive)).toBe(true);
    const run = await dataOf(callApi(`lab/runs/${id}`, { method: "DELETE" }), labRunSchema);
    expect(run).toMatchObject({ state: "stopped", checks: [] });
    expect(pids.some(isAlive)).toBe(false);
    expect(await errorOf(callApi(`lab/runs/${id}`, { method: "DELETE" }))).toMatchObject({ status: 404 });
  });

  test("streams the record as it grows", { timeout: 70_000 }, async () => {
    const leaving = new AbortController();
    const stream = await callApi("lab/events?viewer=viewer-one", { signal: leaving.signal });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    const text = readAll(stream);
    const { id } = await dataOf(start({ scenario: "single-instance", seed: 1, viewer: "viewer-one" }), labRunSchema);
    expect(await errorOf(callApi(`lab/runs/${id}?viewer=viewer-two`, { method: "DELETE" }))).toMatchObject({
      ...{ status: 409, code: "lab_busy" },
    });
    await until(async () => !isOn(await read(id)), "the run to end", 60_000);
    const { events, state } = await read(id);
    await until(() => text().includes(`"state":"${state}"`), "the end to be streamed");
    leaving.abort();
    const streamed = text()
      .split("\n")
      .filter((line) => line.startsWith("data: ") && line.includes('"events"'))
      .flatMap((line) => {
        const { run, status, events: added } = JSON.parse(line.slice("data: ".length));
        return (run ?? status).id === id ? (run?.events ?? added) : [];
      });
    expect(streamed.toSorted((a, b) => a.atMs - b.atMs)).toEqual(events);
    expect(text()).toContain('"driver":"viewer-one"');
  });

  test("refuses what it does not have", async () => {
    expect(await errorOf(start({ scenario: "nonsense", seed: 1 }))).toMatchObject({ status: 400 });
    expect(await errorOf(start({ scenario: "single-instance", seed: 1, n: 5 }))).toMatchObject({ status: 400 });
    expect(await errorOf(callApi("lab/runs/unknown"))).toMatchObject({ status: 404, code: "not_found" });
  });
});

test("the end of the console ends the run that is on", { timeout: 70_000 }, async () => {
  const { id } = await dataOf(start({ scenario: "crash-restart", seed: 1 }), labRunSchema);
  await until(async () => clientPids(await read(id)).length === 2, "two clients to be there", 30_000);
  const pids = clientPids(await read(id));
  await (await getRuntime()).shutdown();
  await until(() => !pids.some(isAlive), "its clients to be gone");
  expect((await read(id)).state).toBe("stopped");
});
