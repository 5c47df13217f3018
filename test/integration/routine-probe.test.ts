import { afterEach, expect, test } from "vitest";
import { startLinkedRedlock } from "../support/linked-redlock";
import { startRealRedlock } from "../support/real-redlock";
import { until } from "../support/until";

// A node that votes is asked less. What it does afterwards must be noticed all the same.

const FAIR = { fair: true, waitMs: 20_000 };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

test("a node that was emptied after its last vote begins its quarantine although nobody asks for a vote", async () => {
  const { redlock, masters, servers, stop } = await startRealRedlock({ up: 3, guardedTtlMs: 60_000 });
  closers.push(stop);
  for (let round = 0; round < 5; round += 1) await (await redlock.acquire(["r"], 10_000, FAIR)).release();
  await servers[1]?.client.flushall();
  await until(() => masters[1]?.status().condition === "quarantined", "the quarantine to be seen");
  expect(masters.map((master) => master.status().condition)).toEqual(["admitted", "quarantined", "admitted"]);
});

test("a node that vanished after its last vote is found silent although nobody asks for a vote", async () => {
  const { redlock, masters, links, stop } = await startLinkedRedlock(3);
  closers.push(stop);
  for (let round = 0; round < 5; round += 1) await (await redlock.acquire(["r"], 10_000, FAIR)).release();
  links[1]?.hold("both");
  await until(() => masters[1]?.status().state === "down", "the node to be found silent");
});
