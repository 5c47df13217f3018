import { describe, expect, test } from "vitest";
import { faultArguments } from "../../fault/arguments";
import { describeFault, NEMESES, type PlanRequest, planFaults, REMEMBERING } from "../../fault/plan";
import { closingLine, describeViolation, whyBlind } from "../../fault/report";

const request: PlanRequest = { seed: 7, spanMs: 20_000, nemeses: NEMESES, nodes: 5, workers: 2, ttlMs: 1500 };

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

  test("has faults that outlast a lock, and some that do not", () => {
    const lengths = planFaults(request).map(({ forMs }) => forMs);
    expect(lengths.some((ms) => ms > request.ttlMs)).toBe(true);
    expect(lengths.some((ms) => ms > 0 && ms < request.ttlMs)).toBe(true);
  });

  test("says each fault in words", () => {
    for (const fault of planFaults(request)) expect(describeFault(fault)).toContain(fault.kind);
  });
});

describe("the arguments", () => {
  test("leave out what makes nodes forget where no guard is, unless it is asked for", () => {
    expect(faultArguments([])).toMatchObject({ nemeses: NEMESES, hasGuard: true });
    expect(REMEMBERING).not.toContain("flush");
    expect(faultArguments(["--guard", "off"])).toMatchObject({ nemeses: REMEMBERING, hasGuard: false });
    expect(faultArguments(["--client", "redlock-5"])).toMatchObject({ nemeses: REMEMBERING, hasGuard: false });
    expect(faultArguments(["--client", "redlock-5", "--nemesis", "all"]).nemeses).toContain("kill-empty");
    expect(faultArguments(["--nemesis", "hold,flush"]).nemeses).toEqual(["hold", "flush"]);
    expect(faultArguments(["--nemesis", "none"]).nemeses).toEqual([]);
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
