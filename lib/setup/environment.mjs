// The one place that turns environment variables into a configuration. Plain JavaScript, without packages, because the
// launcher needs it before anything is built or installed; the server imports the same file through lib/runtime/env.ts.

import { readFileSync } from "node:fs";
import { judgeNames, NAMES } from "./environment-names.mjs";
import { readLayouts } from "./layouts.mjs";
import { maskUrl, parseNodes } from "./node-urls.mjs";

const TTL_MS_MIN = 10;
const TTL_MS_MAX = 24 * 60 * 60 * 1000;
const NODE_TIMEOUT_MS_MAX = 10_000;
const CLOCK_ERROR_MS_MAX = 60_000;
const GUARD_MODES = ["full", "connection", "off"];
const LOG_LEVELS = ["debug", "info", "warn", "error"];
const LOG_FORMATS = ["pretty", "json"];
const YES = ["1", "true", "yes", "on"];
const NO = ["0", "false", "no", "off"];

/**
 * Reads the whole configuration. Never throws: what is wrong comes back as sentences, all of them at once.
 *
 * @param {Record<string, string | undefined>} env
 * @param {{ isTerminal?: boolean, readFile?: (path: string) => string }} [options] `isTerminal`: logs go to a person
 * @returns {import("./environment.d.mts").EnvironmentResult}
 */
export function readEnvironment(env, options = {}) {
  const { isTerminal = false, readFile = (path) => readFileSync(path, "utf8") } = options;
  const { warnings, errors } = judgeNames(env);
  const read = readerOf(env, readFile, errors);

  const allowInsecure = readFlag("REDLOCK_ALLOW_INSECURE", read, errors);
  const host = read("HOST") ?? "127.0.0.1";
  if (!isLoopback(host) && !allowInsecure) {
    errors.push(
      `HOST is ${host}, which other machines can reach, and no login is configured: set REDLOCK_ALLOW_INSECURE=1 if ` +
        "everybody who reaches it may release locks, or leave HOST at 127.0.0.1.",
    );
  }
  const whole = (name, fallback, min, max) => readWhole(name, { fallback, min, max }, read, errors);
  const nodes = parseNodes(read("REDLOCK_NODES"), errors);
  const config = {
    nodes,
    keyPatterns: readPatterns(read("REDLOCK_KEY_PATTERNS")),
    layouts: readLayouts(read("REDLOCK_LAYOUTS"), readFile, errors),
    host,
    port: whole("PORT", 3000, 0, 65_535),
    nodeTimeoutMs: whole("REDLOCK_NODE_TIMEOUT_MS", 50, 1, NODE_TIMEOUT_MS_MAX),
    maxTtlMs: whole("REDLOCK_MAX_TTL_MS", 60_000, TTL_MS_MIN, TTL_MS_MAX),
    clockErrorMs: whole("REDLOCK_CLOCK_ERROR_MS", 0, 0, CLOCK_ERROR_MS_MAX),
    refusesLongerTtl: read("REDLOCK_MAX_TTL_MS") !== null,
    // On masters that others use already a guard would begin with a minute without any lock: that is for their operator to choose.
    guard: readWord("REDLOCK_GUARD", GUARD_MODES, nodes === null ? "full" : "off", read, errors),
    isGuardChosen: read("REDLOCK_GUARD") !== null,
    readOnly: readFlag("REDLOCK_READ_ONLY", read, errors),
    lab: readFlag("REDLOCK_LAB", read, errors, true),
    environment: read("REDLOCK_ENVIRONMENT"),
    allowInsecure,
    dataDir: read("REDLOCK_DATA_DIR") ?? "./data",
    logLevel: readWord("REDLOCK_LOG_LEVEL", LOG_LEVELS, "info", read, errors),
    logFormat: readWord("REDLOCK_LOG_FORMAT", LOG_FORMATS, isTerminal ? "pretty" : "json", read, errors),
  };
  if (2 * config.clockErrorMs + 0.01 * config.maxTtlMs + 2 >= config.maxTtlMs) {
    errors.push(
      `REDLOCK_CLOCK_ERROR_MS is ${config.clockErrorMs}, and twice as much is taken off every lock: nothing would be left of one of ` +
        `${config.maxTtlMs} ms, the longest (REDLOCK_MAX_TTL_MS).`,
    );
  }
  return { config, warnings, errors };
}

