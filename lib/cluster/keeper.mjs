// Keeper: a tiny process beside the console that ends the embedded redis-servers and lab clients when the console is gone, however it went.
//
// Plain JavaScript, run by Node itself and not bundled, because it must outlive the console, also one that was killed with SIGKILL.
// It lives in a session of its own, so a Ctrl-C in the terminal does not reach it, and learns process ids on its standard input:
//   +1234  a process was started      -1234  it has ended
// The end of its input is the end of the console: it kills what is left, removes the folder of the run, and exits.
//
// A process is only ever killed if its start time is the one that was noted: process ids are used again.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const OWNER_FILE = "owner.json";
/** Commands of what it may end. */
const OURS = /\b((redis|valkey)-server|lab-client\.mjs)\b/;
const PROCESSES_FILE = "processes.txt";
/** A folder without an owner file may belong to a console that is just starting. */
const UNOWNED_AFTER_MS = 60_000;
const GONE_WITHIN_MS = 2000;

/** When a process was started, in a form that is only good for comparing; null when there is no such process. */
function startOf(pid) {
  if (existsSync("/proc/self/stat")) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The second field is the name in brackets and may contain anything; the start is the 22nd.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const isZombie = fields[0] === "Z";
      return isZombie ? null : (fields[19] ?? null);
    } catch {
      return null; // No such process.
    }
  }
  const answer = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return answer.status === 0 ? answer.stdout.trim() : null;
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
  }
}

function isOurs({ pid, start }) {
  return startOf(pid) === start && OURS.test(commandOf(pid));
}

/** Kills exactly these processes, also stopped ones (SIGKILL needs no SIGCONT), and removes the folder. */
async function clear(folder, processes) {
  for (const { pid } of processes.filter(isOurs)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Ended in between.
    }
  }
  const deadline = Date.now() + GONE_WITHIN_MS;
  while (processes.some(isOurs) && Date.now() < deadline) await pause(20);
  rmSync(folder, { recursive: true, force: true });
}

function processesIn(folder) {
  try {
    return readFileSync(join(folder, PROCESSES_FILE), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [pid, ...start] = line.split(" ");
        return { pid: Number(pid), start: start.join(" ") };
      });
  } catch {
    return []; // None was started.
  }
}

/** Clears the folders of consoles that are gone and whose keeper is gone too. Never touches those of a living console. */
async function sweep(root, own) {
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    if (!name.startsWith("run-") || folder === own) continue;
    try {
      if (!existsSync(join(folder, OWNER_FILE))) {
        if (Date.now() - statSync(folder).mtimeMs > UNOWNED_AFTER_MS) await clear(folder, []);
        continue;
      }
      const owner = JSON.parse(readFileSync(join(folder, OWNER_FILE), "utf8"));
      if (startOf(owner.pid) !== owner.start) await clear(folder, processesIn(folder));
    } catch {
      // Another keeper clears it at the same time, or it is not ours to read: the next start looks again.
    }
  }
}

const [root, own, ownerPid] = process.argv.slice(2);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // The console decides when it is over; a signal sent to everybody at once must not leave its servers behind.
  process.on(signal, () => {});
}
// The console may be gone before it reads this.
process.stdout.on("error", () => {});

mkdirSync(own, { recursive: true });
writeFileSync(join(own, OWNER_FILE), JSON.stringify({ pid: Number(ownerPid), start: startOf(Number(ownerPid)) }));
await sweep(root, own);
process.stdout.write("ready\n");

const processes = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  const start = startOf(pid);
  if (line.startsWith("-")) processes.delete(pid);
  else if (line.startsWith("+") && Number.isInteger(pid) && start !== null) {
    processes.set(pid, { pid, start });
    appendFileSync(join(own, PROCESSES_FILE), `${pid} ${start}\n`);
  }
}
await clear(own, [...processes.values()]);
