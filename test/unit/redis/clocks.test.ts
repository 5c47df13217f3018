import { describe, expect, test } from "vitest";
import { Clocks } from "@/lib/redis/clocks";
import { conditionOf, faultsOf, type Outlook } from "@/lib/redis/condition";
import { NO_FACTS } from "@/lib/redis/facts";
import { ServerTime, timeOf } from "@/lib/redis/server-time";
import { nodeId } from "@/lib/redlock";

// Clocks that disagree, and the latest time at which a request may still be executed.

const HOUR_MS = 3_600_000;

/** Nodes a, b, c, … with clocks so far from the first's. */
function clocksAt(...offsets: readonly number[]): Clocks {
  return report(new Clocks(), offsets);
}

function report(clocks: Clocks, offsets: readonly number[]): Clocks {
  for (const [index, offset] of offsets.entries()) {
    clocks.report(nodeId("abcdefg".charAt(index)), { ms: 1e12 + offset, errorMs: 1 });
  }
  return clocks;
}

function outlookWith(clockDeviationMs: number, clockToleranceMs = 500): Outlook {
  const open = { isOpen: true, silentForMs: 0, reason: "" };
  return {
    locks: open,
    reads: open,
    facts: { ...NO_FACTS, role: "master" },
    roundTripMs: 1,
    nodeTimeoutMs: 50,
    twin: null,
    missingRights: null,
    missingForFair: null,
    denial: null,
    standing: { kind: "admitted" },
    clockDeviationMs,
    clockToleranceMs,
    areFencesDoubtful: false,
  };
}

describe("a node whose clock is wrong", () => {
  test("trap 5: ten seconds ahead: no vote, and the page says so", () => {
    const clocks = clocksAt(0, 3, 10_000, -2, 1);
    expect(clocks.isWrong(nodeId("c"))).toBe(true);
    const outlook = outlookWith(clocks.deviationOf(nodeId("c")));
    expect(conditionOf(outlook)).toBe("clock");
    expect(faultsOf(outlook).join()).toMatch(/10\.0 s ahead of the other nodes'.*NTP/);
  });

  test("trap 6: an hour behind: the same", () => {
    const clocks = clocksAt(0, 3, -HOUR_MS, -2, 1);
    expect(clocks.isWrong(nodeId("c"))).toBe(true);
    expect(conditionOf(outlookWith(clocks.deviationOf(nodeId("c"))))).toBe("clock");
  });

  test("the others keep their votes, and so does a node within what NTP leaves", () => {
    const clocks = clocksAt(0, 300, 10_000, -2, 1);
    for (const id of "abde") expect(clocks.isWrong(nodeId(id))).toBe(false);
    expect(conditionOf(outlookWith(300))).toBe("admitted");
  });

  test("is one further off than clockErrorMs, where that was given", () => {
    const clocks = report(new Clocks(50), [0, 3, 80, -2, 40]);
    expect(clocks.toleranceMs).toBe(50);
    expect("abcde".split("").filter((id) => clocks.isWrong(nodeId(id)))).toEqual(["c"]);
    const outlook = outlookWith(clocks.deviationOf(nodeId("c")), clocks.toleranceMs);
    expect(conditionOf(outlook)).toBe("clock");
    expect(faultsOf(outlook).join()).toContain("77 ms ahead of the other nodes'");
    expect(new Clocks(0).toleranceMs).toBe(500);
  });

  test("a slow answer is not taken for a wrong clock", () => {
    const clocks = clocksAt(0, 3, 5, -2, 1);
    clocks.report(nodeId("c"), { ms: 1e12 + 2000, errorMs: 2000 });
    expect(clocks.isWrong(nodeId("c"))).toBe(false);
  });

  test("of two clocks nobody can say which is wrong", () => {
    const clocks = clocksAt(0, 10_000);
    expect(clocks.isWrong(nodeId("a")) || clocks.isWrong(nodeId("b"))).toBe(false);
  });
});

describe("the latest time of execution", () => {
  test("is never before what the server's clock can show by then, and not much after", () => {
    const time = new ServerTime(250, 50);
    expect(time.deadline(0, 50)).toBe(0);
    // Read somewhere between 100 and 110: the server shows 1000 more than we do, give or take the round trip.
    time.learn(1105, { sentAt: 100, receivedAt: 110 });
    expect(time.deadline(110, 50)).toBeGreaterThanOrEqual(1160);
    expect(time.deadline(110, 50)).toBeLessThanOrEqual(1168);
    // A quicker exchange is a tighter bound.
    time.learn(1200, { sentAt: 200, receivedAt: 201 });
    expect(time.deadline(201, 50)).toBeLessThanOrEqual(1253);
  });

  test("follows a clock that was put forward as soon as a reading shows it, and one that was put back", () => {
    const time = new ServerTime(250, 50);
    time.learn(1100, { sentAt: 100, receivedAt: 101 });
    time.learn(11_200, { sentAt: 200, receivedAt: 201 });
    expect(time.deadline(201, 50)).toBeGreaterThanOrEqual(11_251);
    time.learn(1300, { sentAt: 300, receivedAt: 301 });
    expect(time.deadline(301, 50)).toBeLessThanOrEqual(1353);
  });

  test("an answer that was held up does not loosen it", () => {
    const time = new ServerTime(250, 50);
    time.learn(1100, { sentAt: 100, receivedAt: 101 });
    time.learn(6100, { sentAt: 200, receivedAt: 5101 });
    expect(time.deadline(5101, 50)).toBeLessThanOrEqual(6163);
    expect(time.offset?.ms).toBeCloseTo(1000, -1);
    expect(time.offset?.errorMs).toBeLessThan(6);
  });

  test("a slow answer that shows a step leaves it in doubt how far, until a quick one tells", () => {
    const time = new ServerTime(250, 50);
    time.learn(1100, { sentAt: 100, receivedAt: 101 });
    expect(time.doubt).toBeNull();
    time.learn(12_900, { sentAt: 1900, receivedAt: 2500 });
    expect(time.doubt).toBe("moved");
    time.learn(13_600, { sentAt: 2600, receivedAt: 2601 });
    expect(time.doubt).toBeNull();
  });

  test("is in doubt from a slow first answer until a quick one, and not where votes may be as slow", () => {
    const slow = { sentAt: 100, receivedAt: 1700 };
    const time = new ServerTime(250, 50);
    time.learn(1100, slow);
    expect(time.doubt).toBe("slow");
    time.learn(2801, { sentAt: 1800, receivedAt: 1802 });
    expect(time.doubt).toBeNull();
    const far = new ServerTime(250, 1000);
    far.learn(1100, slow);
    expect(far.doubt).toBeNull();
  });

  test("reads the answer to TIME and nothing else", () => {
    expect(timeOf([Buffer.from("12"), Buffer.from("345678")])).toBeCloseTo(12_345.678);
    expect(timeOf("12")).toBeNull();
    expect(timeOf([Buffer.from("x"), Buffer.from("1")])).toBeNull();
  });
});
