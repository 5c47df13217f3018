import type { ReleaseRecipe } from "@/lib/layouts";
import { script } from "./script";

/**
 * Carries out a release recipe of lib/layouts: if everything is as expected, does every step; else nothing.
 *
 * A login that may not publish (Redis 7 gives a new user no channel) releases all the same: a script does not undo what it did before
 * an error, so the lock would be gone and the answer an error. Those who wait then wake by their own time limit.
 *
 * Input:  KEYS[1] the lock's key, then one key per word that has one (else the lock's again);
 *         ARGV[1] number of words that are expectations, then three per word: its name and two arguments
 * Output: 0 done | 1 something is not as expected | 2 no such key
 */
export const RELEASE_BY_RECIPE = script(`
local function hasElement(key, kind, element, value)
  if kind == 'zset' then return redis.call('ZSCORE', key, element) ~= false end
  if kind == 'set' then return redis.call('SISMEMBER', key, element) == 1 end
  if kind ~= 'hash' then return false end
  if value == '' then return redis.call('HEXISTS', key, element) == 1 end
  return redis.call('HGET', key, element) == value
end
local expect = {
  value = function(key, value) return kindOf(key) == 'string' and holds(key, value) end,
  element = function(key, element, value) return hasElement(key, kindOf(key), element, value) end
}
local act = {
  delete = function(key) redis.call('DEL', key) end,
  remove = function(key, element)
    local kind = kindOf(key)
    if kind == 'hash' then redis.call('HDEL', key, element) end
    if kind == 'zset' then redis.call('ZREM', key, element) end
    if kind == 'set' then redis.call('SREM', key, element) end
    if kind == 'list' then redis.call('LREM', key, 0, element) end
  end,
  delete_if_only = function(key, field)
    if kindOf(key) == 'hash' and redis.call('HLEN', key) == redis.call('HEXISTS', key, field) then redis.call('DEL', key) end
  end,
  signal = function(key, item, ttl)
    redis.call('DEL', key)
    redis.call('LPUSH', key, item)
    redis.call('PEXPIRE', key, ttl)
  end,
  publish = function(_, channel, message) redis.pcall('PUBLISH', channel, message) end,
  publish_to_head = function(key, channel, message)
    local head = kindOf(key) == 'list' and redis.call('LINDEX', key, 0)
    redis.pcall('PUBLISH', head and (channel .. ':' .. head) or channel, message)
  end
}
if kindOf(KEYS[1]) == 'none' then return 2 end
local expected = tonumber(ARGV[1])
for word = 1, #KEYS - 1 do
  local at = 3 * word - 1
  local key, name, a, b = KEYS[word + 1], ARGV[at], ARGV[at + 1], ARGV[at + 2]
  if word > expected then
    act[name](key, a, b)
  elseif not expect[name](key, a, b) then
    return 1
  end
end
return 0
`);

/** The script's input for a recipe. */
export function recipeInput({ key, expects, steps }: ReleaseRecipe): {
  readonly keys: readonly Buffer[];
  readonly args: readonly (Buffer | number | string)[];
} {
  const words = [...expects, ...steps].map(wordOf);
  return {
    keys: [key, ...words.map((word) => word.key ?? key)].map(asBytes),
    args: [expects.length, ...words.flatMap(({ name, a = "", b = "" }) => [name, asBytes(a), asBytes(b)])],
  };
}

interface Word {
  readonly name: string;
  readonly key?: string;
  readonly a?: string;
  readonly b?: string;
}

function wordOf(part: ReleaseRecipe["expects"][number] | ReleaseRecipe["steps"][number]): Word {
  const name = part.kind;
  switch (part.kind) {
    case "value":
      return { name, key: part.key, a: part.value };
    case "element":
      return { name, key: part.key, a: part.element, b: part.value };
    case "delete":
      return { name, key: part.key };
    case "remove":
      return { name, key: part.key, a: part.element };
    case "delete_if_only":
      return { name, key: part.key, a: part.field };
    case "signal":
      return { name, key: part.key, a: part.item, b: String(part.ttlMs) };
    case "publish":
      return { name, a: part.channel, b: part.message };
    case "publish_to_head":
      return { name, key: part.queue, a: part.channel, b: part.message };
    default:
      return part satisfies never;
  }
}

function asBytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
