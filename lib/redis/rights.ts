import type { Reply, Send } from "./connection";
import { script } from "./script";

/**
 * Tries what the lock scripts call on a key of its own, which is gone at once. Not in KEYS: a user who may touch other keys only would be
 * refused for the key, and which ones he may touch is his business. Refusals for other reasons (memory, disk, replica) are not rights.
 *
 * Output: names of the commands that the user may not run in a script
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
return denied
`);

/** Every so many looks at a node its rights are tried again: they may be given and taken while a connection lasts. */
const SOMETIMES = 20;

/** What the user of a node may do there. */
export class Rights {
  #missing: string | null = null;
  #asked = 0;

  /** What a vote needs and the user may not, in words with the next step; null when nothing is missing as far as is known. */
  get missing(): string | null {
    return this.#missing;
  }

  async look(send: Send): Promise<void> {
    this.#missing = await missingRights(send);
  }

  async lookSometimes(send: Send): Promise<void> {
    this.#asked += 1;
    if (this.#asked % SOMETIMES === 0) await this.look(send);
  }
}

/**
 * Whether the user of a connection may do what a vote needs, asked before the first one. Source: `safety.md`, R10.
 *
 * @returns why not, with the next step; null when he may, or when there was no answer to tell by
 */
async function missingRights(send: Send): Promise<string | null> {
  const reply: Reply = await send("EVAL", DRY_RUN.source, 0);
  if (reply.kind === "error" && /NOPERM/.test(reply.reason)) {
    return `its user may not run scripts (${reply.reason}): grant +eval +evalsha +script|load`;
  }
  if (reply.kind === "error" && /unknown command/.test(reply.reason)) {
    return `scripts cannot be run there (${reply.reason}): it must be a Redis server, without a proxy or a renamed EVAL`;
  }
  if (reply.kind !== "answer" || !Array.isArray(reply.value) || reply.value.length === 0) return null;
  const names = reply.value.map(String);
  return `its user may not run ${names.join(", ")} in a script: grant ${names.map((name) => `+${name}`).join(" ")}`;
}