/**
 * The effective configuration as `NAME=value` lines that may be shown: passwords in URLs are masked.
 *
 * @param {import("./environment.d.mts").EnvironmentResult} result
 * @returns {string[]}
 */
export function maskedLines({ config }) {
  return [
    `REDLOCK_NODES=${config.nodes === null ? "(embedded cluster of 5)" : config.nodes.map(maskUrl).join(" ")}`,
    `REDLOCK_KEY_PATTERNS=${config.keyPatterns === null ? "(every key that looks like a lock)" : config.keyPatterns.join(" ")}`,
    `REDLOCK_LAYOUTS=${config.layouts.length === 0 ? "(those the console knows)" : config.layouts.map(({ id, pattern }) => `${id} for ${pattern}`).join(", ")}`,
    `HOST=${config.host}`,
    `PORT=${config.port}`,
    `REDLOCK_NODE_TIMEOUT_MS=${config.nodeTimeoutMs}`,
    `REDLOCK_MAX_TTL_MS=${config.maxTtlMs}`,
    `REDLOCK_CLOCK_ERROR_MS=${config.clockErrorMs}`,
    `REDLOCK_GUARD=${config.guard}`,
    `REDLOCK_READ_ONLY=${config.readOnly ? 1 : 0}`,
    `REDLOCK_LAB=${config.lab ? 1 : 0}`,
    `REDLOCK_ENVIRONMENT=${config.environment ?? "(none)"}`,
    `REDLOCK_ALLOW_INSECURE=${config.allowInsecure ? 1 : 0}`,
    `REDLOCK_DATA_DIR=${config.dataDir}`,
    `REDLOCK_LOG_LEVEL=${config.logLevel}`,
    `REDLOCK_LOG_FORMAT=${config.logFormat}`,
  ];
}

/**
 * Whether only programs of this machine can reach `host`.
 *
 * @param {string} host name or address, without a port; IPv6 with or without brackets
 * @returns {boolean}
 */
export function isLoopback(host) {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Looks a name up, a secret one also as a file; an empty value counts as absent. */
function readerOf(env, readFile, errors) {
  return (name) => {
    const direct = env[name]?.trim() || null;
    const path = NAMES[name]?.secret ? env[`${name}_FILE`]?.trim() || null : null;
    if (path === null) return direct;
    if (direct !== null) {
      errors.push(`${name} and ${name}_FILE are both set: keep one of them.`);
      return direct;
    }
    try {
      return readFile(path).trim() || null;
    } catch (error) {
      errors.push(`${name}_FILE names ${path}, which cannot be read (${error.code ?? error.message}).`);
      return null;
    }
  };
}

function readPatterns(text) {
  const patterns = (text ?? "").split(/[\s,]+/).filter((pattern) => pattern !== "");
  return patterns.length === 0 ? null : [...new Set(patterns)];
}

function readFlag(name, read, errors, fallback = false) {
  const text = read(name)?.toLowerCase() ?? (fallback ? "1" : "0");
  if (YES.includes(text)) return true;
  if (!NO.includes(text)) errors.push(`${name} is "${text}": write 1 for yes or 0 for no.`);
  return false;
}

function readWhole(name, { fallback, min, max }, read, errors) {
  const text = read(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  errors.push(`${name} is "${text}": it must be a whole number from ${min} to ${max}.`);
  return fallback;
}

function readWord(name, words, fallback, read, errors) {
  const text = read(name)?.toLowerCase() ?? fallback;
  if (words.includes(text)) return text;
  errors.push(`${name} is "${text}": it must be one of ${words.join(", ")}.`);
  return fallback;
}
