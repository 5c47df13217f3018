import { findOnPath } from "./children.mjs";
import { SetupError } from "./sentences.mjs";
import { canInstallWithApt, installCommands, installWithApt } from "./system-packages.mjs";

const PROGRAMS = ["redis-server", "valkey-server"];
const COMMANDS = {
  apt: "apt-get install -y redis-server",
  dnf: "dnf install -y redis",
  apk: "apk add redis",
  brew: "brew install redis",
};

/**
 * Sees to it that redis-server or valkey-server is on the PATH: the embedded cluster runs five of them.
 *
 * @returns {Promise<void>}
 * @throws {SetupError} it is not, and cannot be installed without asking
 */
export async function ensureRedis() {
  if (findOnPath(PROGRAMS) !== null) return;
  const words = canInstallWithApt()
    ? await installWithApt("redis-server", [["redis-server"], ["valkey-server"]])
    : null;
  if (findOnPath(PROGRAMS) === null) throw new SetupError(redisSentence(words));
}

/**
 * @param {string | null} words apt's last words, when it was tried
 * @param {Parameters<typeof installCommands>[1]} [machine]
 * @returns {string}
 */
export function redisSentence(words, machine) {
  return (
    "Neither redis-server nor valkey-server is on the PATH, and the console starts five of them. Install it:\n" +
    `${installCommands(COMMANDS, machine)}\n` +
    "or name masters of your own: REDLOCK_NODES=redis://host1:6379,redis://host2:6379,redis://host3:6379 npm start" +
    (words === null ? "" : `\napt-get was tried; its last words:\n${words}`)
  );
}
