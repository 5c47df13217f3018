// What the test runners report, made comparable and added up.

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * A runner that reports nothing but its exit code counts as one test.
 *
 * @param {number} code
 * @returns {Count}
 */
export function countOfExit(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: readonly { status: string, assertionResults: readonly { status: string }[] }[] } | null} report
 *   of vitest's JSON reporter; null when there is none
 * @param {number} code exit code of vitest
 * @returns {Count}
 */
export function countOfVitest(report, code) {
  if (report === null) return crashed();
  // A file that could not even be loaded has no tests to fail; it counts as one.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  return withCode(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/**
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } } | null} report
 *   of Playwright's JSON reporter; null when there is none
 * @param {number} code exit code of Playwright
 * @returns {Count}
 */
export function countOfPlaywright(report, code) {
  if (report === null) return crashed();
  const { expected, unexpected, flaky, skipped } = report.stats;
  // Passed at the second try means failed at the first: what it guards is not guaranteed.
  return withCode(code, { passed: expected, failed: unexpected + flaky, skipped });
}

/** No report, so nobody knows how many there would have been. At least one thing failed. */
function crashed() {
  return { passed: 0, failed: 1, skipped: 0 };
}

/** A runner that is not content although every test passed (an error outside the tests, no tests at all) failed once. */
function withCode(code, count) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

/**
 * @param {readonly Count[]} counts
 * @returns {Count}
 */
export function total(counts) {
  const sum = (key) => counts.reduce((sofar, count) => sofar + count[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/**
 * The line everything ends with.
 *
 * @param {Count} count
 * @returns {string} `N passed, N failed`, and `, N skipped` if any were
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * @param {readonly { name: string, count: Count, seconds: number, note?: string }[]} steps
 * @returns {string} one line per step, with a heading
 */
export function summaryTable(steps) {
  const width = Math.max(...steps.map((step) => step.name.length));
  const row = (name, cells, note) =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join("")}${note}`;
  return [
    row("", ["passed", "failed", "skipped", "seconds"], ""),
    ...steps.map(({ name, count, seconds, note }) =>
      row(name, [count.passed, count.failed, count.skipped, seconds.toFixed(1)], note === undefined ? "" : `  ${note}`),
    ),
  ].join("\n");
}
