import { beforeEach, describe, expect, test } from "vitest";
import type { AuditEntry } from "@/lib/contract";
import { History, type Observation } from "@/lib/inventory/history";
import { namePatternOf } from "@/lib/inventory/name-pattern";
import { Sample } from "@/lib/inventory/sample";

test.each([
  ["orders:42", "orders:*"],
  ["shop:orders:2f1c-77ab", "shop:orders:*"],
  ["/jobs/nightly/7", "/jobs/nightly/*"],
  ["report.daily", "report.*"],
  ["lock-17", "lock-*"],
  ["nightly_job", "nightly_*"],
  ["nightly", null],
  [":42", null],
  ["orders:", "orders:*"],
])("%s is one of %s", (name, pattern) => {
  expect(namePatternOf(name)).toBe(pattern);
});

test("a sample keeps the latest values and takes the nearest rank of them", () => {
  const sample = new Sample(100);
  expect(sample.quantiles()).toEqual({ p50: 0, p99: 0 });
  for (let value = 1; value <= 150; value += 1) sample.add(value);
  expect(sample.size).toBe(100);
  expect(sample.quantiles()).toEqual({ p50: 100, p99: 149 });
  sample.takeBack(150);
  sample.takeBack(150);
  expect(sample.size).toBe(99);
  expect(sample.quantiles().p99).toBe(149);
});

let history: History;
let at: number;
beforeEach(() => {
  history = new History();
  at = 1000;
});

function seen(more: Partial<Observation> = {}): Observation {
  const verdict = "held" as const;
  return {
    at,
    verdict,
    fingerprint: "aaaaaaaa",
    votes: 5,
    membership: 5,
    remainingMs: 9000,
    isRenewed: false,
    isOnlySilence: false,
    ...more,
  };
}

/** Seen, renewed so many times, and gone after `ms`. */
function hold(resource: string, ms: number, renewals = 0): void {
  history.observe(resource, seen());
  for (let count = 0; count < renewals; count += 1) history.observe(resource, seen({ isRenewed: true }));
  at += ms;
  history.end(resource, { at, isEnded: false });
}

function action(name: string, resource: string, more: Partial<AuditEntry> = {}): AuditEntry {
  const entry = { id: "1", correlationId: "1", at, phase: "outcome" as const, actor: "ann", action: name };
  const details = { fingerprint: "aaaaaaaa" };
  return { ...entry, target: resource, reason: "stuck", outcome: "expired", details, ...more };
}

const kinds = (resource: string) => history.timelineOf(resource).map(({ kind }) => kind);

describe("what is usual", () => {
  test("per name and per pattern of names, with renewals", () => {
    for (let index = 0; index < 10; index += 1) hold(`orders:${index}`, 100 + index, 2);
    for (let index = 0; index < 5; index += 1) hold("orders:7", 1000, 1);
    const { usual } = history.factsOf("orders:7");
    expect(usual.resource).toEqual({
      name: "orders:7",
      holds: 6,
      holdMs: { p50: 1000, p99: 1000 },
      renewals: { p50: 1, p99: 2 },
    });
    expect(usual.pattern).toMatchObject({ name: "orders:*", holds: 15, holdMs: { p50: 107, p99: 1000 } });
    expect(history.factsOf("orders:new").usual).toMatchObject({ resource: null, pattern: { holds: 15 } });
    expect(history.factsOf("other:7").usual).toEqual({ resource: null, pattern: null });
  });

  test("not known before five holds were seen", () => {
    for (let index = 0; index < 4; index += 1) hold("orders:7", 1000);
    expect(history.factsOf("orders:7").usual).toEqual({ resource: null, pattern: null });
  });

  test("and when the first renewal comes, where half of the holds are renewed", () => {
    const renewedAfter = (ms: number) => {
      history.observe("jobs:1", seen({ remainingMs: 30_000 }));
      at += ms;
      history.observe("jobs:1", seen({ remainingMs: 30_000, isRenewed: true }));
      at += 9000;
      history.observe("jobs:1", seen({ remainingMs: 30_000, isRenewed: true }));
      history.end("jobs:1", { at, isEnded: false });
    };
    for (const ms of [9000, 10_000, 10_000, 10_000]) renewedAfter(ms);
    expect(history.factsOf("jobs:2").renewing).toBeNull();
    renewedAfter(12_000);
    const renewing = { name: "jobs:*", holds: 5, atPercent: { p50: 33, p99: 40 } };
    expect(history.factsOf("jobs:2").renewing).toEqual(renewing);
    for (let index = 0; index < 5; index += 1) hold("jobs:3", 100);
    expect(history.factsOf("jobs:2").renewing).toBeNull();
    expect(history.factsOf("jobs:1").renewing).toMatchObject({ name: "jobs:1", holds: 5 });
  });

  test("patterns are bounded", () => {
    for (let index = 0; index < 5; index += 1) hold("first:1", 10);
    for (let index = 0; index < 500; index += 1) hold(`p${index}:1`, 10);
    expect(history.factsOf("first:2").usual.pattern).toBeNull();
  });

  test("a hold that an operator cut short does not count", () => {
    for (let index = 0; index < 5; index += 1) hold("orders:7", 10);
    hold("orders:7", 3_600_000);
    expect(history.factsOf("orders:7").usual.resource?.holdMs.p99).toBe(3_600_000);
    history.noteAction(action("lock.force_expired", "orders:7"));
    expect(history.factsOf("orders:7").usual.resource).toMatchObject({ holds: 5, holdMs: { p99: 10 } });
    expect(history.factsOf("orders:7").usual.pattern).toMatchObject({ holds: 5, holdMs: { p99: 10 } });
  });
});

