import type { Item } from "./batch-item";
import { pieceOf } from "./batch-piece";
import { BATCH } from "./batch-script";
import { repliesOf, textOfBatch, type Words, wordsAlone } from "./batch-words";
import type { Connection, Reply } from "./connection";
import type { NodeGuard } from "./node-guard";
import { runScript } from "./run-script";

/**
 * Most keys of one call. It bounds the time for which a server does nothing else: a key costs it a few microseconds, whatever is
 * stored there, since a long value is never copied.
 */
const KEYS_MAX = 128;

/** Most bytes of the names and tokens of one call: beyond so many a server reads a command in several goes anyway. */
const CHARACTERS_MAX = 16_384;

const NO_WORDS: Words = { keys: [], args: [] };
/** What the guard would add if it were off: nothing in such a batch is a vote. */
const NO_VOTES: Words = { keys: [], args: [0, "off"] };
const GIVEN_UP: Reply = { kind: "not_sent", reason: "given up before it was sent" };

export interface BatcherSetup {
  readonly connection: Pick<Connection, "send" | "sendText" | "keyPrefix" | "together">;
  readonly guard: Pick<NodeGuard, "wordsUntil">;
  /** False: each request is sent by itself, at once. */
  readonly coalesce: boolean;
  /** Called once per request, with what became of it. */
  onReply(item: Item, reply: Reply): void;
}

/**
 * Sends the requests of one node that were asked in the same turn of the event loop in one script call, in the order in which they
 * were asked. The work of a client and of a server goes by calls more than by locks.
 *
 * Nothing waits for company that may not come: a request is sent at once unless the turn before it had several, and then by the end
 * of its turn, before anything else can happen. Each has its own answer, and its own error; what has become of an unanswered call
 * has become of every request in it.
 */
export class Batcher {
  readonly #setup: BatcherSetup;
  #queue: Item[] = [];
  #keys = 0;
  #characters = 0;
  /** Requests of this turn. */
  #count = 0;
  /** The last turn in which there was any request had several. */
  #isCrowded = false;
  #turn = 0;
  readonly #endTurn = (): void => {
    this.#turn += 1;
    this.#isCrowded = this.#count > 1;
    this.#count = 0;
    this.flush();
  };

  constructor(setup: BatcherSetup) {
    this.#setup = setup;
  }

  /** Another number in each turn in which there is a request; for each request where they do not go together. */
  get turn(): number {
    return this.#turn;
  }

  /** Takes a request. It is sent by the end of the turn, unless it is cancelled by then. */
  add(item: Item): void {
    if (!this.#setup.coalesce) {
      this.#turn += 1;
      this.#sendAlone(item);
      return;
    }
    this.#count += 1;
    if (this.#count === 1) {
      process.nextTick(this.#endTurn);
      if (!this.#isCrowded) {
        this.#sendAlone(item);
        return;
      }
    }
    const keys = item.asked.resources.length;
    item.piece = pieceOf(item.asked, this.#setup.connection.keyPrefix);
    const characters = item.piece.keys.length + item.piece.token.length;
    const isFull = this.#keys + keys > KEYS_MAX || this.#characters + characters > CHARACTERS_MAX;
    if (isFull) this.flush();
    this.#queue.push(item);
    this.#keys += keys;
    this.#characters += characters;
  }

  /** Sends what has been taken so far. */
  flush(): void {
    if (this.#queue.length === 0) return;
    const queue = this.#queue;
    this.#queue = [];
    this.#keys = 0;
    this.#characters = 0;
    const calls = cut(queue.filter((item) => this.#isWanted(item)));
    if (calls.length > 1) this.#setup.connection.together(() => calls.forEach((call) => void this.#send(call)));
    else for (const call of calls) this.#send(call);
  }

  #send(items: readonly Item[]): void {
    const [first] = items;
    if (first !== undefined && items.length === 1) this.#sendAlone(first);
    else void this.#sendBatch(items);
  }

  #sendAlone(item: Item): void {
    const { connection, guard, onReply } = this.#setup;
    const words = wordsAlone(item, item.verb.isVote ? guard.wordsUntil(item.notAfter) : NO_WORDS);
    item.sentAt = performance.now();
    void runScript(connection.send, item.verb.script, words, () => item.mayGoOn).then((reply) => onReply(item, reply));
  }

  async #sendBatch(items: readonly Item[]): Promise<void> {
    const reply = await this.#call("EVALSHA", BATCH.sha, items);
    const isUnknown = reply.kind === "error" && reply.reason.startsWith("NOSCRIPT");
    // A server asks for the right to every key before it runs anything: one that may not be used bars the others of its batch.
    const isDenied = reply.kind === "error" && reply.reason.startsWith("NOPERM");
    if (!isUnknown && !isDenied) {
      this.#settle(items, reply);
      return;
    }
    const left = items.filter((item) => item.mayGoOn || this.#giveUp(item));
    if (isDenied) for (const item of left) this.#sendAlone(item);
    else if (left.length > 0) this.#settle(left, await this.#call("EVAL", BATCH.source, left));
  }

  #call(command: "EVALSHA" | "EVAL", script: string, items: readonly Item[]): Promise<Reply> {
    const { connection, guard } = this.#setup;
    const sentAt = performance.now();
    let notAfter = -1;
    for (const item of items) {
      item.sentAt = sentAt;
      if (item.verb.isVote) notAfter = Math.max(notAfter, item.notAfter);
    }
    const admission = notAfter < 0 ? NO_VOTES : guard.wordsUntil(notAfter);
    const { keyPrefix } = connection;
    return connection.sendText(command, textOfBatch({ command, script }, items, { admission, keyPrefix }));
  }

  #settle(items: readonly Item[], reply: Reply): void {
    const replies = repliesOf(reply, items.length);
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      const own = replies[index];
      if (item !== undefined && own !== undefined) this.#setup.onReply(item, own);
    }
  }

  /** What creates no key does no harm when nobody wants it any more, and its answer may still tell something. */
  #isWanted(item: Item): boolean {
    return !item.verb.isCreating || !item.isCancelled || this.#giveUp(item);
  }

  /** @returns false */
  #giveUp(item: Item): boolean {
    this.#setup.onReply(item, GIVEN_UP);
    return false;
  }
}

/** Requests that go together, in order: what cannot be in a batch is a call by itself. */
function cut(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.every(isBatchable)) return items.length === 0 ? [] : [items];
  const calls: Item[][] = [];
  let open: Item[] | null = null;
  for (const item of items) {
    if (open !== null && isBatchable(item)) open.push(item);
    else {
      const call = [item];
      calls.push(call);
      open = isBatchable(item) ? call : null;
    }
  }
  return calls;
}

function isBatchable(item: Item): boolean {
  return item.verb.letter !== null;
}
