// The house checks itself: lib/README.md says the rules, this file enforces them. Every rule is also shown a planted
// violation, so that a rule that no longer finds anything is noticed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/contract";
import { plant, RULES } from "../support/tidy-cases";
import { IMPORT_TABLE, moduleOf } from "../support/tidy-imports";
import { topLevel, undocumentedCodes } from "../support/tidy-shape";
import { readSources } from "../support/tidy-source";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const rootFiles = ["instrumentation.ts", "next.config.js", "README.md"].filter((name) => existsSync(`${root}/${name}`));
const sources = readSources(root, ["app", "components", "lib", "test"], rootFiles);

describe("the house", () => {
  for (const { rule, says } of RULES) {
    it(says, () => expect(rule(sources)).toEqual([]));
  }

  it("keeps the top level as it is", () => {
    // Git's own list of what does not count: what is built or installed lies at the top level too.
    const ignored = readFileSync(`${root}/.gitignore`, "utf8").split("\n");
    const isIgnored = (name: string) =>
      ignored.some(
        (line) => line.replaceAll("/", "") === name || (line.startsWith("*") && name.endsWith(line.slice(1))),
      );
    expect(topLevel(readdirSync(root).filter((name) => !isIgnored(name)))).toEqual([]);
  });

  it("explains every error code", () => {
    const documents = sources.filter((file) => file.path.endsWith("README.md"));
    expect(undocumentedCodes(Object.keys(ERROR_STATUS), documents)).toEqual([]);
  });

  it("looks at all of it", () => {
    const modules = new Set(sources.map((file) => moduleOf(file.path)));
    expect([...modules]).toEqual(expect.arrayContaining(["lib/redlock", "lib/contract", "lib/setup"]));
  });
});

describe("the rules", () => {
  for (const { rule, says, broken, sound } of RULES) {
    it(`notice a violation: ${says}`, () => {
      for (const [file, place] of broken) {
        const problems = rule([file]);
        expect(problems, file.text).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^${place.replace(/[[\]]/g, "\\$&")} `));
      }
    });

    it(`let sound files pass: ${says}`, () => {
      for (const file of sound) expect(rule([file]), file.text).toEqual([]);
    });
  }

  it("form a ladder: a row of the import table lists only rows above it", () => {
    const rows = Object.keys(IMPORT_TABLE);
    for (const [row, allowed] of Object.entries(IMPORT_TABLE)) {
      for (const target of allowed) expect(rows.indexOf(target), `${row} → ${target}`).toBeLessThan(rows.indexOf(row));
      expect(rows).toEqual(expect.arrayContaining([...allowed]));
    }
  });

  it("notice a stray entry at the top level", () => {
    expect(topLevel(["app", "utils", ".vscode"])).toEqual(["utils:1 does not belong at the top level"]);
  });

  it("notice an error code that no document explains", () => {
    const document = plant("README.md", "| `not_found` | no such node |");
    expect(undocumentedCodes(["not_found", "internal"], [document])).toEqual([expect.stringContaining("`internal`")]);
  });
});
