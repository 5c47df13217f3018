import { Queue, Worker } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forceExpireAnswerSchema } from "@/lib/contract";
import { dataOf, errorOf } from "../support/api";
import { apiConsole } from "../support/api-console";
import { type LockLibrary, openLockLibraries } from "../support/lock-libraries";
import { until } from "../support/until";

const SERVERS = "abc";
const { act, detail, list, server } = apiConsole(SERVERS.length);

let libraries: readonly LockLibrary[];
let close: () => void;
beforeAll(async () => {
  const opened = await openLockLibraries([...SERVERS].map((name) => server(name).url));
  ({ libraries, close } = opened);
});
afterAll(() => close());

function library(name: string): LockLibrary {
  const found = libraries.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no library ${name}`);
  return found;
}

/** Waits until the list shows this lock and nothing else: none of the keys a library keeps beside it. */
function untilListed(key: string): Promise<void> {
  const isListed = async () => (await list()).locks.map(({ resource }) => resource).join() === key;
  return until(isListed, "the lock to be listed alone");
}

/**
 * Takes a lock from the library that holds it, while the library itself waits for it.
 *
 * @returns the lock as it was shown before
 */
async function takeFromHolder(name: string, held: object): Promise<Awaited<ReturnType<typeof detail>>> {
  const { acquire, keyOf, layout } = library(name);
  const key = keyOf("orders:42");
  await acquire("orders:42");
  const lock = await detail(key);
  expect(lock).toMatchObject(held);
  expect(layout.split(" or ")).toContain(lock.layout?.id);
  await untilListed(key);

  let isWaiting = true;
  const waiter = acquire("orders:42").finally(() => {
    isWaiting = false;
  });
  expect(await detail(key)).toMatchObject(held);
  expect(isWaiting).toBe(true);
  const body = { fingerprint: lock.holder?.fingerprint, reason: "stuck job" };
  const answer = await dataOf(act(key, "force-expire", body), forceExpireAnswerSchema);
  expect(answer.outcome).toBe("expired");
  await waiter;
  await until(async () => (await detail(key)).holder !== null, "the waiter's lock to be seen");
  expect((await detail(key)).holder?.fingerprint).not.toBe(lock.holder?.fingerprint);
  return lock;
}

test.each([
  "redlock 4",
  "redlock 5",
  "@sesamecare-oss/redlock",
  "redlock-universal",
  "redis-semaphore",
  "@redis-kit/lock",
])("a lock of %s is named, shown as held, and once forced goes to whoever waits for it", async (name) => {
  await takeFromHolder(name, { verdict: "held", votes: SERVERS.length, waiters: { visible: false, count: null } });
});

test.each([
  ["redlock-universal, lean", true],
  ["@microfleet/ioredis-lock", false],
  ["redis-lock", true],
])("a lock of %s is named and forced on its one server", async (name, isKnownToBeAlone) => {
  const lock = await takeFromHolder(name, { votes: 1, nodes: [{ reading: "token" }, {}, {}] });
  const isSaid = lock.hints.some((hint) => hint.includes("on one server") && hint.endsWith("held on a."));
  expect(isSaid).toBe(isKnownToBeAlone);
});

test("a job of BullMQ is named with its worker, and left alone", async () => {
  const connection = { host: "127.0.0.1", port: server("a").port, maxRetriesPerRequest: null };
  let finish: () => void = () => undefined;
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const queue = new Queue("mail", { connection });
  const worker = new Worker("mail", () => work, { connection });
  try {
    const job = await queue.add("letter", {});
    const key = `bull:mail:${job.id}:lock`;
    await until(async () => (await server("a").client.exists(key)) === 1, "the worker to take the job");
    const lock = await detail(key);
    expect(lock).toMatchObject({
      layout: { id: "bullmq", confidence: "certain" },
      holder: { label: expect.stringMatching(/^worker [0-9a-f]{8}$/) },
      nodes: [{ reading: "token" }, { reading: "free" }, { reading: "free" }],
    });
    await untilListed(key);
    const body = { fingerprint: lock.holder?.fingerprint, reason: "stuck job" };
    for (const verb of ["force-expire", "revoke"]) {
      expect(await errorOf(act(key, verb, body))).toMatchObject({ status: 409, code: "layout_refused" });
    }
    expect(await server("a").client.exists(key)).toBe(1);
  } finally {
    finish();
    await worker.close();
    await queue.close();
  }
});
