import { describe, expect, test } from "vitest";
import { isProblem, type LockView } from "@/lib/contract";
import { evidenceOf, type Grounds } from "@/lib/inventory/evidence";
import { lockView } from "./lock-view";

const NOTHING: Grounds = {
  usual: { resource: null, pattern: null },
  renewing: null,
  maxTtlMs: null,
  unevenForMs: 0,
  isOneServer: false,
};
const USUAL = { name: "orders:*", holds: 40, holdMs: { p50: 900, p99: 4100 }, renewals: { p50: 0, p99: 1 } };

/** A lock on five nodes, held for so long. */
function heldFor(ms: number, more: Parameters<typeof lockView>[1] = {}): LockView {
  const holder = { fingerprint: "8f3a91c2", label: null };
  const remaining = [9000, 9000, 9000, 9000, 9000];
  return lockView("orders:42", {
    votes: 5,
    holder,
    remaining,
    readAt: 1_000_000,
    firstSeenAt: 1_000_000 - ms,
    ...more,
  });
}

const kindsOf = (lock: LockView, grounds: Partial<Grounds> = {}) =>
  evidenceOf(lock, { ...NOTHING, ...grounds }).evidence.map(({ kind }) => kind);

describe("held far longer than usual", () => {
  test("by the figures of the name, else of its pattern, with the numbers", () => {
    const usual = { resource: null, pattern: USUAL };
    expect(kindsOf(heldFor(8100), { usual })).toEqual([]);
    const { evidence } = evidenceOf(heldFor(8300), { ...NOTHING, usual });
    expect(evidence).toEqual([
      {
        kind: "held_long",
        text: "Held more than 8.2 s: 99 % of the 40 holds of orders:* seen so far ended within 4.1 s.",
        numbers: { heldMs: 8300, usualP99Ms: 4100, usualP50Ms: 900, holds: 40 },
      },
    ]);
    const own = { ...USUAL, name: "orders:42", holdMs: { p50: 50, p99: 100 } };
    // A tenth of a second more is not far longer, whatever the factor.
    expect(kindsOf(heldFor(1000), { usual: { resource: own, pattern: USUAL } })).toEqual([]);
    expect(kindsOf(heldFor(1200), { usual: { resource: own, pattern: USUAL } })).toEqual(["held_long"]);
  });

  test("says when it will come true, so that somebody looks then", () => {
    const usual = { resource: null, pattern: USUAL };
    expect(evidenceOf(heldFor(8000), { ...NOTHING, usual }).moreInMs).toBe(200);
    expect(evidenceOf(heldFor(9000), { ...NOTHING, usual }).moreInMs).toBe(Number.POSITIVE_INFINITY);
  });

  test.each(["free", "leftover", "split"] as const)("not for a lock that is %s", (verdict) => {
    expect(kindsOf(heldFor(90_000, { verdict, votes: 0 }), { usual: { resource: null, pattern: USUAL } })).toEqual([]);
  });

  test("not for what a revoke left behind", () => {
    expect(kindsOf(heldFor(90_000, { revoked: true }), { usual: { resource: null, pattern: USUAL } })).toEqual([]);
  });
});

