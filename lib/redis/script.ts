import { createHash } from "node:crypto";
import { ADMISSION } from "./admission";
import { VALUE_BYTES_MAX } from "./master";

/** A Lua script and the name under which the server remembers it. */
export interface Script {
  readonly source: string;
  /** SHA-1 of the source, hexadecimal. */
  readonly sha: string;
}

/**
 * Shared by all scripts.
 *
 * holds(key, token): the key is a string equal to token. No more than one byte beyond the token is copied, also of a value of 500 MB.
 * sight(key, kind): { type, value or false, PTTL } with the value only when it is a string of at most VALUE_BYTES_MAX bytes.
 */
const PRELUDE = `
local function kindOf(key) return redis.call('TYPE', key)['ok'] end
local function holds(key, token)
  return redis.pcall('GETRANGE', key, 0, #token) == token
end
local function sight(key, kind)
  local value = false
  if kind == 'string' and redis.call('STRLEN', key) <= ${VALUE_BYTES_MAX} then value = redis.call('GET', key) end
  return kind, value, redis.call('PTTL', key)
end
`;

/** A script with the shared functions before it. */
export function script(body: string): Script {
  const source = `${PRELUDE.trim()}\n${body.trim()}`;
  return { source, sha: createHash("sha1").update(source).digest("hex") };
}

/** A script whose vote counts only when the node is admitted: see `admission.ts` for the rest of its input and output. */
export function voting(body: string): Script {
  return script(`${ADMISSION.trim()}\nlocal barring = barred()\nif barring then return barring end\n${body.trim()}`);
}
