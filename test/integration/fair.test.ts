import { createRequire } from "node:module";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import type { CallSettings, RedlockEngine, Settings } from "@/lib/redlock";
import {
  FAIR,
  lineUp as lineUpAt,
  queued as queuedAt,
  TTL_MS,
  untilQueued as untilQueuedAt,
  type Waiting,
} from "../support/fair-line";
import { linkTo } from "../support/linked-redlock";
import { type RealRedlock, startRealRedlock } from "../support/real-redlock";
import { until } from "../support/until";

const EMPTY = [0, 0, 0, 0, 0];

type Redlock5 = new (
  clients: readonly Redis[],
  settings: object,
) => { acquire(keys: readonly string[], ttl: number): Promise<{ release(): Promise<unknown> }> };

let real: RealRedlock;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
  await real.stop();
});

async function start(settings: Partial<Settings> = {}, guardedTtlMs?: number): Promise<RealRedlock> {
  real = await startRealRedlock({ up: 5, guardedTtlMs }, settings);
  return real;
}

function queued(): Promise<readonly number[]> {
  return queuedAt(real);
}

function untilQueued(count: number): Promise<void> {
  return untilQueuedAt(real, count);
}

function lineUp(client: RedlockEngine, settings: CallSettings = {}): Promise<Waiting> {
  return lineUpAt(real, client, settings);
}