describe("never renewed", () => {
  const renewing = { name: "jobs:*", holds: 12, atPercent: { p50: 33, p99: 40 } };

  test("not for a lock that is as long as its holder needs it: nothing says that it ought to be renewed", () => {
    expect(kindsOf(heldFor(3_500_000, { fullMs: 3_600_000 }))).toEqual([]);
    const neverRenewed = { ...USUAL, holdMs: { p50: 3_400_000, p99: 3_500_000 } };
    const usual = { resource: null, pattern: neverRenewed };
    expect(kindsOf(heldFor(3_500_000, { fullMs: 3_600_000 }), { usual })).toEqual([]);
  });

  test("where its like are renewed, and this one is half past the time when they are, as a part of its own", () => {
    expect(kindsOf(heldFor(17_900, { fullMs: 30_000 }), { renewing })).toEqual([]);
    const { evidence } = evidenceOf(heldFor(18_100, { fullMs: 30_000 }), { ...NOTHING, renewing });
    expect(evidence).toEqual([
      {
        kind: "never_renewed",
        text: "Not renewed in more than 18.0 s, 60 % of its time: 99 % of the 12 holds of jobs:* that were renewed had been when 40 % of theirs was over.",
        numbers: { heldMs: 18_100, fullMs: 30_000, renewals: 0, renewedHolds: 12, usualAtPercentP99: 40 },
      },
    ]);
    expect(kindsOf(heldFor(18_100, { fullMs: 30_000, renewals: 1 }), { renewing })).toEqual([]);
    expect(kindsOf(heldFor(18_100, { fullMs: 3_600_000 }), { renewing })).toEqual([]);
    expect(kindsOf(heldFor(2_200_000, { fullMs: 3_600_000 }), { renewing })).toEqual(["never_renewed"]);
  });

  test("not for being late by a moment, nor where its like are renewed shortly before their end", () => {
    expect(kindsOf(heldFor(1300, { fullMs: 1500 }), { renewing })).toEqual([]);
    const late = { ...renewing, atPercent: { p50: 97, p99: 98 } };
    expect(kindsOf(heldFor(29_900, { fullMs: 30_000 }), { renewing: late })).toEqual([]);
  });
});

test("no expiry, with the nodes", () => {
  const lock = heldFor(100, { noExpiry: true, remaining: [9000, Number.POSITIVE_INFINITY, 9000, 9000, 9000] });
  expect(evidenceOf(lock, NOTHING).evidence).toMatchObject([
    { kind: "no_expiry", text: expect.stringContaining("on b"), numbers: { nodes: 1, of: 5 } },
  ]);
});

test("on a minority only, with the quorum", () => {
  const lock = heldFor(100, { verdict: "leftover", votes: 2, remaining: [9000, 9000, null, null, null] });
  expect(evidenceOf(lock, NOTHING).evidence).toMatchObject([
    { kind: "minority", numbers: { votes: 2, quorum: 3, of: 5 } },
  ]);
});

test("uneven expiry, once it has lasted: an extension on its way is uneven too", () => {
  const lock = heldFor(100, { remaining: [30_000, 30_000, 4000, 4010, 4020] });
  expect(evidenceOf(lock, { ...NOTHING, unevenForMs: 400 })).toEqual({ evidence: [], moreInMs: 600 });
  expect(evidenceOf(lock, { ...NOTHING, unevenForMs: 1000 }).evidence).toMatchObject([
    {
      kind: "uneven_expiry",
      text: expect.stringContaining("only on a, b, of 5 nodes"),
      numbers: { spreadMs: 26_000, longestMs: 30_000, shortestMs: 4000, reached: 2, of: 5 },
    },
  ]);
});

test("no uneven expiry for the spread of a slow acquire", () => {
  const remaining = [60_000, 59_500, 59_000, 58_500, 58_000];
  expect(kindsOf(heldFor(100, { remaining, fullMs: 60_000 }), { unevenForMs: 5000 })).toEqual([]);
});

test("above the operator's limit, with both", () => {
  expect(kindsOf(heldFor(100, { fullMs: 600_000 }))).toEqual([]);
  const { evidence } = evidenceOf(heldFor(100, { fullMs: 600_000 }), { ...NOTHING, maxTtlMs: 60_000 });
  expect(evidence).toMatchObject([{ kind: "above_max_ttl", numbers: { fullMs: 600_000, maxTtlMs: 60_000 } }]);
  expect(kindsOf(heldFor(100, { fullMs: 60_000 }), { maxTtlMs: 60_000 })).toEqual([]);
});

test("any evidence makes a lock a problem", () => {
  const lock = heldFor(9000);
  const usual = { resource: null, pattern: USUAL };
  expect(isProblem(lock)).toBe(false);
  expect(isProblem({ ...lock, evidence: evidenceOf(lock, { ...NOTHING, usual }).evidence })).toBe(true);
});
