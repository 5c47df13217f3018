import type { Item } from "./batch-item";
import type { Argument, Reply } from "./connection";
import { fenceKeys } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { UNEXPECTED } from "./votes";

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

/** The input of BATCH. @param admission as for a vote; with "off" when there is none among the items */
export function wordsOfBatch(items: readonly Item[], admission: Words): Words {
  const keys: Argument[] = [];
  const args: Argument[] = [3 + admission.args.length, "", ...admission.args];
  let run: Item | null = null;
  let countAt = 0;
  let count = 0;
  for (const item of items) {
    if (run === null || !isAlike(run, item)) {
      if (run !== null) args[countAt] = count;
      const { verb, asked } = item;
      countAt = args.length + 1;
      args.push(verb.letter ?? "", 0, asked.resources.length, item.ttlMs, item.notAfter);
      run = item;
      count = 0;
    }
    for (const resource of item.asked.resources) keys.push(keyArgument(resource));
    args.push(item.asked.token);
    count += 1;
  }
  args[countAt] = count;
  for (const key of admission.keys) keys.push(key);
  return { keys, args };
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
  if (Array.isArray(answers) && answers.length === count) return answers.map(replyOf);
  return Array<Reply>(count).fill(reply.kind === "answer" ? FOREIGN : reply);
}

function replyOf(answer: unknown): Reply {
  if (answer === 0) return ZERO;
  if (answer === 1) return ONE;
  if (!Array.isArray(answer) || answer[0] !== -1) return { kind: "answer", value: answer };
  return { kind: "error", reason: String(answer[1]) };
}
