import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOnPath, runProgram } from "./children.mjs";
import { lastLines, narrate, SetupError } from "./sentences.mjs";

const STAMP = "node_modules/.setup-lock-sha256";
/** Settings of npm that say how to reach the registry. All others in the environment are those of the npm that runs us. */
const NPM_SETTINGS_KEPT =
  /^npm_config_(registry|proxy|http_proxy|https_proxy|noproxy|no_proxy|cafile|ca|strict_ssl|cache|userconfig|globalconfig|_.*|.*:.*)$/i;
const NETWORK_CODES =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|EPROTO)\b/;

/**
 * Installs the packages of package-lock.json exactly, unless they are there already.
 *
 * @param {string} root the project's folder
 * @returns {Promise<void>}
 * @throws {SetupError} no network, no permission, no space, no npm
 */
export async function ensureDependencies(root) {
  const wanted = lockFingerprint(root);
  if (readStamp(root) === wanted && existsSync(join(root, "node_modules/next/package.json"))) return;
  if (!isInstalled(root)) {
    requireWritable(root);
    // Gone before npm starts: an install that is cut off must not look like a finished one.
    rmSync(join(root, STAMP), { force: true });
    await narrate("Installing the packages of package-lock.json", async () => {
      const { code, output } = await runNpm(root);
      if (code !== 0) throw new SetupError(installSentence(output));
    });
  }
  writeStamp(root, wanted);
}

/** What was installed from: the lock file, and the platform, for which npm chose some of the packages. */
function lockFingerprint(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform} ${process.arch}`).digest("hex");
}

function readStamp(root) {
  try {
    return readFileSync(join(root, STAMP), "utf8").trim();
  } catch {
    return null; // never installed by us
  }
}

function writeStamp(root, fingerprint) {
  try {
    writeFileSync(join(root, STAMP), `${fingerprint}\n`);
  } catch {
    // A folder we may read but not write. The packages are there; only the next start has to look at them again.
  }
}

/**
 * Whether node_modules holds every package of the lock file in its locked version, by npm's own account and on disk.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const present = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === "") return true;
      const found = present[path];
      if (found === undefined) return entry.optional === true; // built for another platform
      return found.version === entry.version && existsSync(join(root, path, "package.json"));
    });
  } catch {
    return false; // no such file, or one that is cut off: install
  }
}

function requireWritable(root) {
  for (const folder of [root, join(root, "node_modules")]) {
    if (!existsSync(folder)) continue;
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new SetupError(
        `Cannot write to ${folder} (${error.code}), and packages have to be installed there. ` +
          "Make the folder yours (for instance `sudo chown -R $(id -un) .`), or copy the project to one that is.",
      );
    }
  }
}

function runNpm(root) {
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  // npm's own patience with a dead line is many minutes.
  args.push(
    "--fetch-retries=2",
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
    "--fetch-timeout=60000",
  );
  const options = { cwd: root, env: npmEnvironment(process.env) };
  const script = process.env.npm_execpath ?? "";
  if (script.endsWith("npm-cli.js") && existsSync(script))
    return runProgram(process.execPath, [script, ...args], options);
  const npm = findOnPath(["npm"], `${process.env.PATH ?? ""}:${dirname(process.execPath)}`);
  if (npm === null) {
    throw new SetupError(
      "npm is not on the PATH. It comes with Node (https://nodejs.org); install it and start again.",
    );
  }
  return runProgram(npm, args, options);
}

/**
 * The environment for a fresh npm: without what the npm that runs us has put there for its scripts.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {Record<string, string | undefined>}
 */
export function npmEnvironment(env) {
  const isOfOuterNpm = (name) => /^npm_/i.test(name) && !NPM_SETTINGS_KEPT.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOfOuterNpm(name)));
}

/**
 * What to tell somebody whose `npm ci` failed.
 *
 * @param {string} output of npm
 * @returns {string}
 */
export function installSentence(output) {
  const words = lastLines(
    output.replace(/^npm (error|ERR!) ?/gm, "").replace(/^A complete log of this run.*$/gm, ""),
    1,
  );
  const log = /(\S+\.log)\s*$/m.exec(output)?.[1];
  const tail = `npm's last words: ${words.trim()}${log === undefined ? "" : `\nnpm's log: ${log}`}`;
  const network = NETWORK_CODES.exec(output)?.[1];
  if (network !== undefined) {
    return (
      `The packages could not be fetched: the npm registry cannot be reached (${network}). Check the network and, behind ` +
      `a proxy, HTTPS_PROXY or \`npm config get registry\`; then start again.\n${tail}`
    );
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return `npm may not write where it has to. Make this folder and npm's cache (\`npm config get cache\`) yours, then start again.\n${tail}`;
  }
  if (/\bENOSPC\b/.test(output))
    return `The disk is full: the packages need about 700 MB. Make room, then start again.\n${tail}`;
  return `The packages could not be installed (\`npm ci\` failed). Mend what npm says below, then start again.\n${tail}`;
}
