import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOnPath, runProgram } from "./children.mjs";
import { lastLines, narrate, SetupError } from "./sentences.mjs";
import { canInstallWithApt, installCommands, installWithApt, isDebian, isRoot } from "./system-packages.mjs";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const VERSION_MS_MAX = 30_000;
const COMMANDS = {
  apt: isDebian() ? "apt-get install -y chromium fonts-liberation" : "npx playwright install --with-deps chromium",
  dnf: "dnf install -y chromium",
  apk: "apk add chromium font-liberation",
  brew: "brew install --cask google-chrome",
};

/**
 * Finds a Chromium for the browser tests, or installs one where that needs no asking: with apt on Debian as root (on Ubuntu
 * the package is only a pointer to a snap), else the one Playwright keeps in its own cache.
 *
 * @param {string} root the project's folder, its packages installed
 * @returns {Promise<string>} absolute path
 * @throws {SetupError} there is none, or it does not run
 */
export async function ensureChromium(root) {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") {
    if (await works(named)) return named;
    throw new SetupError(`CHROMIUM_PATH is ${named}, but no browser answers there. Correct it or leave it out.`);
  }
  const present = await findWorking(root);
  if (present !== null) return present;
  const words = await install(root);
  const installed = await findWorking(root);
  if (installed !== null) return installed;
  throw new SetupError(
    `The browser tests need Chromium, and none runs here. Install it:\n${installCommands(COMMANDS)}\n` +
      `or set CHROMIUM_PATH to a browser of yours.${words === null ? "" : `\nThe attempt to install one ended with:\n${words}`}`,
  );
}

async function findWorking(root) {
  const candidates = [...PROGRAMS.map((name) => findOnPath([name])), MAC_CHROME, await playwrightsOwn(root)];
  for (const path of candidates) {
    if (path !== null && existsSync(path) && (await works(path))) return path;
  }
  return null;
}

/** Asked for its version, because Ubuntu's `chromium-browser` is there and yet only says that a snap is missing. */
async function works(path) {
  const { code, output } = await runProgram(path, ["--version"], { limitMs: VERSION_MS_MAX });
  return code === 0 && /chrom/i.test(output);
}

async function playwrightsOwn(root) {
  const script = 'console.log(require("playwright-core").chromium.executablePath())';
  const { code, output } = await runProgram(process.execPath, ["-e", script], { cwd: root });
  return code === 0 ? output.trim() : null;
}

async function install(root) {
  if (isDebian() && canInstallWithApt()) {
    const words = await installWithApt("Chromium", [["chromium", "fonts-liberation"], ["chromium"]]);
    if (words === null) return null;
  }
  return narrate("Fetching the Chromium that Playwright keeps", async () => {
    const args = [join(root, "node_modules/@playwright/test/cli.js"), "install", "chromium"];
    if (isRoot() && canInstallWithApt()) args.push("--with-deps");
    const { code, output } = await runProgram(process.execPath, args, { cwd: root });
    return code === 0 ? null : lastLines(output, 3);
  });
}
