import { describe, expect, test } from "vitest";
import { faultArguments } from "../../fault/arguments";
import {
  describeFault,
  mustTakeTurns,
  NEMESES,
  type PlannedFault,
  type PlanRequest,
  planFaults,
  REMEMBERING,
} from "../../fault/plan";
import { closingLine, describeViolation, whyBlind } from "../../fault/report";

const sizes = { nodes: 5, workers: 2, ttlMs: 1500, nodeTimeoutMs: 100 };
const request: PlanRequest = { seed: 7, spanMs: 20_000, nemeses: NEMESES, ...sizes };

function atOnce(a: PlannedFault, b: PlannedFault): boolean {
  return a !== b && a.atMs <= b.atMs + b.forMs && b.atMs <= a.atMs + a.forMs;
}

describe("a plan of faults", () => {
  test("is the same for the same seed, and another for another", () => {
    expect(planFaults(request)).toEqual(planFaults(request));
    expect(planFaults({ ...request, seed: 8 })).not.toEqual(planFaults(request));
  });

  test("gives every kind its turn, and only the kinds asked for", () => {
    expect(new Set(planFaults(request).map(({ kind }) => kind))).toEqual(new Set(NEMESES));
    expect(new Set(planFaults({ ...request, nemeses: ["hold"] }).map(({ kind }) => kind))).toEqual(new Set(["hold"]));
    expect(planFaults({ ...request, nemeses: [] })).toEqual([]);
  });

  test("inflicts no kind much more often than another, though some have to wait longer for their turn", () => {
    const counts = new Map<string, number>(NEMESES.map((kind) => [kind, 0]));
    for (const { kind } of planFaults({ ...request, spanMs: 300_000 })) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
  });

  test("has faults that outlast a lock, and some that do not", () => {
    const lengths = planFaults(request).map(({ forMs }) => forMs);
    expect(lengths.some((ms) => ms > request.ttlMs)).toBe(true);
    expect(lengths.some((ms) => ms > 0 && ms < request.ttlMs)).toBe(true);
  });

  test("never has faults at once of which one must wait for the other, and spares most of the nodes most of the time", () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const plan = planFaults({ ...request, seed });
      for (const fault of plan) {
        const others = plan.filter((other) => atOnce(fault, other));
        expect(others.filter((other) => mustTakeTurns(fault, other))).toEqual([]);
      }
      const crowded = plan.filter(
        (fault) => plan.filter((other) => other.kind !== "pause-client" && atOnce(fault, other)).length > 3,
      );
      expect(crowded.length).toBeLessThan(plan.length / 2);
    }
  });

  test("says each fault in words", () => {
    for (const fault of planFaults(request)) expect(describeFault(fault)).toContain(fault.kind);
  });
});

describe("a step of a clock", () => {
  const steps = Array.from({ length: 50 }, (_, seed) => planFaults({ ...request, seed }))
    .flat()
    .filter(({ kind }) => kind === "clock-step");

  test("goes both ways, either so far that it must be noticed or no further than the drift that is allowed for", () => {
    for (const way of [-1, 1]) {
      const sizesMs = steps.map(({ byMs }) => way * byMs).filter((ms) => ms > 0);
      expect(sizesMs.some((ms) => ms > 800)).toBe(true);
      expect(sizesMs.some((ms) => ms < 800)).toBe(true);
      // Back from one and forth by the next within one TTL: twice that is less than 1 % of it.
      expect(sizesMs.filter((ms) => ms < 800 && 2 * ms > 0.01 * request.ttlMs)).toEqual([]);
    }
  });

  test("lasts until every client has noticed it and all that was taken before has ended", () => {
    for (const { forMs } of steps) expect(forMs).toBeGreaterThan(1000 + request.ttlMs);
  });

  test("is planned for one node at a time, while no client stands still, and only where a majority is right", () => {
    const step: PlannedFault = {
      kind: "clock-step",
      node: 1,
      worker: null,
      ...{ atMs: 0, forMs: 0, byMs: 0 },
      direction: "both",
    };
    expect(mustTakeTurns(step, { ...step, node: 2 })).toBe(true);
    expect(mustTakeTurns(step, { ...step, kind: "pause-client", worker: 0 })).toBe(true);
    expect(mustTakeTurns(step, { ...step, kind: "hold", node: 2 })).toBe(false);
    expect(planFaults({ ...request, nodes: 2 }).map(({ kind }) => kind)).not.toContain("clock-step");
  });
});

