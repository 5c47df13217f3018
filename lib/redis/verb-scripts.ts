import { script, voting } from "./script";

/**
 * The verbs of a lock as Lua functions over KEYS[first] to KEYS[last], so that one request and a batch of them run the same text.
 *
 * `{ index, … }` counts from 1 within these keys. Each writes nothing before it has looked at all of them, and Redis refuses a script
 * (out of memory, disk full, too few replicas) at its first write if at all: so all keys are written or none.
 */

/**
 * Takes all keys or none. A single one is taken without a look, which is only needed to say why it cannot be.
 *
 * Output: 0 granted | { index, type, value or nil, PTTL } of the first key in the way
 */
const TAKE = `
local function acquire(first, last, token, ttl)
  if first == last then
    note(tonumber(ttl))
    local done = redis.pcall('SET', KEYS[first], token, 'PX', ttl, 'NX')
    if done and done.ok then return 0 end
  end
  for index = first, last do
    local kind = kindOf(KEYS[index])
    if kind ~= 'none' then
      curb(KEYS[index], kind)
      return { index - first + 1, sight(KEYS[index], kind) }
    end
  end
  note(tonumber(ttl))
  for index = first, last do redis.call('SET', KEYS[index], token, 'PX', ttl, 'NX') end
  return 0
end
`;

/**
 * Gives all keys at least ttl, if all hold the token; never shortens, never creates. PEXPIRE, not SET: it works on a node that is
 * out of memory. A key of ours without expiry (somebody ran PERSIST) gets one, or it would stay for ever.
 *
 * Output: 0 extended | { index } a key is missing | { index, type, value or nil, PTTL } a key holds something else
 */
const PROLONG = `
local function extend(first, last, token, ttl)
  local missing = 0
  for index = first, last do
    local kind = kindOf(KEYS[index])
    if kind == 'none' then
      if missing == 0 then missing = index - first + 1 end
    elseif kind ~= 'string' or not holds(KEYS[index], token) then
      return { index - first + 1, sight(KEYS[index], kind) }
    end
  end
  if missing > 0 then return { missing } end
  note(tonumber(ttl))
  for index = first, last do
    if redis.call('PTTL', KEYS[index]) < tonumber(ttl) then redis.call('PEXPIRE', KEYS[index], ttl) end
  end
  return 0
end
`;

/**
 * Puts missing keys back, unless one of the keys holds something else. `ttl` is what is left of the validity.
 *
 * Output: 0 healed | { index, type, value or nil, PTTL } a key holds something else; then nothing was written
 */
const PUT_BACK = `
local function heal(first, last, token, ttl)
  for index = first, last do
    local kind = kindOf(KEYS[index])
    if kind ~= 'none' and (kind ~= 'string' or not holds(KEYS[index], token)) then
      return { index - first + 1, sight(KEYS[index], kind) }
    end
  end
  note(tonumber(ttl))
  for index = first, last do redis.call('SET', KEYS[index], token, 'PX', ttl, 'NX') end
  return 0
end
`;

/**
 * Deletes every key that holds the token.
 *
 * Output: 0 all deleted | 1 at least one was not there | { index, type, value or nil, PTTL } at least one holds something else
 */
const GIVE_BACK = `
local function release(first, last, token)
  local gone, other = 0, nil
  for index = first, last do
    if holds(KEYS[index], token) then
      redis.call('DEL', KEYS[index])
    else
      local kind = kindOf(KEYS[index])
      if kind == 'none' then
        gone = 1
      elseif not other then
        other = { index - first + 1, sight(KEYS[index], kind) }
      end
    end
  end
  return other or gone
end
`;

/** All four, behind ADMISSION. */
export const VERBS = [TAKE, PROLONG, PUT_BACK, GIVE_BACK].map((text) => text.trim()).join("\n");

/** One verb for all KEYS. Input: KEYS resources; ARGV[1] token, ARGV[2] ttl ms, which RELEASE does without */
export const ACQUIRE = voting(`${TAKE.trim()}\nreturn acquire(1, #KEYS, ARGV[1], ARGV[2])`);
export const EXTEND = voting(`${PROLONG.trim()}\nreturn extend(1, #KEYS, ARGV[1], ARGV[2])`);
export const HEAL = voting(`${PUT_BACK.trim()}\nreturn heal(1, #KEYS, ARGV[1], ARGV[2])`);
export const RELEASE = script(`${GIVE_BACK.trim()}\nreturn release(1, #KEYS, ARGV[1])`);
