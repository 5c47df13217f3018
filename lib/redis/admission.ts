/** The highest fence a node has issued, see `fence-scripts.ts`; the scripts below know it as the marker's neighbour. */
export const FENCE_KEY = "redlock:{guard}:fence";

/** Where a node keeps what it is to its clients. Without expiry, one per database and key prefix; hidden from the list of locks. */
export const MARKER_KEY = "redlock:{guard}:node";

/**
 * Lua that decides whether a vote of this node may count, at the same instant as the vote itself. Source: `safety.md`, rule Q, R5.
 *
 * The marker is `run_id | until (ms, node's clock) | hash of the membership | longest TTL ever granted | durable 0 or 1 | cause`.
 * A vote counts only when the marker is there, its run_id is the server's, the membership is ours, and the time is after `until`.
 * Otherwise it is written again and the node is out for a little longer than any lock could live: by then every living lock
 * has won a majority that did without the forgetful node. Releases never come here. Fence counters of such a node are as doubtful
 * as its votes: without its high water it issues none until it got one from others (`fence-scripts.ts`).
 *
 * Input: the last of KEYS the marker, unless off; ARGV[1] and [2] belong to the verb, [3] latest time of execution on the node's
 *   clock, 0 = any, [4] full | connection | off, [5] run_id the client knows, [6] hash of its membership, [7] longest TTL it knows
 *   of, [8] durable: ? not asked yet, n refused to say, 0 no, 1 yes
 * A user who may not ask for the time gets no latest time either, and votes as before.
 * The cause `drain` bars it until it is undrained, see `drain.ts`.
 * barred(isNoVote) is nil, or { 0, stale | quarantined | drained | unverified | config, number, text, longest TTL }
 *   isNoVote: the verb can grant nothing, so a run_id that marker and client agree on need not be asked of the server, which costs more
 *   than all the rest
 * note(ttl) must run before keys of that ttl are written. Where it fails nothing is taken for noted: a batch goes on behind it.
 * curb(key, kind) gives a key in the way an end, if it holds a token of ours and would live longer than any lock can: somebody made
 *   it permanent, or the clock was put back. A value of any other shape is left alone, since nothing is known of its owner.
 */
export const ADMISSION = `
local marker = ARGV[4] ~= 'off' and table.remove(KEYS)
local at = 0
if marker or tonumber(ARGV[3]) > 0 then
  local time = redis.call('TIME')
  at = time[1] * 1000 + math.floor(time[2] / 1000)
end
local durable = ARGV[8]
local run, untilAt, config, high, flag, cause
local function pauseFor(ttl) return math.ceil(ttl * 1.01) + 2 end
local function written(call, longest, kept)
  call('SET', marker, string.format('%s|%.0f|%s|%.0f|%s|%s', run, untilAt, config, longest, kept, cause))
end
local function marked(call) written(call, high, flag) end
local function answer(word, number, text) return { 0, word, number, text, high } end
local function beside(name) return string.sub(marker, 1, -5) .. name end
local function forgetFences() redis.call('DEL', beside('fence')) end
local function serverRun()
  if ARGV[4] == 'connection' then return ARGV[5] end
  local runId = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  if runId ~= ARGV[5] then durable = '?' end
  return runId
end
local function barred(isNoVote)
  if tonumber(ARGV[3]) > 0 and at > tonumber(ARGV[3]) then return { 0, 'stale', at, '', 0 } end
  if not marker then return nil end
  run, untilAt, config, high, flag, cause =
    string.match(redis.call('GET', marker) or '', '^(%x+)|(%d+)|(%x+)|(%d+)|([01])|(%a+)$')
  local runId, known = isNoVote and run == ARGV[5] and run or serverRun(), tonumber(ARGV[7])
  untilAt, high = tonumber(untilAt or 0), tonumber(high or 0)
  if not run then
    run, config, high, flag, cause = runId, ARGV[6], known, '0', 'missing'
    untilAt = at + pauseFor(high)
    forgetFences()
    marked(redis.call)
  elseif run ~= runId then
    if flag == '1' and durable == '?' then return answer('unverified', 0, '') end
    run = runId
    if flag ~= '1' or durable ~= '1' then
      high, flag, cause = math.max(high, known), '0', cause == 'drain' and 'drained' or 'restarted'
      untilAt = at + pauseFor(high)
      forgetFences()
    end
    marked(redis.call)
  end
  if config ~= ARGV[6] then return answer('config', 0, config) end
  if cause == 'drain' then return answer('drained', 0, '') end
  if at < untilAt and known > high then
    untilAt = untilAt + pauseFor(known) - pauseFor(high)
    high = known
    marked(redis.call)
  end
  if untilAt > at + pauseFor(high) then
    untilAt = at + pauseFor(high)
    marked(redis.call)
  end
  if at < untilAt then return answer('quarantined', untilAt - at, cause) end
  return nil
end
local function note(ttl)
  if not marker then return end
  local verified = (durable == '0' or durable == '1') and durable or flag
  if ttl <= high and verified == flag then return end
  local must, longest = ttl > high or verified == '0', math.max(high, ttl)
  written(must and redis.call or redis.pcall, longest, verified)
  high, flag = longest, verified
end
local function curb(key, kind)
  if not marker or kind ~= 'string' or redis.call('STRLEN', key) ~= 40 then return end
  if not string.match(redis.call('GET', key), '^[0-9a-f]+$') then return end
  local remaining = redis.call('PTTL', key)
  if remaining < 0 or remaining > pauseFor(high) then redis.call('PEXPIRE', key, pauseFor(high)) end
end
`;
