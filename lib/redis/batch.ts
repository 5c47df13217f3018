import type { Item } from "./batch-item";
import { BATCH } from "./batch-script";
import { settleBatch, type Words, wordsAlone, wordsOfBatch } from "./batch-words";
import type { Connection, Reply } from "./connection";
import type { NodeGuard } from "./node-guard";
import { runScript } from "./run-script";

/**
 * Most keys of one call. It bounds the time for which a server does nothing else: a key costs it a few microseconds, whatever is
 * stored there, since a long value is never copied.
 */
const KEYS_MAX = 128;

/** Most characters of the names and tokens of one call: beyond so many bytes a server reads a command in several goes anyway. */
const CHARACTERS_MAX = 16_384;

const NO_WORDS: Words = { keys: [], args: [] };
/** What the guard would add if it were off: nothing in such a batch is a vote. */
const NO_VOTES: Words = { keys: [], args: [0, "off"] };
const GIVEN_UP: Reply = { kind: "not_sent", reason: "given up before it was sent" };

export interface BatcherSetup {
  readonly connection: Pick<Connection, "send" | "together">;
  readonly guard: Pick<NodeGuard, "wordsUntil">;
  /** False: each request is sent by itself, at once. */
  readonly coalesce: boolean;
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
  readonly #endTurn = (): void => {
    this.#isCrowded = this.#count > 1;
    this.#count = 0;
    this.flush();
  };

  constructor(setup: BatcherSetup) {
    this.#setup = setup;
  }

  /** Takes a request. It is sent by the end of the turn, unless it is cancelled by then. */
  add(item: Item): void {
    if (!this.#setup.coalesce) {
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
    const characters = charactersOf(item);
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
    const calls = cut(queue.filter(isWanted));
    if (calls.length > 1) this.#setup.connection.together(() => calls.forEach((call) => void this.#send(call)));
    else for (const call of calls) this.#send(call);
  }

  #send(items: readonly Item[]): void {
    const [first] = items;
    if (first !== undefined && items.length === 1) this.#sendAlone(first);
    else void this.#sendBatch(items);
  }

  #sendAlone(item: Item): void {
    const words = item.verb.isVote ? this.#setup.guard.wordsUntil(item.asked.notAfter) : NO_WORDS;
    item.sentAt = performance.now();
    const { send } = this.#setup.connection;
    void runScript(send, item.verb.script, wordsAlone(item, words), () => item.mayGoOn).then((reply) =>
      item.settle(reply),
    );
  }

  async #sendBatch(items: readonly Item[]): Promise<void> {
    const reply = await this.#call("EVALSHA", BATCH.sha, items);
    const isUnknown = reply.kind === "error" && reply.reason.startsWith("NOSCRIPT");
    // A server asks for the right to every key before it runs anything: one that may not be used bars the others of its batch.
    const isDenied = reply.kind === "error" && reply.reason.startsWith("NOPERM");
    if (!isUnknown && !isDenied) return settleBatch(items, reply);
    const left = items.filter(isStillWanted);
    if (isDenied) for (const item of left) this.#sendAlone(item);
    else if (left.length > 0) settleBatch(left, await this.#call("EVAL", BATCH.source, left));
  }

  #call(command: "EVALSHA" | "EVAL", script: string, items: readonly Item[]): Promise<Reply> {
    const { connection, guard } = this.#setup;
    const sentAt = performance.now();
    let notAfter = -1;
    for (const item of items) {
      item.sentAt = sentAt;
      if (item.verb.isVote) notAfter = Math.max(notAfter, item.asked.notAfter);
    }
    const { keys, args } = wordsOfBatch(items, notAfter < 0 ? NO_VOTES : guard.wordsUntil(notAfter));
    return connection.send(command, script, keys.length, ...keys, ...args);
  }
}

/** Requests that go together, in order: what cannot be in a batch is a call by itself. */
function cut(items: readonly Item[]): readonly (readonly Item[])[] {
  const calls: Item[][] = [];
  let open: Item[] | null = null;
  for (const item of items) {
    if (item.verb.letter === null) {
      calls.push([item]);
      open = null;
    } else if (open === null) {
      open = [item];
      calls.push(open);
    } else open.push(item);
  }
  return calls;
}

/** What creates no key does no harm when nobody wants it any more, and its answer may still tell something. */
function isWanted(item: Item): boolean {
  if (!item.verb.isCreating || !item.isCancelled) return true;
  item.settle(GIVEN_UP);
  return false;
}

function isStillWanted(item: Item): boolean {
  if (item.mayGoOn) return true;
  item.settle(GIVEN_UP);
  return false;
}

function charactersOf({ asked }: Item): number {
  let characters = asked.token.length;
  for (const resource of asked.resources) characters += resource.length;
  return characters;
}
