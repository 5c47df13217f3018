import { describe, expect, test } from "vitest";
import { incidentListSchema } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { getRuntime } from "@/lib/runtime";
import { callApi, dataOf } from "../support/api";
import { apiConsole, FINGERPRINT } from "../support/api-console";
import { until } from "../support/until";

// Foreign clients, which know of no restart guard, on real servers: every fault lets a second one in while the first may still act.

const { act, detail, list, server, setByHand } = apiConsole(5);

const OTHER = "f".repeat(40);
const EVERYWHERE = "abcde";
/** What is known of a node is up to so old: a fault sooner than this after an acquire may have come before it, milliseconds. */
const KNOWN_WELL_MS = 2500;

const incidents = async () => (await dataOf(callApi("incidents"), incidentListSchema)).incidents;
const about = async (resource: string) => (await incidents()).find(({ lock }) => lock.resource === resource);

/** Reads like an open page until the condition holds. */
async function watchUntil(condition: () => Promise<boolean>, what: string): Promise<void> {
  await until(async () => {
    await list();
    return condition();
  }, what);
}

/** The first client acquires, and the console has known it for a while. */
async function holdFirst(resource: string, names: string): Promise<void> {
  await setByHand(resource, names);
  await watchUntil(async () => (await detail(resource)).holder?.fingerprint === FINGERPRINT, "the first holder");
  const seenAt = performance.now();
  await watchUntil(async () => performance.now() - seenAt > KNOWN_WELL_MS, "the first holder to be known for a while");
}

/** What `node-redlock` does: `SET NX PX` everywhere. @returns how many nodes granted */
async function acquireAsAnother(resource: string): Promise<number> {
  const votes = await Promise.all(
    [...EVERYWHERE].map((name) => server(name).client.set(resource, OTHER, "PX", 60_000, "NX")),
  );
  return votes.filter((vote) => vote === "OK").length;
}

async function expectIncident(resource: string, kind: string, text: RegExp) {
  await watchUntil(async () => (await about(resource)) !== undefined, "the incident");
  const incident = await about(resource);
  expect(incident).toMatchObject({
    first: { fingerprint: FINGERPRINT },
    second: { fingerprint: fingerprintOf(OTHER) },
    cause: { kind, text: expect.stringMatching(text) },
  });
  // The first had 60 s; whoever waits longest for a fault still leaves most of it.
  expect(incident?.overlapMs).toBeGreaterThan(20_000);
  expect(incident?.overlapMs).toBeLessThan(60_000);
  return incident;
}

describe("two tokens with a majority at a time, and why", () => {
  test("a node restarted empty", async () => {
    await holdFirst("restarted", "abc");
    await server("c").restart();
    expect(await acquireAsAnother("restarted")).toBe(3);
    const incident = await expectIncident("restarted", "restarted", /^Node c restarted/);
    expect(incident?.nodes.map(({ node, fate }) => `${node} ${fate}`)).toEqual(["a kept", "b kept", "c restarted"]);
    const { timeline } = incident ?? { timeline: [] };
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted((x, y) => x - y));
  });

  test("nodes flushed without a restart", async () => {
    await holdFirst("flushed", EVERYWHERE);
    await Promise.all([..."cde"].map((name) => server(name).client.flushall()));
    expect(await acquireAsAnother("flushed")).toBe(3);
    await expectIncident("flushed", "flushed", /^Nodes c, d, e were flushed/);
  });

  test("an expiry shortened by somebody", async () => {
    await holdFirst("shortened", EVERYWHERE);
    await Promise.all([..."cde"].map((name) => server(name).client.pexpire("shortened", 2000)));
    await watchUntil(async () => (await server("c").client.exists("shortened")) === 0, "the shortened expiry");
    await watchUntil(async () => (await acquireAsAnother("shortened")) > 0, "the second holder");
    await expectIncident("shortened", "shortened", /^The expiry was shortened on c, d, e by/);
  });

  test("a lock that an operator of this console forced", async () => {
    await holdFirst("forced", EVERYWHERE);
    const body = { fingerprint: FINGERPRINT, reason: "the job hangs" };
    expect((await act("forced", "force-expire", body)).status).toBe(200);
    expect(await acquireAsAnother("forced")).toBe(5);
    await expectIncident("forced", "forced", /^Force-expired by .*: “the job hangs”/);
    expect((await detail("forced")).timeline.map(({ kind }) => kind)).toContain("forced");
  });

  test("an open page hears of it", async () => {
    const heard: string[] = [];
    const unsubscribe = (await getRuntime()).events.subscribe((event) => {
      if (event.name === "incident") heard.push(event.data.lock.resource);
    });
    await holdFirst("heard", EVERYWHERE);
    await Promise.all([...EVERYWHERE].map((name) => server(name).client.flushdb()));
    expect(await acquireAsAnother("heard")).toBe(5);
    await until(() => heard.includes("heard"), "the event");
    unsubscribe();
  });
});

test("a release and the next holder are no incident, and neither is a release that missed a node", async () => {
  for (const left of ["", "e"]) {
    await holdFirst(`released${left}`, EVERYWHERE);
    const released = [...EVERYWHERE].filter((name) => !left.includes(name));
    await Promise.all(released.map((name) => server(name).client.del(`released${left}`)));
    await acquireAsAnother(`released${left}`);
  }
  const startedAt = performance.now();
  await watchUntil(async () => performance.now() - startedAt > 4000, "the watch to make up its mind");
  expect((await incidents()).map(({ lock }) => lock.resource)).not.toContain("released");
  expect((await incidents()).map(({ lock }) => lock.resource)).not.toContain("releasede");
});
