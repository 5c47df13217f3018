import { describe, expect, it } from "vitest";
import { parseDuration } from "@/lib/client/duration";
import { findLocks } from "@/lib/client/use-locks";
import { isProblem, listQuery, type Preset, searchTest } from "@/lib/contract";
import { HELD_SPECS, lockList, lockSetOf, lockView } from "../../support/view-fixtures";

const held = lockView("held", HELD_SPECS, { resource: "orders:42" });
const risky = lockView("at_risk", [["1c77d0ab", 3000], ["1c77d0ab", 3000], ["1c77d0ab", 3000], "-", "?"], {
  resource: "cron:nightly-export",
  layout: { id: "redisson", label: "Redisson", confidence: "certain" },
  holder: { fingerprint: "1c77d0ab", label: "web-3, pid 4711" },
  firstSeenAt: held.readAt - 3_700_000,
});
const endless = lockView("leftover", [["0f0f0f0f", null], "-", "-", "-", "-"], { resource: "reports:weekly" });
const free = lockView("free", ["-", "-", "-", "-", "-"], { resource: "gone" });
const stuck = lockView("held", HELD_SPECS, {
  resource: "orders:stuck",
  evidence: [{ kind: "held_long", text: "Held more than 8.2 s.", numbers: { heldMs: 9000, usualP99Ms: 4100 } }],
});
const set = lockSetOf(lockList([held, risky, endless, free]), 0);

function resources(q: string, preset: Preset = "all", sort = "verdict", nowMs = 0) {
  return findLocks(set, { q, preset, sort }, nowMs).locks.map(({ value }) => value.resource);
}

describe("finding locks in the browser", () => {
  it.each([
    ["verdict:at_risk", ["cron:nightly-export"]],
    ["verdict:at-risk,leftover", ["cron:nightly-export", "reports:weekly"]],
    ["holder:1c77", ["cron:nightly-export"]],
    ["holder:4711", ["cron:nightly-export"]],
    ["node:d", ["orders:42"]],
    ["client:redisson", ["cron:nightly-export"]],
    ["ttl<5s", ["cron:nightly-export"]],
    ["age>1h", ["cron:nightly-export"]],
    ["no-expiry", ["reports:weekly"]],
    ["orders:42", ["orders:42"]],
    ['"nightly"', ["cron:nightly-export"]],
    ["NIGHTLY verdict:held", []],
  ])("%s", (q, expected) => expect(resources(q)).toEqual(expected));

  it("does not list what is free, and puts the worst first", () => {
    expect(resources("")).toEqual(["cron:nightly-export", "reports:weekly", "orders:42"]);
  });

  it("lets a bound on time come true by waiting", () => {
    expect(resources("ttl<5s", "all", "verdict", 16_000)).toContain("orders:42");
  });

  it("counts every preset over all locks, whatever is searched", () => {
    const { counts, total } = findLocks(set, { q: "orders", preset: "all", sort: "verdict" }, 0);
    expect(counts).toEqual({ all: 3, problems: 2, "no-expiry": 1, leftover: 1 });
    expect(total).toBe(1);
  });

  it.each([
    ["resource", ["cron:nightly-export", "orders:42", "reports:weekly"]],
    ["-resource", ["reports:weekly", "orders:42", "cron:nightly-export"]],
    ["remaining", ["cron:nightly-export", "orders:42", "reports:weekly"]],
    ["since", ["cron:nightly-export", "orders:42", "reports:weekly"]],
    ["nonsense", ["cron:nightly-export", "reports:weekly", "orders:42"]],
  ])("sorts by %s", (sort, expected) => expect(resources("", "all", sort)).toEqual(expected));
});

describe("problems", () => {
  const all = [held, risky, endless, stuck, { ...held, noExpiry: true, resource: "held:for-ever" }];

  it("are the same locks in the browser and on the server: evidence and a held lock without expiry are among them", () => {
    const filter = { q: "", preset: "problems", sort: "resource" } as const;
    const inBrowser = findLocks(lockSetOf(lockList(all), 0), filter, 0);
    const q = new URLSearchParams(listQuery(filter)).get("q") ?? "";
    const onServer = all.filter((lock) => searchTest(q)(lock));
    expect(inBrowser.locks.map(({ value }) => value.resource)).toEqual(onServer.map(({ resource }) => resource).sort());
    expect(onServer).toEqual(all.filter(isProblem));
    expect(onServer).toHaveLength(4);
  });

  it("are searched by the kind of their evidence", () => {
    expect(all.filter(searchTest("evidence:held-long"))).toEqual([stuck]);
    expect(all.filter(searchTest("evidence:uneven"))).toEqual([]);
    expect(all.filter(searchTest("is:nonsense"))).toEqual([]);
  });

  it("keep the words of the search", () => {
    const query = listQuery({ q: "ttl<5s", preset: "leftover", sort: "verdict" });
    expect(new URLSearchParams(query).get("q")).toBe("verdict:leftover ttl<5s");
  });
});

describe("a length of time", () => {
  it.each([
    ["500ms", 500],
    ["30s", 30_000],
    [" 1.5 h ", 5_400_000],
    ["1d", 86_400_000],
    ["30", null],
    ["", null],
    ["-5s", null],
  ])("%s", (text, ms) => expect(parseDuration(text)).toBe(ms));
});
