import { afterAll, expect, test } from "vitest";
import { incidentListSchema } from "@/lib/contract";
import { fingerprintOf, Redlock } from "@/lib/redis";
import { callApi, dataOf } from "../support/api";
import { apiConsole } from "../support/api-console";
import { until } from "../support/until";

// Fair locks of this library, whose waiters stand in queues on the nodes.

const { detail, list, server } = apiConsole(3);
const clients: Redlock[] = [];
afterAll(() => Promise.all(clients.map((client) => client.quit())));

function client(): Redlock {
  const redlock = new Redlock(
    [..."abc"].map((name) => server(name).url),
    { nodeTimeoutMs: 2000 },
  );
  clients.push(redlock);
  return redlock;
}

function untilWaiting(resource: string, count: number): Promise<void> {
  return until(async () => (await detail(resource)).waiters.count === count, `${count} waiters to be seen`);
}

test("the waiters of a fair lock are counted, and listed in the order in which they will be served", async () => {
  const fair = { fair: true, waitMs: 30_000 };
  const [first, second, third] = [client(), client(), client()];
  const holder = await first.acquire(["orders:42"], 60_000);
  const one = second.acquire(["orders:42"], 60_000, fair);
  await untilWaiting("orders:42", 1);
  const before = (await detail("orders:42")).waiters.order;
  const two = third.acquire(["orders:42"], 60_000, fair);
  await untilWaiting("orders:42", 2);
  const { waiters } = await detail("orders:42");
  expect(waiters).toMatchObject({ visible: true, count: 2 });
  expect(waiters.order).toEqual([
    before?.[0],
    expect.stringMatching(/^client [0-9a-f]{8}, wait 1, since 20\d\d-\d\d-\d\dT[\d:.]+Z$/),
  ]);
  await holder.release();
  const lock = await one;
  await untilWaiting("orders:42", 1);
  expect((await detail("orders:42")).waiters.order).toEqual([waiters.order?.[1]]);
  expect((await list()).locks.map(({ resource }) => resource)).toEqual(["orders:42"]);
  await lock.release();
  await (await two).release();
});

test("locks that are handed over again and again are no incident", async () => {
  const contenders = [client(), client(), client()];
  await Promise.all(
    contenders.map(async (redlock) => {
      for (let round = 0; round < 10; round += 1) {
        const lock = await redlock.acquire(["orders:43"], 60_000, { fair: true, waitMs: 30_000 });
        // Long enough to be seen with this holder.
        const { fingerprint } = (await detail("orders:43")).holder ?? {};
        expect(fingerprint).toBe(fingerprintOf(lock.token));
        await lock.release();
      }
    }),
  );
  await until(async () => (await detail("orders:43")).verdict === "free", "the lock to be seen free");
  const { incidents } = await dataOf(callApi("incidents"), incidentListSchema);
  expect(incidents.map(({ lock }) => lock.resource)).not.toContain("orders:43");
});
