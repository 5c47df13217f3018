// Other programs, run so that none outlives us. Each gets a process group of its own: one signal then reaches all that it
// started, and Ctrl-C reaches it once, through us, instead of twice.

import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** How long a program may take to end after SIGTERM before it is killed, milliseconds. */
const GRACE_MS = 5000;
/** npm passes the terminal's Ctrl-C on to us, so the same one arrives twice; a person's second one comes later than this. */
const SAME_SIGNAL_MS = 500;
/** Longest output kept of one program, characters; only its end is ever shown. */
const OUTPUT_MAX = 1_000_000;
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/** @type {Set<() => void>} */
const undos = new Set();
/** Once true nothing new is started and nobody is told that a program ended: the next step must not begin. */
let isEnding = false;

/**
 * Where `names` are on the PATH: the first name that is there at all.
 *
 * @param {readonly string[]} names in order of preference
 * @param {string} [path]
 * @returns {string | null} absolute path
 */
export function findOnPath(names, path = process.env.PATH ?? "") {
  for (const name of names) {
    for (const folder of path.split(delimiter).filter((entry) => entry !== "")) {
      const file = join(folder, name);
      if (isProgram(file)) return file;
    }
  }
  return null;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // not there, or not for us to run: either way not the program we look for
  }
}

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: "keep" | "show", limitMs?: number }} [options]
 *   `output` "keep" collects what it prints, "show" passes it on; `limitMs`: after so long it is ended
 * @returns {Promise<{ code: number, output: string }>} code 127 when it could not be started at all
 */
export function runProgram(command, args, { cwd, env = process.env, output = "keep", limitMs } = {}) {
  return new Promise((resolve) => {
    if (isEnding) return;
    const stdio = output === "show" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { cwd, env, stdio, detached: true });
    let text = "";
    const collect = (chunk) => {
      text = (text + chunk).slice(-OUTPUT_MAX);
    };
    running.add(child);
    const timer = limitMs === undefined ? undefined : setTimeout(() => endGroup(child, "SIGKILL"), limitMs);
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    const settle = (code) => {
      clearTimeout(timer);
      running.delete(child);
      if (!isEnding) resolve({ code, output: text });
    };
    child.on("error", (error) => {
      collect(error.message);
      settle(127);
    });
    child.on("close", (code) => settle(code ?? 1));
  });
}

/**
 * Remembers what has to be undone even if a signal ends us half way, synchronously.
 *
 * @param {() => void} undo
 * @returns {() => void} undoes it now
 */
export function undoAtEnd(undo) {
  undos.add(undo);
  return () => {
    if (undos.delete(undo)) undo();
  };
}

/**
 * From now on a signal ends every running program first, then us; a second signal at once.
 *
 * @returns {() => void} leaves signals to somebody else again
 */
export function endWithSignals() {
  let firstAt = 0;
  const leave = (code) => {
    for (const undo of undos) undo();
    process.exit(code);
  };
  const onSignal = (signal) => {
    const code = EXIT_CODES[signal];
    const killAll = () => {
      for (const child of running) endGroup(child, "SIGKILL");
      leave(code);
    };
    if (isEnding) {
      if (performance.now() - firstAt > SAME_SIGNAL_MS) killAll();
      return;
    }
    isEnding = true;
    firstAt = performance.now();
    console.error(`\nStopped by ${signal}.`);
    setTimeout(killAll, GRACE_MS);
    const ends = [...running].map((child) => new Promise((resolve) => child.once("close", resolve)));
    for (const child of running) endGroup(child, signal);
    Promise.all(ends).then(() => leave(code));
  };
  const signals = Object.keys(EXIT_CODES);
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

function endGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended in the meantime, which is what was wanted.
  }
}
