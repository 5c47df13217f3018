import { ADMISSION } from "./admission";
import { BATCH } from "./batch-script";
import { ACQUIRE_FENCED, RAISE_FENCE } from "./fence-scripts";
import { ELEMENT_BYTES_MAX, ELEMENTS_MAX, VALUE_BYTES_MAX } from "./master";
import { type Script, script } from "./script";
import { ACQUIRE, EXTEND, HEAL, RELEASE } from "./verb-scripts";

/**
 * Replaces the value if it is the one that was seen; the remaining time stays. Not SET KEEPTTL, which Redis 5 does not know: time
 * stands still within a script, so PTTL is exact.
 *
 * Input:  KEYS[1] key; ARGV[1] value seen, ARGV[2] replacement
 * Output: 0 replaced | 1 holds something else | 2 no such key
 */
export const COMPARE_AND_SWAP = script(`
local kind = kindOf(KEYS[1])
if kind == 'none' then return 2 end
if kind ~= 'string' or not holds(KEYS[1], ARGV[1]) then return 1 end
local remaining = redis.call('PTTL', KEYS[1])
if remaining < 0 then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', math.max(remaining, 1))
end
return 0
`);

/**
 * look(key): what stands in it, and PTTL: a string of at most VALUE_BYTES_MAX bytes as it is; nothing as false; of a hash, sorted set, list
 * or set { type, size, word, … }, see `Elements`; of anything else { type }. Field names and members are cut off by their number; the
 * value of a field is not even copied when it is longer than all words together may be. A hash in compact form has short values only,
 * so that one command reads it: most hashes on a shared server are no locks.
 *
 * Nearly every key is a short string, so that this is told in as few words as can be: a table for each key costs node and reader more. A
 * lock that was given back costs one call, and PTTL less than TYPE.
 */
const LOOK = `
local call = redis.call
local function wordsOf(key, kind)
  local last = ${ELEMENTS_MAX} - 1
  if kind == 'zset' then return call('ZCARD', key), call('ZRANGE', key, 0, last, 'WITHSCORES') end
  if kind == 'list' then return call('LLEN', key), call('LRANGE', key, 0, last) end
  if kind == 'set' then
    local size = call('SCARD', key)
    return size, size <= ${ELEMENTS_MAX} and call('SMEMBERS', key) or {}
  end
  local size, words = call('HLEN', key), {}
  local encoding = size <= ${ELEMENTS_MAX} and call('OBJECT', 'ENCODING', key)
  if encoding == 'listpack' or encoding == 'ziplist' then return size, call('HGETALL', key) end
  for _, field in ipairs(size <= ${ELEMENTS_MAX} and call('HKEYS', key) or { 'mode' }) do
    local length = call('HSTRLEN', key, field)
    if size <= ${ELEMENTS_MAX} or length > 0 then
      words[#words + 1] = field
      words[#words + 1] = length <= ${ELEMENT_BYTES_MAX} and call('HGET', key, field) or ''
    end
  end
  return size, words
end
local function elementsOf(key, kind)
  local size, words = wordsOf(key, kind)
  local found, bytes = { kind, size }, 0
  for _, word in ipairs(words) do
    bytes = bytes + #word
    if bytes > ${ELEMENT_BYTES_MAX} then break end
    found[#found + 1] = word
  end
  return found
end
local function look(key)
  local remaining = call('PTTL', key)
  if remaining == -2 then return false, -2 end
  local kind, found = call('TYPE', key).ok, nil
  if kind == 'string' then
    found = call('STRLEN', key) <= ${VALUE_BYTES_MAX} and call('GET', key) or { kind }
  elseif kind == 'hash' or kind == 'zset' or kind == 'list' or kind == 'set' then
    found = elementsOf(key, kind)
  else
    found = { kind }
  end
  return found, remaining
end
`;

/**
 * Reads keys as they stand, all at one instant.
 *
 * Input:  KEYS keys
 * Output: { what stands in it, PTTL, … } in the order of KEYS
 */
export const READ = script(`
${LOOK.trim()}
local readings = {}
for index, key in ipairs(KEYS) do readings[2 * index - 1], readings[2 * index] = look(key) end
return readings
`);

/**
 * One step of a scan, its keys read on the spot: one round trip.
 *
 * Input:  ARGV[1] cursor, ARGV[2] pattern, ARGV[3] count, then the prefixes of the keys in question; none = all
 * Output: { cursor, key, what stands in it, PTTL, … }
 */
export const SCAN = script(`
${LOOK.trim()}
local step = call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local takesAll = #ARGV == 3
local function isWanted(key)
  for index = 4, #ARGV do
    if string.sub(key, 1, #ARGV[index]) == ARGV[index] then return true end
  end
  return false
end
local readings, last = { step[1] }, 1
for _, key in ipairs(step[2]) do
  if takesAll or isWanted(key) then
    readings[last + 1] = key
    readings[last + 2], readings[last + 3] = look(key)
    last = last + 3
  end
end
return readings
`);

/**
 * Looks whether the node may vote, and keeps its marker up to date; starts the quarantine of a node that forgot, or whose clock is wrong.
 * A drained one whose clock is wrong loses its receipt, so that it is quarantined when it is undrained.
 *
 * Input:  as a vote without resources; ARGV[1] clock when the clock is wrong, else empty, ARGV[2] 0
 * Output: { 0, admitted | quarantined | drained | unverified | config, number, text, longest TTL }
 */
export const ADMIT = script(`
${ADMISSION.trim()}
local barring = barred()
if ARGV[1] == 'clock' and barring and barring[2] == 'drained' then
  redis.call('DEL', beside('drain'))
  return barring
end
if ARGV[1] == 'clock' and (not barring or barring[2] == 'quarantined') then
  untilAt, cause = at + pauseFor(high), 'clock'
  marked(redis.call)
  return answer('quarantined', untilAt - at, cause)
end
if barring then return barring end
note(0)
return answer('admitted', 0, '')
`);

/**
 * Admits the node at once: an operator has declared that no lock can be held now.
 *
 * Input:  as ADMIT
 * Output: 0
 */
export const BOOTSTRAP = script(`
${ADMISSION.trim()}
local before = string.match(redis.call('GET', marker) or '', '^(%x+)|')
run, untilAt, config, high, cause = serverRun(), 0, ARGV[6], tonumber(ARGV[7]), 'bootstrap'
if before ~= run and durable ~= '1' then forgetFences() end
flag = durable == '1' and '1' or '0'
marked(redis.call)
return 0
`);

/** Scripts of the lock connection, loaded when it opens so that the first vote needs one round trip. */
export const LOCK_SCRIPTS: readonly Script[] = [ACQUIRE, ACQUIRE_FENCED, RAISE_FENCE, EXTEND, HEAL, RELEASE, BATCH];
