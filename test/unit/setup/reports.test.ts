import { describe, expect, it } from "vitest";
import {
  closingLine,
  countOfExit,
  countOfPlaywright,
  countOfVitest,
  summaryTable,
  total,
} from "@/lib/setup/reports.mjs";

function vitestReport(
  numbers: Partial<Record<"passed" | "failed" | "pending" | "todo", number>>,
  files: string[][] = [],
) {
  return {
    numPassedTests: numbers.passed ?? 0,
    numFailedTests: numbers.failed ?? 0,
    numPendingTests: numbers.pending ?? 0,
    numTodoTests: numbers.todo ?? 0,
    testResults: files.map((statuses) => ({
      status: statuses.every((status) => status === "passed") && statuses.length > 0 ? "passed" : "failed",
      assertionResults: statuses.map((status) => ({ status })),
    })),
  };
}

describe("adding up", () => {
  it("counts lint and types as one each", () => {
    expect([countOfExit(0), countOfExit(2)]).toEqual([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 1, skipped: 0 },
    ]);
  });

  it("takes vitest's numbers", () => {
    const report = vitestReport({ passed: 7, failed: 1, pending: 2, todo: 1 }, [["passed"], ["failed"]]);
    expect(countOfVitest(report, 1)).toEqual({ passed: 7, failed: 1, skipped: 3 });
  });

  it("counts a file that could not be loaded as a failure", () => {
    expect(countOfVitest(vitestReport({ passed: 1 }, [["passed"], []]), 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  it("counts an error outside every test as a failure", () => {
    expect(countOfVitest(vitestReport({ passed: 1 }, [["passed"]]), 1).failed).toBe(1);
  });

  it("counts a runner that left no report as a failure, whatever its exit code", () => {
    expect([countOfVitest(null, 0).failed, countOfPlaywright(null, 0).failed]).toEqual([1, 1]);
  });

  it("counts a browser test that passed at the second try as a failure", () => {
    const report = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } };
    expect(countOfPlaywright(report, 1)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });

  it("counts a browser run that failed without a failed test as a failure", () => {
    expect(countOfPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }, 1).failed).toBe(1);
  });
});

describe("the closing line", () => {
  it("is N passed, N failed", () => {
    const sum = total([countOfExit(0), countOfExit(1), { passed: 40, failed: 0, skipped: 0 }]);
    expect(closingLine(sum)).toBe("41 passed, 1 failed");
  });

  it("does not hide what was skipped", () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 2 })).toBe("3 passed, 0 failed, 2 skipped");
  });

  it("follows a table with a row per step", () => {
    const rows = summaryTable([
      { name: "types", count: countOfExit(0), seconds: 4.21 },
      { name: "browser", count: countOfExit(1), seconds: 0, note: "no Chromium" },
    ]).split("\n");
    expect(rows.map((row) => row.trim().split(/\s{2,}/))).toEqual([
      ["passed", "failed", "skipped", "seconds"],
      ["types", "1", "0", "0", "4.2"],
      ["browser", "0", "1", "0", "0.0", "no Chromium"],
    ]);
  });
});
