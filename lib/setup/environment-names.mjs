// The names the console reads from its environment, and what is wrong with a name that looks like one of them.

const PREFIX = "REDLOCK_";

/**
 * Every `REDLOCK_*` name. `secret`: may carry a password, so it can also be given as `NAME_FILE` and is shown masked.
 * `later`: belongs to a feature that does not exist yet; `refuse` where ignoring it would leave the console open.
 *
 * @type {Readonly<Record<string, { secret?: true, later?: "warn" | "refuse" }>>}
 */
export const NAMES = {
  REDLOCK_NODES: { secret: true },
  REDLOCK_KEY_PATTERNS: {},
  REDLOCK_LAYOUTS: {},
  REDLOCK_NODE_TIMEOUT_MS: {},
  REDLOCK_MAX_TTL_MS: {},
  REDLOCK_CLOCK_ERROR_MS: {},
  REDLOCK_READ_ONLY: {},
  REDLOCK_LAB: {},
  REDLOCK_ENVIRONMENT: {},
  REDLOCK_ALLOW_INSECURE: {},
  REDLOCK_DATA_DIR: {},
  REDLOCK_LOG_LEVEL: {},
  REDLOCK_LOG_FORMAT: {},
  REDLOCK_GUARD: {},
  REDLOCK_DATABASE_URL: { secret: true, later: "warn" },
  REDLOCK_USERS: { secret: true, later: "refuse" },
  REDLOCK_OIDC_ISSUER: { later: "refuse" },
  REDLOCK_OIDC_CLIENT_ID: { later: "refuse" },
  REDLOCK_OIDC_CLIENT_SECRET: { secret: true, later: "refuse" },
};

/**
 * Sentences about names in `env` that do nothing: unknown ones, and those of features to come.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {{ warnings: string[], errors: string[] }}
 */
export function judgeNames(env) {
  const warnings = [];
  const errors = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === undefined || value === "") continue;
    const base = baseName(name);
    if (base === null) {
      warnings.push(
        `${name} is not a setting of this console and has no effect; the nearest name is ${nearestName(name)}.`,
      );
    } else if (NAMES[base]?.later === "warn") {
      warnings.push(`${name} is not available yet and has no effect.`);
    } else if (NAMES[base]?.later === "refuse") {
      errors.push(
        `${name} asks for a login, which is not available yet: the console would be open to everybody who reaches it. ` +
          "Unset it to go on.",
      );
    }
  }
  return { warnings, errors };
}

/** The setting a variable name stands for: itself, or without `_FILE` where that is offered; null when there is none. */
function baseName(name) {
  if (Object.hasOwn(NAMES, name)) return name;
  const base = name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : null;
  return base !== null && Object.hasOwn(NAMES, base) && NAMES[base].secret ? base : null;
}

function nearestName(name) {
  const ranked = Object.keys(NAMES).map((known) => ({ known, distance: editDistance(name, known) }));
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked[0].known;
}

/** Levenshtein: single letters to insert, delete or replace to turn `from` into `to`. */
function editDistance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = row[column - 1] + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}