describe("a fair lock on real servers", () => {
  test.each([{ guardedTtlMs: undefined }, { guardedTtlMs: 60_000 }])(
    "is handed to independent clients in the order in which they came, again and again (%o)",
    async ({ guardedTtlMs }) => {
      const { rival, untilFree } = await start({}, guardedTtlMs);
      const clients = await Promise.all(Array.from({ length: 5 }, () => rival()));
      const waiting: Waiting[] = [];
      for (const client of clients) {
        if (waiting.length === 0) waiting.push({ lock: client.acquire(["r"], TTL_MS, FAIR) });
        else waiting.push(await lineUp(client));
        if (waiting.length === 1) await waiting[0]?.lock;
      }
      for (let turn = 0; turn < 15; turn += 1) {
        const lock = await waiting[turn % 5]?.lock;
        expect(await queued()).toEqual([4, 4, 4, 4, 4]);
        await lock?.release();
        const client = clients[turn % 5];
        if (client === undefined) throw new Error("no client");
        await untilQueued(3);
        waiting[turn % 5] = await lineUp(client);
      }
      for (let turn = 15; turn < 20; turn += 1) await (await waiting[turn % 5]?.lock)?.release();
      await untilFree("r");
      expect(await queued()).toEqual(EMPTY);
    },
  );

  test("issues rising fences to those it is handed to", async () => {
    const { redlock, rival } = await start({ fencing: true });
    const clients = await Promise.all(Array.from({ length: 4 }, () => rival()));
    let holder = await redlock.acquire(["r"], TTL_MS, FAIR);
    const fences = [holder.fencingToken ?? 0];
    const waiting: Waiting[] = [];
    for (const client of clients) waiting.push(await lineUp(client));
    for (const { lock } of waiting) {
      await holder.release();
      holder = await lock;
      fences.push(holder.fencingToken ?? 0);
    }
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
  });

  test("goes past a waiter that was killed, whether it was first or not", async () => {
    const { redlock, rival } = await start({ handOverMs: 1000 });
    const holder = await redlock.acquire(["r"], TTL_MS, FAIR);
    const doomed = await linkTo(real);
    closers.push(() => doomed.close());
    await until(() => doomed.masters.every((master) => master.status().state === "up"), "the links to be up");
    await lineUp(doomed.redlock);
    const next = await lineUp(await rival());
    await doomed.close();
    await holder.release();
    await (await next.lock).release();
    await until(async () => (await queued()).every((count) => count === 0), "the queues to be empty");
  });

  test("goes past a waiter that hangs, and serves it first when it is back", async () => {
    const { redlock, rival } = await start({ handOverMs: 1000 });
    const holder = await redlock.acquire(["r"], TTL_MS, FAIR);
    const slow = await linkTo(real);
    closers.push(() => slow.close());
    await until(() => slow.masters.every((master) => master.status().state === "up"), "the links to be up");
    const first = await lineUp(slow.redlock);
    const second = await lineUp(await rival());
    const third = await lineUp(await rival());
    for (const link of slow.links) link.hold("both");
    await holder.release();
    const lock = await second.lock;
    for (const link of slow.links) link.heal();
    await until(
      async () => (await queued()).every((count) => count === 2),
      "the first to be back in the queues, with the third",
    );
    await lock.release();
    await (await first.lock).release();
    await (await third.lock).release();
  });

  test("goes past a waiter that gave up: it leaves every queue, and gives back what it was handed", async () => {
    const { redlock, rival, untilFree } = await start();
    const holder = await redlock.acquire(["r"], TTL_MS, FAIR);
    const giveUp = new AbortController();
    const first = await lineUp(await rival(), { signal: giveUp.signal });
    const second = await lineUp(await rival());
    giveUp.abort();
    await expect(first.lock).rejects.toThrow();
    await untilQueued(1);
    await holder.release();
    await (await second.lock).release();
    const late = await redlock.acquire(["r"], TTL_MS, FAIR);
    const third = (await rival()).acquire(["r"], TTL_MS, { fair: true, waitMs: 300 });
    await expect(third).rejects.toThrow();
    await late.release();
    await untilFree("r");
    expect(await queued()).toEqual(EMPTY);
  });

  test("comes to everybody while nodes are hung, killed, or come back empty", async () => {
    const { redlock, rival, servers } = await start({ handOverMs: 500 });
    const clients = await Promise.all(Array.from({ length: 5 }, () => rival()));
    const holder = await redlock.acquire(["r"], TTL_MS, FAIR);
    const waiting: Waiting[] = [];
    for (const client of clients) waiting.push(await lineUp(client));
    const [a, b] = servers;
    const meddle = [
      () => a?.pause(),
      () => b?.kill(),
      () => a?.resume(),
      () => b?.restart(),
      async () => {
        await a?.kill();
        await a?.restart();
      },
    ];
    let holders = 0;
    const work = waiting.map(async ({ lock }) => {
      const won = await lock;
      expect(won.remaining()).toBeGreaterThan(TTL_MS / 2);
      holders += 1;
      expect(holders).toBe(1);
      await meddle.shift()?.();
      holders -= 1;
      await won.release();
    });
    await holder.release();
    await Promise.all(work);
    const again = await redlock.acquire(["r"], TTL_MS, FAIR);
    expect(again.remaining()).toBeGreaterThan(0);
  }, 60_000);

  test("comes all the same when no word of a hand-over arrives", async () => {
    const { redlock, rival, servers } = await start({ handOverMs: 500 });
    await Promise.all(servers.map((server) => server.client.call("ACL", "SETUSER", "default", "-publish")));
    const holder = await redlock.acquire(["r"], TTL_MS, FAIR);
    const first = await lineUp(await rival());
    const second = await lineUp(await rival());
    await holder.release();
    // In any order: one that did not hear of its turn in time has lost it.
    await Promise.all([first, second].map(async ({ lock }) => (await lock).release()));
  });

  test("comes when the lock of a client that does not hand over was released, deleted, or has expired", async () => {
    const { redlock, rival, servers } = await start();
    const plain = await redlock.acquire(["r"], TTL_MS);
    const first = await lineUp(await rival());
    const second = await lineUp(await rival());
    const third = await lineUp(await rival());
    await plain.release();
    const lock = await first.lock;
    await Promise.all(servers.map((server) => server.client.del("r")));
    await second.lock;
    await Promise.all(servers.map((server) => server.client.pexpire("r", 100)));
    await third.lock;
    await lock.release();
  });

  test("never overlaps with the locks of redlock 5, which only get in when nobody queues", async () => {
    const { rival, servers } = await start();
    const { default: Redlock5 } = createRequire(import.meta.url)("redlock-5") as { readonly default: Redlock5 };
    const own = servers.map((server) => new Redis(server.url));
    const others = new Redlock5(own, { retryCount: 0 });
    const clients = await Promise.all(Array.from({ length: 3 }, () => rival()));
    let holders = 0;
    let most = 0;
    let fair = 0;
    const hold = async (): Promise<void> => {
      holders += 1;
      most = Math.max(most, holders);
      await new Promise((resolve) => setImmediate(resolve));
      holders -= 1;
    };
    const work = clients.map(async (client) => {
      for (let round = 0; round < 20; round += 1) {
        const lock = await client.acquire(["r"], TTL_MS, FAIR);
        await hold();
        fair += 1;
        await lock.release();
      }
    });
    const intruding = (async () => {
      while (fair < 60) {
        const lock = await others.acquire(["r"], TTL_MS).catch(() => null);
        if (lock === null) continue;
        await hold();
        await lock.release();
      }
    })();
    await Promise.all([...work, intruding]);
    expect(most).toBe(1);
    for (const client of own) client.disconnect();
  });
});
