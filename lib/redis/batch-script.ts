import { ADMISSION } from "./admission";
import { TAKE_FENCED } from "./fence-scripts";
import { script } from "./script";
import { VERBS } from "./verb-scripts";

/**
 * Many requests of any verb in one call, executed one after the other in the order in which they were asked.
 *
 * Whether the node is admitted is found out once, before the first vote. Each vote has its own latest time of execution. A request
 * that fails harms none of the others.
 *
 * Input:  KEYS those of all requests one after the other, then the high water of the fences if any is fenced, last the marker unless
 *   off; ARGV[1] where the runs begin, [2] 1 if any is fenced, [3] to [8] as a vote's, [3] being the latest of all; then run after run of
 *   requests alike, each of: a | f | e | h | r, how many requests, resources of each, ttl ms, latest time of execution, and of each its
 *   token, behind it if fenced the fence proposed and the limit. f is a fenced acquire, whose counters follow its resources in KEYS
 * Output: how many requests there were, when all were answered with 0; else per request what its verb answers alone | { -1, the server's words } it failed, having written nothing
 */
export const BATCH = script(`
${ADMISSION.trim()}
local water = ARGV[2] == '1' and table.remove(KEYS)
${VERBS}
${TAKE_FENCED.trim()}
local function attempt(verb, first, last, token, ttl, proposed, limit)
  local isDone, answer = pcall(verb, first, last, token, ttl, water, proposed, limit)
  if isDone then return answer end
  return { -1, type(answer) == 'table' and answer.err or tostring(answer) }
end
local verbs = { a = acquire, f = acquireFenced, e = extend, h = heal, r = release }
local answers, key, word = {}, 1, tonumber(ARGV[1])
local isAsked, barring = false, nil
local isAllDone = true
while word < #ARGV do
  local verb, width, ttl, notAfter = ARGV[word], tonumber(ARGV[word + 2]), ARGV[word + 3], tonumber(ARGV[word + 4])
  local isFenced = verb == 'f'
  local step, keys = isFenced and 3 or 1, isFenced and 2 * width or width
  local last = word + 4 + step * tonumber(ARGV[word + 1])
  local refusal = nil
  if verb ~= 'r' then
    if not isAsked then isAsked, barring = true, attempt(barred) end
    refusal = notAfter > 0 and at > notAfter and { 0, 'stale', at, '', 0 } or barring
  end
  for token = word + 5, last, step do
    local answer = refusal
      or attempt(verbs[verb], key, key + width - 1, ARGV[token], ttl, ARGV[token + 1], ARGV[token + 2])
    answers[#answers + 1] = answer
    if answer ~= 0 then isAllDone = false end
    key = key + keys
  end
  word = last + 1
end
if water then fillOnce(water) end
return isAllDone and #answers or answers
`);
