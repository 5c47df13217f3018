import type { Item } from "./batch-item";
import type { Reply } from "./connection";
import { fenceKeys } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { UNEXPECTED } from "./votes";
import { type Argument, bulk } from "./wire";

const NONE: readonly [] = [];

// Nearly every answer is one of these.
const ZERO: Reply = { kind: "answer", value: 0 };
const ONE: Reply = { kind: "answer", value: 1 };
/** An answer that is none of ours confirms nothing, least of all a release. */
const FOREIGN: Reply = { kind: "error", reason: UNEXPECTED.reason };

/** What a script is given. */
export interface Words {
  readonly keys: readonly Argument[];
  readonly args: readonly Argument[];
}

/** @param admission what the guard adds to a vote, empty for a release */
export function wordsAlone({ asked, verb }: Item, admission: Words): Words {
  const { resources, token } = asked;
  const keys = resources.map(keyArgument);
  if (!("ttlMs" in asked)) return { keys, args: [token] };
  const { ttlMs, proposal } = asked;
  const moreKeys = verb.isFenced ? fenceKeys(resources) : NONE;
  const lastArgs = proposal === undefined ? NONE : [proposal.fence, proposal.limit];
  return {
    keys: [...keys, ...moreKeys, ...admission.keys],
    args: [token, ttlMs, ...admission.args, ...lastArgs],
  };
}

/** Of a run of requests: its letter, how many they are, keys of each, ttl, latest time of execution. */
const WORDS_PER_RUN = 5;

/**
 * A call of BATCH as it goes over the wire.
 *
 * @param by EVALSHA with the hash of BATCH, or EVAL with its source
 * @param admission as for a vote; with "off" when there is none among the items
 * @param keyPrefix what the client puts before every key
 */
export function textOfBatch(
  by: { readonly command: string; readonly script: string },
  items: readonly Item[],
  { admission, keyPrefix }: { readonly admission: Words; readonly keyPrefix: string },
): string {
  let keys = "";
  let runs = "";
  let keyCount = admission.keys.length;
  // Where the runs begin, and one that is not used.
  let argCount = 2 + admission.args.length;
  for (let at = 0; at < items.length; ) {
    const run = runFrom(items, at);
    keys += run.keys.text;
    keyCount += run.keys.count;
    runs += run.words;
    argCount += WORDS_PER_RUN + run.end - at;
    at = run.end;
  }
  for (const key of admission.keys) keys += bulk(keyPrefix + String(key));
  const start = `*${3 + keyCount + argCount}\r\n${bulk(by.command)}${bulk(by.script)}${bulk(keyCount)}${keys}`;
  return `${start}${bulk(3 + admission.args.length)}${bulk("")}${admission.args.map(bulk).join("")}${runs}`;
}

/** The run of like requests that begins at this one. */
function runFrom(items: readonly Item[], at: number) {
  const first = items[at];
  const keys = { text: "", count: 0 };
  let tokens = "";
  let end = at;
  for (let item = first; first !== undefined && item !== undefined && isAlike(first, item); item = items[end]) {
    keys.text += item.piece.keys;
    keys.count += item.asked.resources.length;
    tokens += item.piece.token;
    end += 1;
  }
  const width = first?.asked.resources.length ?? 0;
  const head = [first?.verb.letter ?? "", end - at, width, first?.ttlMs ?? 0, first?.notAfter ?? 0];
  return { end, keys, words: head.map(bulk).join("") + tokens };
}

function isAlike(a: Item, b: Item): boolean {
  return (
    a.verb === b.verb &&
    a.ttlMs === b.ttlMs &&
    a.notAfter === b.notAfter &&
    a.asked.resources.length === b.asked.resources.length
  );
}

/** What became of each of so many requests. */
export function repliesOf(reply: Reply, count: number): readonly Reply[] {
  const answers = reply.kind === "answer" ? reply.value : null;
  // Nearly always.
  if (answers === count) return Array<Reply>(count).fill(ZERO);
  if (Array.isArray(answers) && answers.length === count) return answers.map(replyOf);
  return Array<Reply>(count).fill(reply.kind === "answer" ? FOREIGN : reply);
}

function replyOf(answer: unknown): Reply {
  if (answer === 0) return ZERO;
  if (answer === 1) return ONE;
  if (!Array.isArray(answer) || answer[0] !== -1) return { kind: "answer", value: answer };
  return { kind: "error", reason: String(answer[1]) };
}
