// How often locks are judged, and that nobody waits for it without an end: counted, since times say little on a busy machine.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { locksQuerySchema } from "@/lib/contract";
import { Inventory } from "@/lib/inventory";
import { History } from "@/lib/inventory/history";
import { Ledger } from "@/lib/inventory/ledger";
import { systemClock } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import { type FakeMaster, fakeMasters } from "../../support/fake-master";
import { until } from "../../support/until";

const TOKEN = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
/** More than are judged at a stretch. */
const LOCKS = 1200;

let masters: FakeMaster[];
let inventory: Inventory;
beforeEach(() => {
  masters = fakeMasters(5);
  for (const master of masters) {
    for (let index = 0; index < LOCKS; index += 1) master.put(`orders:${index}`, TOKEN, 600_000);
  }
});
afterEach(() => {
  inventory.stop();
  vi.restoreAllMocks();
});

async function start(clock: Clock = systemClock): Promise<void> {
  inventory = new Inventory({
    masters,
    clock,
    wallClock: Date.now,
    patterns: ["*"],
    listsEverything: true,
    ownedByConsole: () => null,
    maxTtlMs: null,
    incidents: null,
  });
  await inventory.start();
}

const list = () => inventory.list(locksQuerySchema.parse({ limit: 1 }));
const firstMaster = () => masters[0] ?? fakeMasters(1)[0];

/** A lock that is told of after everything that was to be looked at before it. */
async function untilLooked(): Promise<void> {
  const startedAt = performance.now();
  await until(() => performance.now() - startedAt > 400, "what is affected to be looked at");
  await until(async () => (await list()).scan.unjudged === undefined, "everything to be judged");
}

describe("a node whose state changes", () => {
  test("has no lock judged again when no verdict rests on it", async () => {
    await start();
    const judge = vi.spyOn(Ledger.prototype, "judge");
    for (let flap = 0; flap < 5; flap += 1) {
      firstMaster()?.say({ state: "slow" });
      firstMaster()?.say({ state: "up" });
    }
    await untilLooked();
    expect(judge).not.toHaveBeenCalled();
  });

  test("has every lock judged once when it votes no longer, and once when it does again, however often it flaps", async () => {
    await start();
    const observe = vi.spyOn(History.prototype, "observe");
    firstMaster()?.say({ condition: "quarantined" });
    await untilLooked();
    expect(observe).toHaveBeenCalledTimes(LOCKS);
    for (let flap = 0; flap < 20; flap += 1) {
      firstMaster()?.say({ condition: "admitted" });
      firstMaster()?.say({ condition: "quarantined" });
    }
    firstMaster()?.say({ condition: "admitted" });
    await untilLooked();
    expect(observe).toHaveBeenCalledTimes(2 * LOCKS);
    expect((await list()).locks[0]?.nodes[0]?.quarantined).toBe(false);
  });
});

test("a list waits about a second for what is not judged yet, and says how much that is", async () => {
  const pauses: (() => void)[] = [];
  // Others never let the work between two stretches have its turn.
  const busy: Clock = {
    now: systemClock.now,
    schedule(delayMs, run) {
      if (delayMs > 0) return systemClock.schedule(delayMs, run);
      pauses.push(run);
      return () => undefined;
    },
  };
  await start(busy);
  expect(await list()).toMatchObject({ total: 500, scan: { complete: 5, unjudged: LOCKS - 500 } });
  const isJudged = async () => {
    for (const run of pauses.splice(0)) run();
    return (await list()).scan.unjudged === undefined;
  };
  await until(isJudged, "the rest to be judged");
  expect(await list()).toMatchObject({ total: LOCKS });
});
