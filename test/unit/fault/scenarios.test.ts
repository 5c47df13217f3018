import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { faultArguments } from "../../fault/arguments";
import { CLIENTS } from "../../fault/clients";
import { type ScenarioOutcome, violated } from "../../fault/scenario";
import { isRed, SCENARIOS, type ScenarioCell } from "../../fault/scenario-run";
import { scenarioTable, withScenarioTable } from "../../fault/scenario-table";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");

function rowsOf(document: string): readonly (readonly string[])[] {
  const table = document.split("<!-- scenarios:begin -->")[1]?.split("<!-- scenarios:end -->")[0] ?? "";
  const lines = table.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) => line.split("|").map((word) => word.trim()));
}

function cellOf(outcome: ScenarioOutcome, client: ScenarioCell["client"] = "engine"): ScenarioCell {
  const [scenario] = SCENARIOS;
  if (scenario === undefined) throw new Error("no scenario");
  return { scenario, client, outcome };
}

describe("the table in README.md", () => {
  test("has a row for each scenario, in their order, and no other", () => {
    expect(rowsOf(readme).map(([, name]) => name)).toEqual(SCENARIOS.map(({ name }) => name));
  });

  test("says something about every client in every row, and never that a scenario failed", () => {
    for (const row of rowsOf(readme)) {
      expect(row).toHaveLength(CLIENTS.length + 4);
      for (const words of row.slice(3, -1)) expect(words).toMatch(/^(ok|refuses: |\*\*V\*\* |\*\*L\*\* |–$)/);
    }
  });

  test("has nothing red for this engine", () => {
    for (const [, name, , engine] of rowsOf(readme)) expect(engine, name).toMatch(/^(ok|refuses)/);
  });
});

describe("a table", () => {
  test("has a column for each client that was played, and marks what is red", () => {
    const table = scenarioTable([cellOf({ kind: "ok", note: "" }), cellOf(violated("12 ms"), "redlock-4")]);
    expect(table.split("\n")[0]).toBe("| Scenario | ttl | this engine | redlock 4 |");
    expect(table).toContain("| ok | **V** 12 ms |");
  });

  test("goes between its marks, and what is around it stays", () => {
    const document = "before\n<!-- scenarios:begin -->\nold\n<!-- scenarios:end -->\nafter\n";
    const written = withScenarioTable(document, "Made with:", "| new |");
    expect(written).toBe("before\n<!-- scenarios:begin -->\nMade with:\n\n| new |\n<!-- scenarios:end -->\nafter\n");
    expect(() => withScenarioTable("no marks", "", "")).toThrow("needs the marks");
  });

  test("is only written as a whole", () => {
    expect(faultArguments(["--scenario", "all", "--readme"]).isForReadme).toBe(true);
    for (const argv of [["--readme"], ["--scenario", "all", "--client", "engine", "--readme"]]) {
      expect(() => faultArguments(argv)).toThrow("--readme writes the whole table");
    }
  });
});

describe("a cell", () => {
  test("is red when it is unsafe, stuck or unknown", () => {
    const kinds = ["violated", "not_live", "broken", "ok", "refused"] as const;
    const red = kinds.filter((kind) => isRed(cellOf({ kind, note: "" })));
    expect(red).toEqual(["violated", "not_live", "broken"]);
  });

  test("is not red when it could not be played here, or not with this client", () => {
    expect(isRed(cellOf({ kind: "not_available", note: "no C compiler" }))).toBe(false);
    expect(isRed(cellOf({ kind: "not_applicable" }))).toBe(false);
  });
});

test("every scenario has a name and an explanation of its own", () => {
  for (const key of ["name", "says"] as const) {
    expect(new Set(SCENARIOS.map((scenario) => scenario[key])).size).toBe(SCENARIOS.length);
  }
});
