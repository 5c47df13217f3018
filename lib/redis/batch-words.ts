import type { Item } from "./batch-item";
import type { Argument, Reply } from "./connection";
import { keyArgument } from "./key-bytes";
import { UNEXPECTED } from "./votes";

/** What a script is given. */
export interface Words {
  readonly keys: readonly Argument[];
  readonly args: readonly Argument[];
}

/** @param admission what the guard adds to a vote, empty for a release */
export function wordsAlone({ asked, verb }: Item, admission: Words): Words {
  const { resources, token, ttlMs, moreKeys, lastArgs } = asked;
  const keys = resources.map(keyArgument);
  if (!verb.isVote) return { keys, args: [token] };
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
      args.push(verb.letter ?? "", 0, asked.resources.length, asked.ttlMs, asked.notAfter);
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
    a.asked.ttlMs === b.asked.ttlMs &&
    a.asked.notAfter === b.asked.notAfter &&
    a.asked.resources.length === b.asked.resources.length
  );
}

/** Tells each item what became of it. */
export function settleBatch(items: readonly Item[], reply: Reply): void {
  const answers = reply.kind === "answer" ? answersOf(reply.value, items.length) : null;
  for (const [index, item] of items.entries()) {
    item.settle(answers === null ? foreign(reply) : replyOf(answers[index]));
  }
}

function answersOf(value: unknown, count: number): readonly unknown[] | null {
  return Array.isArray(value) && value.length === count ? value : null;
}

function replyOf(answer: unknown): Reply {
  if (!Array.isArray(answer) || answer[0] !== -1) return { kind: "answer", value: answer };
  return { kind: "error", reason: String(answer[1]) };
}

/** An answer that is none of ours confirms nothing, least of all a release. */
function foreign(reply: Reply): Reply {
  return reply.kind === "answer" ? { kind: "error", reason: UNEXPECTED.reason } : reply;
}
