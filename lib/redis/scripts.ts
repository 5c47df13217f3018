import { ADMISSION } from "./admission";
import { BATCH } from "./batch-script";
import { ACQUIRE_FENCED, RAISE_FENCE } from "./fence-scripts";
import { type Script, script } from "./script";
import { ACQUIRE, EXTEND, HEAL, RELEASE } from "./verb-scripts";

/**
 * Deletes the key if it holds the value that was seen.
 *
 * Input:  KEYS[1] key; ARGV[1] value seen
 * Output: 0 deleted | 1 holds something else | 2 no such key
 */
export const COMPARE_AND_DELETE = script(`
local kind = kindOf(KEYS[1])
if kind == 'none' then return 2 end
if kind ~= 'string' or not holds(KEYS[1], ARGV[1]) then return 1 end
redis.call('DEL', KEYS[1])
return 0
`);

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
 * Reads keys as they stand, all at one instant.
 *
 * Input:  KEYS keys
 * Output: { { type, value or nil, PTTL }, … } in the order of KEYS
 */
export const READ = script(`
local readings = {}
for index, key in ipairs(KEYS) do readings[index] = { sight(key, kindOf(key)) } end
return readings
`);

/**
 * One step of a scan, its keys read on the spot: one round trip.
 *
 * Input:  ARGV[1] cursor, ARGV[2] pattern, ARGV[3] count
 * Output: { cursor, { { key, type, value or nil, PTTL }, … } }
 */
export const SCAN = script(`
local step = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local readings = {}
for index, key in ipairs(step[2]) do readings[index] = { key, sight(key, kindOf(key)) } end
return { step[1], readings }
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
