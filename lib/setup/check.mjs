// `npm test` and its fast part, `npm run check`: every runner one after the other, then one line that adds them all up.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram, undoAtEnd } from "./children.mjs";
import { closingLine, countOfExit, countOfPlaywright, countOfVitest, summaryTable, total } from "./reports.mjs";
import { complain, SetupError, say } from "./sentences.mjs";

/** Of the shell that runs the tests; they would make the tests test something else. */
const NOT_FOR_TESTS = /^(REDLOCK_.*|HOST|PORT|NODE_ENV)$/;

/**
 * Format and lint, types, the tidy test, unit and component tests: what must be green before a push.
 *
 * @param {string} root the project's folder, its packages installed
 * @returns {Promise<number>} exit code
 */
export function runCheck(root) {
  return runSteps(root, process.env, (tools) => [lint(tools), types(tools), fastTests(tools)]);
}

/**
 * Everything: the check, integration tests on real redis-server processes, and the browser tests on the built console.
 *
 * @param {string} root the project's folder, its packages installed
 * @param {{ prepareBrowser: () => Promise<string> }} options finds a browser and builds the pages. When that fails only the
 *   browser tests do: everything else still says something
 * @returns {Promise<number>} exit code
 */
export async function runTests(root, { prepareBrowser }) {
  let problem = null;
  const env = { ...process.env };
  try {
    env.CHROMIUM_PATH = await prepareBrowser();
  } catch (error) {
    complain(error);
    problem = error instanceof SetupError ? error.message : String(error);
  }
  return runSteps(root, env, (tools) => [
    lint(tools),
    types(tools),
    unitTests(tools),
    integrationTests(tools),
    browserTests(tools, problem),
  ]);
}

/** @typedef {{ node: (script: string, args: string[], env?: NodeJS.ProcessEnv) => Promise<number>, report: (name: string) => string }} Tools */
/** @typedef {{ name: string, run: () => Promise<import("./reports.mjs").Count>, note?: string }} Step */

async function runSteps(root, env, stepsOf) {
  const folder = mkdtempSync(join(tmpdir(), "redlock-console-reports-"));
  const removeFolder = undoAtEnd(() => rmSync(folder, { recursive: true, force: true }));
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_TESTS.test(name)));
  /** @type {Tools} */
  const tools = {
    report: (name) => join(folder, `${name}.json`),
    node: async (script, args, more = {}) => {
      const options = { cwd: root, env: { ...clean, NEXT_TELEMETRY_DISABLED: "1", ...more }, output: "show" };
      const { code } = await runProgram(process.execPath, [join(root, "node_modules", script), ...args], options);
      return code;
    },
  };
  const done = [];
  for (const { name, run, note } of stepsOf(tools)) {
    say(`\n── ${name}`);
    const startedAt = performance.now();
    const count = await run();
    done.push({ name, count, note, seconds: (performance.now() - startedAt) / 1000 });
  }
  removeFolder();
  const sum = total(done.map((step) => step.count));
  say(`\n${summaryTable(done)}\n\n${closingLine(sum)}`);
  return sum.failed === 0 ? 0 : 1;
}

/** @param {Tools} tools @returns {Step} */
function lint({ node }) {
  const run = async () => countOfExit(await node("@biomejs/biome/bin/biome", ["check", "."]));
  return { name: "format and lint", run };
}

/** @param {Tools} tools @returns {Step} */
function types({ node }) {
  const run = async () => {
    // Not incrementally: after a change in lib/setup's JavaScript tsc 7.0 repeats errors that are mended already.
    // Typegen writes the types of the routes, which a fresh checkout does not have.
    const typegen = await node("next/dist/bin/next", ["typegen"]);
    return countOfExit(
      typegen === 0 ? await node("typescript/bin/tsc", ["--noEmit", "--incremental", "false"]) : typegen,
    );
  };
  return { name: "types", run };
}

/** @param {Tools} tools @returns {Step} */
function unitTests(tools) {
  return { name: "unit, component, tidy", run: () => vitest(tools, "unit", ["unit", "component"]) };
}

/**
 * What tells most in under a minute: components and mutants take longer than all the rest and are left to `npm test`.
 *
 * @param {Tools} tools @returns {Step}
 */
function fastTests(tools) {
  return { name: "unit, tidy", run: () => vitest(tools, "unit", ["unit"], ["--exclude", "**/mutants.test.ts"]) };
}

/** @param {Tools} tools @returns {Step} */
function integrationTests(tools) {
  return { name: "integration", run: () => vitest(tools, "integration", ["integration"]) };
}

async function vitest({ node, report }, name, projects, more = []) {
  const args = ["run", "--config", "test/vitest.config.ts", ...projects.flatMap((project) => ["--project", project])];
  args.push(...more, "--reporter=default", "--reporter=json", `--outputFile.json=${report(name)}`);
  const code = await node("vitest/vitest.mjs", args);
  return countOfVitest(readReport(report(name)), code);
}

/** @param {Tools} tools @param {string | null} problem why they cannot run @returns {Step} */
function browserTests({ node, report }, problem) {
  if (problem !== null) {
    const run = async () => {
      say(problem);
      return countOfExit(1);
    };
    return { name: "browser", run, note: problem.split("\n")[0] };
  }
  const run = async () => {
    const args = ["test", "-c", "test/playwright.config.ts", "--reporter=list,json"];
    const code = await node("@playwright/test/cli.js", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report("browser") });
    return countOfPlaywright(readReport(report("browser")), code);
  };
  return { name: "browser", run };
}

/** Null when the runner did not come to the end where it writes one. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null; // not written, or cut off: the runner crashed, which is counted
  }
}