describe("the timeline", () => {
  test("tells a release from an expiry", () => {
    hold("r", 100);
    history.observe("r", seen());
    history.end("r", { at, isEnded: true });
    expect(kinds("r")).toEqual(["seen", "released", "seen", "expired"]);
  });

  test("names the operator instead of a release, where the record speaks of it", () => {
    hold("r", 100);
    history.noteAction(action("lock.force_expired", "r"));
    expect(kinds("r")).toEqual(["seen", "forced"]);
    expect(history.timelineOf("r").at(-1)?.text).toBe("Force-expired by ann: “stuck”.");
  });

  test.each([
    ["an intent", { phase: "intent" as const }],
    ["a refusal", { outcome: "refused: lock_changed" }],
    ["one that changed nothing", { outcome: "none" }],
    ["another verb", { action: "lock.extended" }],
  ])("is not changed by %s", (_, more) => {
    hold("r", 100);
    history.noteAction(action("lock.force_expired", "r", more));
    expect(kinds("r")).toEqual(["seen", "released"]);
  });

  test("a revoke: what it leaves behind is handed over to nobody and no hold", () => {
    for (let index = 0; index < 5; index += 1) hold("r", 10);
    history.observe("r", seen());
    at += 700;
    history.observe("r", seen({ fingerprint: "bbbbbbbb" }));
    history.noteAction(action("lock.revoked", "r", { outcome: "revoked" }));
    at += 9000;
    history.end("r", { at, isEnded: true });
    expect(kinds("r").slice(-4)).toEqual(["seen", "handed_over", "revoked", "expired"]);
    expect(history.factsOf("r").usual.resource).toMatchObject({ holds: 5, holdMs: { p99: 10 } });
  });

  test("has no silence that is over within two seconds: who hears late has not seen anything happen", () => {
    history.observe("r", seen());
    for (const ms of [400, 1900]) {
      history.observe("r", seen({ verdict: "possibly_held", votes: 1, isOnlySilence: true }));
      at += ms;
      history.settle(at);
      history.observe("r", seen({ isOnlySilence: true }));
    }
    at += 5000;
    history.settle(at);
    expect(kinds("r")).toEqual(["seen"]);
  });

  test("has a silence that lasts, with the moment it began, and its end", () => {
    history.observe("r", seen());
    history.observe("r", seen({ verdict: "possibly_held", votes: 1, isOnlySilence: true }));
    at += 2000;
    history.settle(at);
    expect(history.timelineOf("r").at(-1)).toMatchObject({
      at: 1000,
      text: "Reads possibly held on 1 of 5 nodes, was held.",
    });
    history.observe("r", seen({ isOnlySilence: true }));
    at += 2000;
    history.settle(at);
    expect(history.timelineOf("r").map(({ text }) => text)).toEqual([
      "Seen, held on 5 of 5 nodes.",
      "Reads possibly held on 1 of 5 nodes, was held.",
      "Reads held on 5 of 5 nodes, was possibly held.",
    ]);
  });

  test("counts a silence from one token to the next state of the keys: what a short one hid is told against what was before it", () => {
    history.observe("r", seen());
    history.observe("r", seen({ verdict: "possibly_held", votes: 1, isOnlySilence: true }));
    at += 500;
    history.observe("r", seen({ verdict: "at_risk", votes: 3 }));
    expect(history.timelineOf("r").at(-1)?.text).toBe("Reads at risk on 3 of 5 nodes, was held.");
    history.observe("r", seen({ verdict: "possibly_held", votes: 2, isOnlySilence: true }));
    at += 500;
    history.end("r", { at, isEnded: false });
    expect(kinds("r")).toEqual(["seen", "verdict", "released"]);
  });

  test("is bounded, by events and by resources; what is there now is not forgotten", () => {
    history.observe("kept", seen());
    for (let index = 0; index < 60; index += 1) history.observe("kept", seen({ isRenewed: true }));
    expect(history.timelineOf("kept")).toHaveLength(50);
    for (let index = 0; index < 5000; index += 1) history.observe(`r${index}`, seen());
    expect(history.timelineOf("kept")).toEqual([]);
    expect(history.factsOf("kept")).toMatchObject({ firstSeenAt: 1000, renewals: 60 });
  });
});
