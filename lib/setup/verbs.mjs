import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "./build.mjs";
import { runCheck, runTests } from "./check.mjs";
import { endWithSignals, runProgram } from "./children.mjs";
import { ensureChromium } from "./chromium.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { maskedLines, readEnvironment } from "./environment.mjs";
import { bundleLabClient } from "./lab-client.mjs";
import { withLock } from "./lock.mjs";
import { requireFreePort } from "./port.mjs";
import { ensureRedis } from "./redis.mjs";
import { complain, SetupError, say, surviveClosedOutput } from "./sentences.mjs";
import { requireConfig, serve } from "./serve.mjs";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What each npm script does. @type {Record<string, () => Promise<number | undefined>>} a number is the exit code */
const VERBS = {
  start: () => start({ dev: false }),
  dev: () => start({ dev: true }),
  test,
  check,
  config,
  build,
  screenshots,
};

/**
 * Runs one verb. What fails is shown as a sentence and leaves a non-zero exit code.
 *
 * @param {string | undefined} verb
 * @returns {Promise<void>}
 */
export async function run(verb) {
  surviveClosedOutput();
  process.chdir(ROOT);
  try {
    if (!Object.hasOwn(VERBS, verb ?? "")) {
      throw new SetupError(`Say what to do: ${Object.keys(VERBS).join(", ")}. For instance: npm start`);
    }
    process.exitCode = (await VERBS[verb]()) ?? 0;
  } catch (error) {
    complain(error);
    // Whoever reads only the last line of a test run must find there that it did not pass.
    if (verb === "test" || verb === "check") say("0 passed, 1 failed");
    process.exitCode = 1;
  }
}

async function start({ dev }) {
  const { nodes, host, port } = requireConfig(process.env);
  await requireFreePort({ host, port }, dev ? "dev" : "start");
  const leaveSignals = endWithSignals();
  await withLock(ROOT, async () => {
    await ensureDependencies(ROOT);
    if (nodes === null) await ensureRedis();
    if (dev) await bundleLabClient(ROOT);
    else await ensureBuild(ROOT);
  });
  leaveSignals();
  await serve(ROOT, { dev, host, port });
  return undefined; // serving goes on; its end sets the exit code
}

/** Always builds: whoever asks for it by name has a reason. */
async function build() {
  endWithSignals();
  await withLock(ROOT, async () => {
    await ensureDependencies(ROOT);
    await ensureBuild(ROOT, { force: true });
  });
  return 0;
}

async function test() {
  endWithSignals();
  await withLock(ROOT, async () => {
    await ensureDependencies(ROOT);
    await ensureRedis();
  });
  const prepareBrowser = () =>
    withLock(ROOT, async () => {
      const browser = await ensureChromium(ROOT);
      await ensureBuild(ROOT);
      return browser;
    });
  return runTests(ROOT, { prepareBrowser });
}

async function check() {
  endWithSignals();
  await withLock(ROOT, () => ensureDependencies(ROOT));
  return runCheck(ROOT);
}

async function config() {
  const result = readEnvironment(process.env);
  for (const line of maskedLines(result)) say(line);
  for (const warning of result.warnings) console.error(`Warning: ${warning}`);
  for (const error of result.errors) console.error(`Error: ${error}`);
  return result.errors.length === 0 ? 0 : 1;
}

/** Makes the pictures of the README again. The program that does is a test tool, since it drives a browser. */
async function screenshots() {
  endWithSignals();
  const browser = await withLock(ROOT, async () => {
    await ensureDependencies(ROOT);
    await ensureRedis();
    await ensureBuild(ROOT);
    return ensureChromium(ROOT);
  });
  const env = { ...process.env, CHROMIUM_PATH: browser };
  const { code } = await runProgram(process.execPath, ["test/support/screenshots.mjs"], {
    cwd: ROOT,
    env,
    output: "show",
  });
  return code;
}
