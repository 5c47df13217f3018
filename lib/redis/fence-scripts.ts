import type { Fault } from "@/lib/redlock";
import { FENCE_KEY } from "./admission";
import { keyArgument } from "./key-bytes";
import type { Admission } from "./node-guard";
import { script, voting } from "./script";
import type { Argument } from "./wire";

/** A counter nobody asks for is forgotten after so long, milliseconds: the high water stands in for it. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** As in lib/redlock: fences per millisecond since 2020, and how far one may be ahead of the node's clock, milliseconds. */
const PER_MS = 4096;
const EPOCH_MS = 1_577_836_800_000;
const AHEAD_MS = 10 * 60 * 1000;

/**
 * Lua over counters, which are KEYS[first] to KEYS[last], and the key of the high water.
 *
 * issued(water) is the high water and the floor, or nil when the node has no counters: they were lost, or never there. The floor is
 * where the node began; a counter below it is a leftover from before a loss.
 * issue(…) is the fence to be given; or instead { 0, fence, number, lost | client | node, 0 }. It is above every counter that counts,
 * and above the leftovers. It writes nothing: put(…) writes the counters, fill(…) the high water.
 */
const COUNTERS = `
local function issued(water)
  local high, floor = string.match(redis.call('GET', water) or '', '^(%d+)|(%d+)$')
  if high then return tonumber(high), tonumber(floor) end
  return nil
end
local function issue(first, last, high, floor, proposed, limit)
  if not high then return { 0, 'fence', 0, 'lost', 0 } end
  local fence = tonumber(proposed)
  for index = first, last do
    local own = redis.call('GET', KEYS[index])
    fence = math.max(fence, 1 + (own and math.max(tonumber(own), floor) or high))
  end
  local beyond = fence - tonumber(limit)
  if beyond > 0 then return { 0, 'fence', ${AHEAD_MS} + math.ceil(beyond / ${PER_MS}), 'client', 0 } end
  local ahead = math.ceil(fence / ${PER_MS}) + ${EPOCH_MS} - at
  if at > 0 and ahead > ${AHEAD_MS} then return { 0, 'fence', ahead, 'node', 0 } end
  return fence
end
local function put(first, last, fence)
  local text = string.format('%.0f', fence)
  for index = first, last do redis.call('SET', KEYS[index], text, 'PX', ${RETENTION_MS}) end
end
local function fill(water, high, floor)
  redis.call('SET', water, string.format('%.0f|%.0f', high, floor))
end
`;

/** The same over KEYS resources, as many counters, and last the high water; behind ADMISSION, which takes the marker away. */
export const FENCES = `
${COUNTERS.trim()}
local count = (#KEYS - 1) / 2
local function raise(fence, high, floor)
  put(count + 1, 2 * count, fence)
  fill(KEYS[#KEYS], math.max(high, fence), floor)
end
`;

/** Leaves the fence for `raise`, or returns why there is none. Input: the last two of ARGV the fence proposed and the limit */
export const ISSUE = `
local high, floor = issued(KEYS[#KEYS])
local fence = issue(count + 1, 2 * count, high, floor, ARGV[#ARGV - 1], ARGV[#ARGV])
if type(fence) == 'table' then return fence end
`;

/**
 * As `acquire`, with a fence: one for all resources, higher than any that this node issued for one of them. Their counters follow them.
 * The high water is read once and has to be written by `fillOnce` when all is done: Redis refuses a script at its first write if at all.
 *
 * Output: the fence | { index, type, value or nil, PTTL } of the first key in the way | { 0, fence, number, why, 0 } no fence to be had
 */
