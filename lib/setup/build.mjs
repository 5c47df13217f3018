import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runProgram } from "./children.mjs";
import { bundleLabClient } from "./lab-client.mjs";
import { lastLines, narrate, SetupError } from "./sentences.mjs";

/** What a build is made from. Anything else may change without a new build. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation.ts",
  "next.config.js",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
];
const BUILD_ID = ".next/BUILD_ID";
const STAMP = ".next/setup-sources-sha256";
const OUTPUT_LINES = 40;

/**
 * Builds the pages, unless the build that is there was made from exactly these sources.
 *
 * @param {string} root the project's folder
 * @param {{ force?: boolean, build?: (root: string) => Promise<{ code: number, output: string }> }} [options]
 * @returns {Promise<void>}
 * @throws {SetupError} the build failed
 */
export async function ensureBuild(root, { force = false, build = runBuild } = {}) {
  const sources = fingerprintOf(root);
  if (!force && isBuilt(root, sources)) return;
  discard(root);
  await narrate("Building the pages", async () => {
    const { code, output } = await build(root);
    if (code === 0) return;
    // Next writes BUILD_ID before the last steps of a build; a failed one must not pass for a build.
    discard(root);
    throw new SetupError(buildSentence(output));
  });
  // Last, and over the sources as they were before: an edit during the build makes the next start build again.
  writeFileSync(join(root, STAMP), `${sources}\n`);
}

/**
 * Identifies the sources by their names and contents. Times would miss a file that was removed, and would call a build old
 * after a mere `git checkout` there and back.
 *
 * @param {string} root
 * @returns {string}
 */
export function fingerprintOf(root) {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const path of filesOf(root, source)) {
      const content = readFileSync(join(root, path));
      hash.update(`${path}\n${content.length}\n`).update(content);
    }
  }
  return hash.digest("hex");
}

/** All files at or below `path`, in an order that does not depend on the disk. */
function filesOf(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined || basename(path).startsWith(".")) return []; // an editor's leftovers are no sources
  if (stats.isFile()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesOf(root, `${path}/${name}`));
}

/** @returns {boolean} whether the build in `root` is complete and was made from `sources` */
export function isBuilt(root, sources) {
  try {
    return existsSync(join(root, BUILD_ID)) && readFileSync(join(root, STAMP), "utf8").trim() === sources;
  } catch {
    return false; // no stamp: built by somebody else, or not to the end
  }
}

function discard(root) {
  try {
    for (const file of [STAMP, BUILD_ID]) rmSync(join(root, file), { force: true });
  } catch (error) {
    throw new SetupError(
      `Cannot write to ${join(root, ".next")} (${error.code}), where the pages are built. ` +
        "Make the folder yours (for instance `sudo chown -R $(id -un) .`), then start again.",
    );
  }
}

async function runBuild(root) {
  const built = await runNextBuild(root);
  // Behind it, because it clears the folder.
  if (built.code === 0) await bundleLabClient(root);
  return built;
}

function runNextBuild(root) {
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  return runProgram(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], { cwd: root, env });
}

function buildSentence(output) {
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return `The pages could not be built: no permission to write.\n${lastLines(output, 3)}`;
  }
  return `The pages could not be built (\`next build\` failed). Its last words:\n${lastLines(output, OUTPUT_LINES)}`;
}
