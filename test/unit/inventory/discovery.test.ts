import { expect, test } from "vitest";
import { discoverySchema } from "@/lib/contract";
import { Discovery } from "@/lib/inventory";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { systemClock } from "@/lib/redis";
import { type FakeMaster, fakeMasters } from "../../support/fake-master";

const TOKEN = "8f3a91c21b77d0ab8f3a91c25b77d0ab";

function discoveryOf(masters: readonly FakeMaster[], patternsSet: readonly string[] | null = null): Discovery {
  return new Discovery({
    masters,
    clock: systemClock,
    wallClock: Date.now,
    layouts: KNOWN_LAYOUTS,
    patternsSet,
    patternsRead: patternsSet ?? ["*"],
  });
}

const scansOf = (masters: readonly FakeMaster[]) => masters.map(({ scans }) => scans);

test("at most one sampling at a time: who asks meanwhile shares it", async () => {
  const masters = fakeMasters(3);
  const discovery = discoveryOf(masters);
  const [first, second] = await Promise.all([discovery.run(), discovery.run()]);
  expect(second).toBe(first);
  expect(scansOf(masters)).toEqual([1, 1, 1]);
  expect(await discovery.run()).not.toBe(first);
  expect(scansOf(masters)).toEqual([2, 2, 2]);
});

test("a node that is late is asked a few times and then given up; what the others have is there", async () => {
  const masters = fakeMasters(3);
  const [late, refusing, well] = masters;
  if (late === undefined || refusing === undefined || well === undefined) throw new Error("no masters");
  late.fault = { kind: "timeout" };
  refusing.fault = { kind: "error", reason: "NOPERM this user may not scan" };
  well.put("orders:1", TOKEN, 60_000);
  const answer = await discoveryOf(masters).run();
  expect(scansOf(masters)).toEqual([3, 1, 1]);
  expect(answer.nodes).toEqual([
    { node: "a", sampled: 0, of: null, complete: false, reason: "no answer within the time limit" },
    { node: "b", sampled: 0, of: null, complete: false, reason: "NOPERM this user may not scan" },
    { node: "c", sampled: 1, of: 0, complete: true, reason: null },
  ]);
  expect(answer).toMatchObject({ current: null, patterns: 'REDLOCK_KEY_PATTERNS="orders:*"' });
  expect(answer.groups).toMatchObject([{ pattern: "orders:*", covered: 1, looksLikeLock: "probable" }]);
});

test("keys that lock clients keep beside their locks are counted, but are no group", async () => {
  const masters = fakeMasters(1);
  masters[0]?.put("redlock:{guard}:node", "x", null);
  const answer = await discoveryOf(masters).run();
  expect(answer).toMatchObject({ nodes: [{ sampled: 1, complete: true }], groups: [], patterns: null });
});

test("lists a bounded number of groups, locks first, and says how many there are more", async () => {
  const masters = fakeMasters(1);
  const letters = [..."abcdefghijklmnop"].map((letter) => `${letter}x`);
  for (const a of letters) for (const b of letters) masters[0]?.put(`lock-${a}.lock-${b}.kind`, "x", null);
  masters[0]?.put("orders:1", TOKEN, 60_000);
  const answer = discoverySchema.parse(await discoveryOf(masters).run());
  expect(answer.groups[0]?.pattern).toBe("orders:*");
  expect(answer.groups).toHaveLength(200);
  expect(answer.moreGroups).toBe(16 * 16 + 1 - 200);
});
