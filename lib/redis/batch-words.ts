import { FENCE_KEY } from "./admission";
import type { Item } from "./batch-item";
import { prefixed } from "./batch-piece";
import type { Reply } from "./connection";
import { UNEXPECTED } from "./votes";
import { type Argument, bulk } from "./wire";

// Nearly every answer is one of these.
export const ZERO: Reply = { kind: "answer", value: 0 };
const ONE: Reply = { kind: "answer", value: 1 };
/** An answer that is none of ours confirms nothing, least of all a release. */
const FOREIGN: Reply = { kind: "error", reason: UNEXPECTED.reason };

/** What a script is given. */
export interface Words {
  readonly keys: readonly Argument[];
  readonly args: readonly Argument[];
}

/** The same as it goes over the wire. */
export interface WordsText {
  readonly keyCount: number;
  readonly keys: string;
  readonly argCount: number;
  readonly args: string;
}

export const NO_TEXT: WordsText = { keyCount: 0, keys: "", argCount: 0, args: "" };

/** What the guard adds to votes, as text: made anew only for what has changed, which is the time. */
export class AdmissionText {
  readonly #keyPrefix: string;
  #rest: readonly Argument[] = [];
  #restText = "";

  /** @param keyPrefix what the client puts before every key */
  constructor(keyPrefix: string) {
    this.#keyPrefix = keyPrefix;
  }

  of({ keys, args: [notAfter = 0, ...rest] }: Words): WordsText {
    if (rest.length !== this.#rest.length || rest.some((word, index) => word !== this.#rest[index])) {
      this.#rest = rest;
      this.#restText = rest.map(bulk).join("");
    }
    const keyText = keys.map((key) => bulk(this.#keyPrefix + String(key))).join("");
    return { keyCount: keys.length, keys: keyText, argCount: 1 + rest.length, args: bulk(notAfter) + this.#restText };
  }
}

/** A call of a script as it goes over the wire: EVALSHA with its hash, or EVAL with its source. */
export interface CallOf {
  readonly command: string;
  readonly script: string;
}

/**
 * A call for one request.
 *
 * @param admission what the guard adds to a vote; NO_TEXT for a release
 * @param keyPrefix what the client puts before every key
 */
export function textAlone(by: CallOf, { asked, verb, piece }: Item, admission: WordsText, keyPrefix: string): string {
  const water = verb.isFenced ? waterText(keyPrefix) : "";
  const ttl = "ttlMs" in asked ? bulk(asked.ttlMs) : "";
  const keyCount = piece.keyCount + (verb.isFenced ? 1 : 0) + admission.keyCount;
  const count = 3 + keyCount + (ttl === "" ? 1 : 2) + admission.argCount + (verb.isFenced ? 2 : 0);
  const keys = piece.keys + water + admission.keys;
  return `${opening(count, by, keyCount)}${keys}${piece.token}${ttl}${admission.args}${piece.proposal}`;
}

/** The high water of the fences. */
function waterText(keyPrefix: string): string {
  return bulk(prefixed(keyPrefix, FENCE_KEY));
}

function opening(count: number, { command, script }: CallOf, keyCount: number): string {
  return `*${count}\r\n${bulk(command)}${bulk(script)}${bulk(keyCount)}`;
}

/** Of a run of requests: its letter, how many they are, keys of each, ttl, latest time of execution. */
const WORDS_PER_RUN = 5;

/** Of each request that is fenced: its token, the fence proposed, the limit. */
const WORDS_FENCED = 3;

/**
 * A call of BATCH.
 *
 * @param admission as for a vote; with "off" when there is none among the items
 */
export function textOfBatch(by: CallOf, items: readonly Item[], admission: WordsText, keyPrefix: string): string {
  let keys = "";
  let runs = "";
  let keyCount = admission.keyCount;
  // Where the runs begin, and whether any is fenced.
  let argCount = 2 + admission.argCount;
  let isFenced = false;
  for (let at = 0; at < items.length; ) {
    const run = runFrom(items, at);
    keys += run.keys.text;
    keyCount += run.keys.count;
    runs += run.words;
    argCount += run.wordCount;
    at = run.end;
    if (run.isFenced) isFenced = true;
  }
  if (isFenced) {
    keys += waterText(keyPrefix);
    keyCount += 1;
  }
  const start = `${opening(3 + keyCount + argCount, by, keyCount)}${keys}${admission.keys}`;
  return `${start}${bulk(3 + admission.argCount)}${bulk(isFenced ? 1 : 0)}${admission.args}${runs}`;
}

/** The run of like requests that begins at this one. */
function runFrom(items: readonly Item[], at: number) {
  const first = items[at];
  const keys = { text: "", count: 0 };
  let tokens = "";
  let end = at;
  for (let item = first; first !== undefined && item !== undefined && isAlike(first, item); item = items[end]) {
    keys.text += item.piece.keys;
    keys.count += item.piece.keyCount;
    tokens += item.piece.token + item.piece.proposal;
    end += 1;
  }
  const isFenced = first?.verb.isFenced ?? false;
  const width = first?.asked.resources.length ?? 0;
  const head = [first?.verb.letter ?? "", end - at, width, first?.ttlMs ?? 0, first?.notAfter ?? 0];
  const wordCount = WORDS_PER_RUN + (isFenced ? WORDS_FENCED : 1) * (end - at);
  return { end, keys, words: head.map(bulk).join("") + tokens, wordCount, isFenced };
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