export const TAKE_FENCED = `
${COUNTERS.trim()}
local high, floor, isRead, isRaised
local function acquireFenced(first, last, token, ttl, water, proposed, limit)
  local counter, lastCounter = last + 1, 2 * last - first + 1
  if not isRead then high, floor = issued(water) end
  isRead = true
  local fence
  local function settle()
    high, isRaised = math.max(high, fence), true
    put(counter, lastCounter, fence)
    return fence
  end
  local function lookAt(index)
    local kind = kindOf(KEYS[index])
    if kind == 'none' then return nil end
    curb(KEYS[index], kind)
    return { index - first + 1, sight(KEYS[index], kind) }
  end
  if first < last then
    for index = first, last do
      local obstacle = lookAt(index)
      if obstacle then return obstacle end
    end
  end
  fence = issue(counter, lastCounter, high, floor, proposed, limit)
  if type(fence) == 'table' then return first == last and lookAt(first) or fence end
  note(tonumber(ttl))
  if first == last then
    local done = redis.pcall('SET', KEYS[first], token, 'PX', ttl, 'NX')
    if done and done.ok then return settle() end
    local obstacle = lookAt(first)
    if obstacle then return obstacle end
  end
  for index = first, last do redis.call('SET', KEYS[index], token, 'PX', ttl, 'NX') end
  return settle()
end
local function fillOnce(water)
  if isRaised then fill(water, high, floor) end
end
`;

/** Input: KEYS resources, counters, high water; ARGV[1] token, ARGV[2] ttl ms, the last two the fence proposed and the limit */
export const ACQUIRE_FENCED = voting(`
${TAKE_FENCED.trim()}
local count = (#KEYS - 1) / 2
local answer = acquireFenced(1, count, ARGV[1], ARGV[2], KEYS[#KEYS], ARGV[#ARGV - 1], ARGV[#ARGV])
fillOnce(KEYS[#KEYS])
return answer
`);

/**
 * Raises the counters while the keys still hold the token. No vote, so nothing of the marker: a node that forgot has no key either.
 *
 * Input:  KEYS resources, counters, high water; ARGV[1] token, ARGV[2] fence
 * Output: 0 raised | { index } a key is missing | { index, type, value or nil, PTTL } a key holds something else | { 0, fence, … }
 */
export const RAISE_FENCE = script(`
${FENCES.trim()}
local missing = 0
for index = 1, count do
  local kind = kindOf(KEYS[index])
  if kind == 'none' then
    if missing == 0 then missing = index end
  elseif kind ~= 'string' or not holds(KEYS[index], ARGV[1]) then
    return { index, sight(KEYS[index], kind) }
  end
end
if missing > 0 then return { missing } end
local high, floor = issued(KEYS[#KEYS])
if not high then return { 0, 'fence', 0, 'lost', 0 } end
local fence = tonumber(ARGV[2])
for index = count + 1, 2 * count do
  put(index, index, math.max(fence, tonumber(redis.call('GET', KEYS[index]) or 0)))
end
fill(KEYS[#KEYS], math.max(fence, high), floor)
return 0
`);

/**
 * Input:  KEYS[1] high water; ARGV as a vote's, [1] and [2] unused
 * Output: the highest fence ever issued | -1 there are no counters
 */
export const READ_FENCE = voting(`
local high = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+)|%d+$')
return high and tonumber(high) or -1
`);

/**
 * Gives a node that has no counters a beginning.
 *
 * Input:  KEYS[1] high water; ARGV as a vote's, [1] the fence to begin behind, [2] unused
 * Output: 0
 */
export const RESTORE_FENCE = voting(`
redis.call('SET', KEYS[1], string.format('%.0f|%.0f', tonumber(ARGV[1]), tonumber(ARGV[1])), 'NX')
return 0
`);

/** Keys of the counters, for behind those of the resources. */
export function fenceKeys(resources: readonly string[]): readonly Argument[] {
  return [...resources.map(counterKey), FENCE_KEY];
}

/** Key of the counter of one resource. */
export function counterKey(resource: string): Argument {
  const key = keyArgument(resource);
  return typeof key === "string" ? `${FENCE_KEY}:${key}` : Buffer.concat([Buffer.from(`${FENCE_KEY}:`), key]);
}

/** The vote for a refusal to issue a fence. */
export function fenceFault({ number, text }: Admission): Fault {
  const minutes = Math.round(number / 60_000);
  switch (text) {
    case "client":
      return {
        kind: "error",
        reason: `its fence counters are ${minutes} min ahead of this client's clock: set the client's clock right (NTP)`,
      };
    case "node":
      return {
        kind: "error",
        reason: `the fence would be ${minutes} min ahead of the node's clock: set the clocks of client and node right (NTP)`,
      };
    default:
      return { kind: "error", reason: "has no fence counters yet, or has lost them: being restored", lacksFence: true };
  }
}