describe("the arguments", () => {
  test("leave out what makes nodes forget where no guard is, unless it is asked for", () => {
    expect(faultArguments([])).toMatchObject({ nemeses: NEMESES, hasGuard: true });
    expect(REMEMBERING).not.toContain("flush");
    expect(REMEMBERING).not.toContain("clock-step");
    expect(REMEMBERING).toContain("slow-fsync");
    expect(faultArguments(["--guard", "off"])).toMatchObject({ nemeses: REMEMBERING, hasGuard: false });
    expect(faultArguments(["--client", "redlock-5"])).toMatchObject({ nemeses: REMEMBERING, hasGuard: false });
    expect(faultArguments(["--client", "redlock-5", "--nemesis", "all"]).nemeses).toContain("kill-empty");
    expect(faultArguments(["--nemesis", "hold,flush"]).nemeses).toEqual(["hold", "flush"]);
    expect(faultArguments(["--nemesis", "none"]).nemeses).toEqual([]);
  });

  test("ask for fair locks of the engine under random faults only", () => {
    expect(faultArguments([]).isFair).toBe(false);
    expect(faultArguments(["--fair"]).isFair).toBe(true);
    expect(() => faultArguments(["--fair", "--client", "redlock-5"])).toThrow(/--fair is for random faults/);
    expect(() => faultArguments(["--fair", "--scenario", "all"])).toThrow(/--fair is for random faults/);
  });

  test("tell faults that were named from those that are there by default", () => {
    expect(faultArguments(["--nemesis", "clock-step"]).areNemesesNamed).toBe(true);
    for (const words of [[], ["--nemesis", "all"], ["--nemesis", "none"]]) {
      expect(faultArguments(words).areNemesesNamed).toBe(false);
    }
  });

  test("are refused with the name of the argument and the value", () => {
    expect(() => faultArguments(["--seconds", "0"])).toThrow("--seconds must be an integer from 1 to 86400, got 0");
    expect(() => faultArguments(["--client", "redis"])).toThrow("--client must be one of engine");
    expect(() => faultArguments(["--nemesis", "hold,fire"])).toThrow("--nemesis must be one of");
  });
});

describe("the report", () => {
  const summary = { violations: 0, grants: 100, faults: 30, seed: 7 };

  test("ends with one line", () => {
    expect(closingLine(summary)).toBe("violations 0, grants 100, faults 30, seed 7");
  });

  test("says so when a run saw too little", () => {
    expect(whyBlind(summary, { seconds: 20, hasNemeses: true })).toBeNull();
    expect(whyBlind({ ...summary, grants: 4 }, { seconds: 20, hasNemeses: true })).toContain("4 grants");
    expect(whyBlind({ ...summary, faults: 2 }, { seconds: 20, hasNemeses: true })).toContain("2 faults");
    expect(whyBlind({ ...summary, faults: 0 }, { seconds: 20, hasNemeses: false })).toBeNull();
  });

  test("shows a violation with its two claims and the faults around it", () => {
    const first = { id: "w:0:0", resource: "a", fromUs: 1_000_000, untilUs: 2_000_000 };
    const second = { id: "v:0:0", resource: "a", fromUs: 1_500_000, untilUs: 2_500_000 };
    const fault = { what: "flush: node 2", stoppedWorker: null, fromUs: 1_400_000, untilUs: 1_400_000 };
    const text = describeViolation({ kind: "overlap", first, second, overlapMs: 500 }, [fault], 1_000_000);
    for (const part of ["500.0 ms", "w:0:0", "v:0:0", "flush: node 2"]) expect(text).toContain(part);
  });
});
