import type { Reply, Send } from "./connection";
import { HANDED_CHANNEL, QUEUE_KEY, WAITERS_KEY } from "./queue-scripts";
import { script } from "./script";

/**
 * Tries what the lock scripts call on a key of its own, which is gone at once. Not in KEYS: a user who may touch other keys only would be
 * refused for the key, and which ones he may touch is his business. Refusals for other reasons (memory, disk, replica) are not rights.
 * What only fair locks call is tried on keys and a channel of the kind they use.
 *
 * Output: { names of the commands that the user may not run in a script, what would have to be granted for fair locks }
 */
const DRY_RUN = script(`
local key, denied = 'redlock:{guard}:dry', {}
local function try(name, ...)
  local reply = redis.pcall(name, ...)
  if type(reply) == 'table' and reply.err and string.find(reply.err, 'run th') then denied[#denied + 1] = name end
end
try('set', key, 'x', 'PX', 1, 'NX')
try('get', key)
try('getrange', key, 0, 1)
try('strlen', key)
try('type', key)
try('pttl', key)
try('pexpire', key, 1)
try('del', key)
local queue, waiters, grants = '${QUEUE_KEY}:dry', '${WAITERS_KEY}:dry', {}
local function need(name, ...)
  local reply = redis.pcall(name, ...)
  local words = type(reply) == 'table' and reply.err or ''
  if string.find(words, 'run th') then
    grants[#grants + 1] = '+' .. name
  elseif string.find(words, 'channel') then
    grants[#grants + 1] = '&${HANDED_CHANNEL}:*'
  elseif string.find(words, 'access') then
    grants[#grants + 1] = '~redlock:{guard}:*'
  end
end
need('time')
need('zadd', queue, 1, 'x')
for _, name in ipairs({ 'zscore', 'zrank', 'zrem' }) do need(name, queue, 'x') end
need('zcard', queue)
need('zrange', queue, 0, 0)
need('hset', waiters, 'x', 'x')
for _, name in ipairs({ 'hget', 'hdel' }) do need(name, waiters, 'x') end
for _, name in ipairs({ 'hlen', 'hkeys' }) do need(name, waiters) end
redis.pcall('del', queue, waiters)
need('publish', '${HANDED_CHANNEL}:dry', '')
return { denied, grants }
`);

/** Every so many looks at a node its rights are tried again: they may be given and taken while a connection lasts. */
const SOMETIMES = 20;

/** What the user of a node may do there. */
export class Rights {
  #missing: string | null = null;
  #fairGrants: readonly string[] = [];
  #asked = 0;

  /** What a vote needs and the user may not, in words with the next step; null when nothing is missing as far as is known. */
  get missing(): string | null {
    return this.#missing;
  }

  /** What a fair lock needs and the user may not, a sentence with the next step; null when nothing is missing as far as is known. */
  get missingForFair(): string | null {
    if (this.#fairGrants.length === 0) return null;
    const isOnlyTheWord = this.#fairGrants.every((grant) => grant === "+publish" || grant.startsWith("&"));
    const what = isOnlyTheWord
      ? "Tells nobody that a fair lock was handed to him, so that waiters find out by a look of their own"
      : "Keeps no queues for fair locks; other locks work";
    return `${what}: for fair locks grant its user ${this.#fairGrants.join(" ")}.`;
  }

  async look(send: Send): Promise<void> {
    const { missing, fairGrants } = await missingRights(send);
    this.#missing = missing;
    this.#fairGrants = fairGrants;
  }

  async lookSometimes(send: Send): Promise<void> {
    this.#asked += 1;
    if (this.#asked % SOMETIMES === 0) await this.look(send);
  }
}

interface Missing {
  readonly missing: string | null;
  readonly fairGrants: readonly string[];
}

/**
 * Whether the user of a connection may do what a vote needs, asked before the first one. Source: `safety.md`, R10.
 *
 * @returns why not, with the next step; null when he may, or when there was no answer to tell by
 */
async function missingRights(send: Send): Promise<Missing> {
  const reply: Reply = await send("EVAL", DRY_RUN.source, 0);
  if (reply.kind !== "answer")
    return { missing: reply.kind === "error" ? withoutScripts(reply.reason) : null, fairGrants: [] };
  const [denied, grants] = Array.isArray(reply.value) ? reply.value : [];
  const names = wordsOf(denied);
  const missing = `its user may not run ${names.join(", ")} in a script: grant ${names.map((name) => `+${name}`).join(" ")}`;
  return { missing: names.length === 0 ? null : missing, fairGrants: [...new Set(wordsOf(grants))] };
}

function withoutScripts(words: string): string | null {
  if (/NOPERM/.test(words)) return `its user may not run scripts (${words}): grant +eval +evalsha +script|load`;
  if (!/unknown command/.test(words)) return null;
  return `scripts cannot be run there (${words}): it must be a Redis server, without a proxy or a renamed EVAL`;
}

function wordsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
