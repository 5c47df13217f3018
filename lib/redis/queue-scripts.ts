import { ADMISSION } from "./admission";
import { FENCES, ISSUE } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { type Script, script } from "./script";
import type { Argument } from "./wire";

/** Beside the marker, and hidden from the list of locks like it: who waits for a resource, by when the wait began. */
export const QUEUE_KEY = "redlock:{guard}:queue";

/** What is known of each waiter of a resource, also of one whose turn has come. */
export const WAITERS_KEY = "redlock:{guard}:waiters";

/** Where an engine hears that a key was handed to one of its waiters; its name is the part of the waiter's before the dash. */
export const HANDED_CHANNEL = "redlock:{guard}:handed";

/** Waiters beyond this are turned away: they come again. */
const QUEUE_MAX = 1000;

/** What is known of waiters that nobody waits for any more is swept when there are so many more of them than waiters. */
const SWEEP_BEYOND = 64;

/**
 * Lua over KEYS[1] the resource and, taken off their end, the queue and what is known of its waiters: `token | alive until (ms, node's
 * clock) | life of a key handed over, ms | round`.
 *
 * handOver(id) gives the key to a waiter and tells it. Nothing of it is a vote: the waiter has still to acquire. A word that cannot be
 * published costs it time only. False when the server refuses the write.
 */
const QUEUES = `
local waiters, queue = table.remove(KEYS), table.remove(KEYS)
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function known(id)
  return string.match(redis.call('HGET', waiters, id) or '', '^(%x+)|(%d+)|(%d+)|(%d+)$')
end
local function forget(id)
  redis.call('ZREM', queue, id)
  redis.call('HDEL', waiters, id)
end
local function head(now)
  while true do
    local id = redis.call('ZRANGE', queue, 0, 0)[1]
    if not id then return nil end
    local token, aliveUntil = known(id)
    if token and tonumber(aliveUntil) >= now then return id end
    forget(id)
  end
end
local function handOver(id)
  local token, _, life, round = known(id)
  if not redis.pcall('SET', KEYS[1], token, 'PX', life).ok then return false end
  redis.call('ZREM', queue, id)
  redis.pcall('PUBLISH', '${HANDED_CHANNEL}:' .. string.match(id, '^[^-]*'), id .. ' ' .. round)
  return true
end
`;

/**
 * An acquire by a waiter that queues. One that finds the key taken can only take a place, which is no vote.
 *
 * Input:  KEYS resource, counter and high water if fenced, queue, waiters; ARGV[1] token, [2] ttl ms, then the fence proposed and the
 *   limit if fenced, then waiter, since when or empty, round, for how long it counts as alive, life of a key handed to it
 * Output: 0 or the fence, granted | { 1, type, value or nil, PTTL, how many are before it } | { 0, fence, … } no fence to be had
 */
function turn(isFenced: boolean): Script {
  return script(`
${ADMISSION.trim()}
${QUEUES.trim()}
local life, alive, round, since = table.remove(ARGV), tonumber(table.remove(ARGV)), table.remove(ARGV), table.remove(ARGV)
local id = table.remove(ARGV)
local own, _, _, last = known(id)
local kind = kindOf(KEYS[1])
local isOwn = own and kind == 'string' and holds(KEYS[1], own)
local barring = barred(kind ~= 'none' and not isOwn)
if barring then return barring end
${isFenced ? FENCES.trim() : ""}
if last and tonumber(last) > tonumber(round) then return redis.error_reply('ERR an older acquire of this waiter') end
local now = at > 0 and at or clock()
local score = redis.call('ZSCORE', queue, id)
local size = redis.call('ZCARD', queue)
if size >= ${QUEUE_MAX} and not score then return redis.error_reply('ERR too many waiters') end
if kind ~= 'none' and not isOwn then curb(KEYS[1], kind) end
redis.call('HSET', waiters, id, string.format('%s|%.0f|%s|%s', ARGV[1], now + alive, life, round))
redis.call('ZADD', queue, since ~= '' and since or score or now, id)
for _, key in ipairs({ queue, waiters }) do
  if redis.call('PTTL', key) < alive then redis.call('PEXPIRE', key, 2 * alive) end
end
if redis.call('HLEN', waiters) > 2 * size + ${SWEEP_BEYOND} then
  for _, other in ipairs(redis.call('HKEYS', waiters)) do
    local _, aliveUntil = known(other)
    if not redis.call('ZSCORE', queue, other) and tonumber(aliveUntil or 0) < now then redis.call('HDEL', waiters, other) end
  end
end
if kind == 'none' or isOwn then
  local heir = head(now)
  if heir == id then
    ${isFenced ? ISSUE.trim() : ""}
    note(tonumber(ARGV[2]))
    redis.call('ZREM', queue, id)
    ${isFenced ? "raise(fence, high, floor)" : ""}
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return ${isFenced ? "fence" : "0"}
  end
  handOver(heir)
  kind = kindOf(KEYS[1])
end
local answer = { 1, sight(KEYS[1], kind) }
answer[5] = redis.call('ZRANK', queue, id) or 0
return answer
`);
}

export const TAKE_TURN = turn(false);
export const TAKE_TURN_FENCED = turn(true);

/**
 * A release by a waiter or a holder that came through the queue: it leaves the queue, and the key that holds the token, or an earlier
 * one of its own, goes to the head. A key that is gone goes there too. A waiter that has acquired again since keeps its place and
 * what it got: a release may be repeated long after it was sent.
 *
 * Input:  KEYS resource, queue, waiters; ARGV[1] token, [2] waiter, [3] its last round
 * Output: as RELEASE
 */
export const HAND_BACK = script(`
${QUEUES.trim()}
local own, _, _, last = known(ARGV[2])
if last and tonumber(last) > tonumber(ARGV[3]) then own = nil else forget(ARGV[2]) end
local kind = kindOf(KEYS[1])
local isOwn = kind == 'string' and (holds(KEYS[1], ARGV[1]) or own and holds(KEYS[1], own))
if kind ~= 'none' and not isOwn then return { 1, sight(KEYS[1], kind) } end
local heir = head(clock())
if not (heir and handOver(heir)) and isOwn then redis.call('DEL', KEYS[1]) end
return isOwn and 0 or 1
`);

/**
 * Hands a key that nobody holds to the head of the queue, if there is one: after a release that knew nothing of the queue, so that the
 * head need not find out by a look of its own.
 *
 * Input:  KEYS resource, queue, waiters
 * Output: 0 handed over | 1 somebody holds it, or nobody waits
 */
export const HAND_ON = script(`
${QUEUES.trim()}
if kindOf(KEYS[1]) ~= 'none' then return 1 end
local heir = head(clock())
return heir and handOver(heir) and 0 or 1
`);

/** Keys of the queue, for behind those of the resource. */
export function queueKeys(resource: string): readonly Argument[] {
  const key = keyArgument(resource);
  return [QUEUE_KEY, WAITERS_KEY].map((name) =>
    typeof key === "string" ? `${name}:${key}` : Buffer.concat([Buffer.from(`${name}:`), key]),
  );
}
