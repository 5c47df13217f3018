// Programs that are not npm packages: redis-server and Chromium. Installed without asking only where that is certain to be
// wanted and possible, which is apt as root; everywhere else we name the one command.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { findOnPath, runProgram, undoAtEnd } from "./children.mjs";
import { lastLines, narrate } from "./sentences.mjs";

/** Debian asks this program whether a package's service may be started. */
const SERVICE_POLICY = "/usr/sbin/policy-rc.d";
const OUR_POLICY =
  "#!/bin/sh\n# Written by Redlock Console for the time of one apt-get install; safe to delete.\nexit 101\n";
const APT_OPTIONS = ["-y", "-q", "-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=2"];

/** @returns {boolean} */
export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * Which package manager this machine has, from /etc/os-release.
 *
 * @param {{ platform?: string, osRelease?: string }} [machine] this one by default
 * @returns {"apt" | "dnf" | "apk" | "brew"}
 */
export function packageManagerOf({ platform = process.platform, osRelease = readOsRelease() } = {}) {
  if (platform === "darwin") return "brew";
  const words = [...osRelease.matchAll(/^(?:ID|ID_LIKE)=["']?([^"'\n]*)/gm)].flatMap((match) => match[1].split(" "));
  if (words.includes("alpine")) return "apk";
  if (["fedora", "rhel", "centos"].some((word) => words.includes(word))) return "dnf";
  return "apt";
}

/** @returns {boolean} whether this is Debian itself, where `chromium` is a package and not a snap */
export function isDebian(osRelease = readOsRelease()) {
  return /^ID=["']?debian["']?$/m.test(osRelease);
}

function readOsRelease() {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return ""; // no Linux distribution, or one that does not say
  }
}

/**
 * The commands that install something, the right one for this machine first.
 *
 * @param {Record<"apt" | "dnf" | "apk" | "brew", string>} commands without sudo
 * @param {{ manager?: "apt" | "dnf" | "apk" | "brew", root?: boolean }} [machine]
 * @returns {string} several lines
 */
export function installCommands(commands, { manager = packageManagerOf(), root = isRoot() } = {}) {
  const line = (name) => (name === "brew" || root ? commands[name] : `sudo ${commands[name]}`);
  const others = Object.keys(commands).filter((name) => name !== manager);
  return [`  ${line(manager)}`, "elsewhere:", ...others.map((name) => `  ${line(name)}`)].join("\n");
}

/** @returns {boolean} whether `installWithApt` may be called */
export function canInstallWithApt() {
  return isRoot() && findOnPath(["apt-get"]) !== null;
}

/**
 * Installs the first of `packages` that this machine's lists know, without starting any service of it.
 *
 * @param {string} what for the progress line
 * @param {readonly (readonly string[])[]} packages alternatives, best first; each is installed whole
 * @returns {Promise<string | null>} null when one was installed, else apt's last words
 */
export function installWithApt(what, packages) {
  return narrate(`Installing ${what} with apt-get`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (args) => runProgram("apt-get", [...APT_OPTIONS, ...args], { env });
    // Lists may be missing altogether, as in a fresh container. When the update fails they may still be good enough.
    const update = await apt(["update"]);
    // It may end with 0 although nothing could be fetched; then its warnings say more than "no such package" does.
    const warnings = update.output.split("\n").filter((line) => /^[EW]: /.test(line));
    let words = warnings.slice(0, 2).join("\n");
    const allowServices = forbidServices();
    try {
      for (const names of packages) {
        const { code, output } = await apt(["install", "--no-install-recommends", ...names]);
        if (code === 0) {
          await disableService(names[0]);
          return null;
        }
        if (warnings.length === 0) words = lastLines(output, 2);
      }
      return words;
    } finally {
      allowServices();
    }
  });
}

/** Keeps Debian from starting a server on port 6379 that nobody asked for. A policy that is there already is left alone. */
function forbidServices() {
  const isOurs = existsSync(SERVICE_POLICY) && readFileSync(SERVICE_POLICY, "utf8") === OUR_POLICY;
  if (existsSync(SERVICE_POLICY) && !isOurs) return () => undefined;
  writeFileSync(SERVICE_POLICY, OUR_POLICY, { mode: 0o755 });
  return undoAtEnd(() => rmSync(SERVICE_POLICY, { force: true }));
}

/** The package also asks for a start at every boot. We need the program, not the service; and it was not there before us. */
async function disableService(name) {
  if (existsSync("/run/systemd/system")) await runProgram("systemctl", ["disable", "--now", name]);
}
