import { ADMISSION } from "./admission";
import { script } from "./script";
import { VERBS } from "./verb-scripts";

/**
 * Many requests of any verb in one call, executed one after the other in the order in which they were asked.
 *
 * Whether the node is admitted is found out once, before the first vote. Each vote has its own latest time of execution. A request
 * that fails harms none of the others.
 *
 * Input:  KEYS those of all requests one after the other, last the marker unless off; ARGV[1] where the runs begin, [2] unused,
 *   [3] to [8] as a vote's, [3] being the latest of all; then run after run of requests alike, each of:
 *   a | e | h | r, how many requests, keys of each, ttl ms, latest time of execution, and the token of each
 * Output: how many requests there were, when all were answered with 0; else per request what its verb answers alone | { -1, the server's words } it failed, having written nothing
 */
export const BATCH = script(`
${ADMISSION.trim()}
${VERBS}
local function attempt(verb, first, last, token, ttl)
  local isDone, answer = pcall(verb, first, last, token, ttl)
  if isDone then return answer end
  return { -1, type(answer) == 'table' and answer.err or tostring(answer) }
end
local verbs = { a = acquire, e = extend, h = heal, r = release }
local answers, key, word = {}, 1, tonumber(ARGV[1])
local isAsked, barring = false, nil
local isAllDone = true
while word < #ARGV do
  local verb, width, ttl, notAfter = ARGV[word], tonumber(ARGV[word + 2]), ARGV[word + 3], tonumber(ARGV[word + 4])
  local last = word + 4 + tonumber(ARGV[word + 1])
  local refusal = nil
  if verb ~= 'r' then
    if not isAsked then isAsked, barring = true, attempt(barred) end
    refusal = notAfter > 0 and at > notAfter and { 0, 'stale', at, '', 0 } or barring
  end
  for token = word + 5, last do
    local answer = refusal or attempt(verbs[verb], key, key + width - 1, ARGV[token], ttl)
    answers[#answers + 1] = answer
    if answer ~= 0 then isAllDone = false end
    key = key + width
  end
  word = last + 1
end
return isAllDone and #answers or answers
`);
