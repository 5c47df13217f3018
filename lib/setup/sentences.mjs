/** A failure that its reader can understand and mend: shown as its message alone, never as a stack trace. */
export class SetupError extends Error {
  name = "SetupError";
}

/**
 * Shows one line of progress.
 *
 * @param {string} line
 */
export function say(line) {
  console.log(line);
}

/**
 * Shows what went wrong, and a stack trace only for a fault of ours.
 *
 * @param {unknown} error
 */
export function complain(error) {
  // A BootError comes from lib/runtime, which cannot use the class of this module.
  if (error instanceof SetupError || error?.name === "BootError") console.error(`\n${error.message}`);
  else console.error("\nThis should not happen; please report it:\n", error);
}

/**
 * Lets the process outlive the reader of its output: after `npm start | head -1`, or when the terminal is gone, a write
 * fails with EPIPE or EIO, and without a listener that would end the console.
 */
export function surviveClosedOutput() {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/**
 * Runs a long step: says that it began, every half minute that it still runs, and at the end how long it took.
 *
 * @template T
 * @param {string} what as in "Building the pages"
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function narrate(what, step) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  say(`${what}…`);
  const timer = setInterval(() => say(`${what}… (${seconds()} s)`), 30_000);
  try {
    const result = await step();
    say(`${what}: ${seconds()} s.`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/**
 * The last lines of a program's output that say something.
 *
 * @param {string} output
 * @param {number} count
 * @returns {string}
 */
export function lastLines(output, count) {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-count).join("\n");
}
