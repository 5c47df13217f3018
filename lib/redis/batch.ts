import type { Item } from "./batch-item";
import { BATCH } from "./batch-script";
import {
  AdmissionText,
  type CallOf,
  NO_TEXT,
  repliesOf,
  textAlone,
  textOfBatch,
  type Words,
  type WordsText,
  ZERO,
} from "./batch-words";
import type { Connection, Reply } from "./connection";
import type { NativeDelete } from "./native-delete";
import type { NodeGuard } from "./node-guard";
import type { Script } from "./script";

/**
 * Most keys of one call. It bounds the time for which a server does nothing else: a key costs it a few microseconds, whatever is
 * stored there, since a long value is never copied.
 */
const KEYS_MAX = 128;

/** Most bytes of the names and tokens of one call: beyond so many a server reads a command in several goes anyway. */
const CHARACTERS_MAX = 16_384;

/** What the guard would add if it were off: nothing in such a batch is a vote. */
const NO_VOTES: Words = { keys: [], args: [0, "off"] };
const GIVEN_UP: Reply = { kind: "not_sent", reason: "given up before it was sent" };

export interface BatcherSetup {
  readonly connection: Pick<Connection, "sendText" | "keyPrefix">;
  readonly guard: Pick<NodeGuard, "wordsUntil">;
  /** Of the same connection. */
  readonly nativeDelete: NativeDelete;
  /** False: each request is sent by itself, at once. */
  readonly coalesce: boolean;
  /** Called once per request, with what became of it. @param sentAt monotonic; 0 = never */
  onReply(item: Item, reply: Reply, sentAt: number): void;
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
  readonly #admission: AdmissionText;
  /** Calls that are not answered yet, in the order sent. */
  readonly #underWay = new Set<readonly Item[]>();
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
    this.#admission = new AdmissionText(setup.connection.keyPrefix);
  }

  /** Another number in each turn in which there is a request; for each request where they do not go together. */
  get turn(): number {
    return this.#turn;
  }

  /** Takes a request. It is sent by the end of the turn, unless it is cancelled by then. */
  add(item: Item): void {
    if (!this.#setup.coalesce) {
      this.#turn += 1;
      this.#send([item]);
      return;
    }
    this.#count += 1;
    if (this.#count === 1) {
      process.nextTick(this.#endTurn);
      if (!this.#isCrowded) {
        this.#send([item]);
        return;
      }
    }
    const keys = item.piece.keyCount;
    const characters = item.piece.keys.length + item.piece.token.length + item.piece.proposal.length;
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
    this.#send(queue.filter((item) => this.#isWanted(item)));
  }

  #send(items: readonly Item[]): void {
    const [first] = items;
    if (first === undefined) return;
    if (items.length > 1) this.#call("EVALSHA", BATCH, items);
    else if (!this.#deletes(first, items)) this.#call("EVALSHA", first.verb.script, items);
  }

  /** @returns whether the server's own command was sent; a script follows when that does not say all */
  #deletes(item: Item, items: readonly Item[]): boolean {
    const { connection, nativeDelete, onReply } = this.#setup;
    const call = nativeDelete.callOf(item);
    if (call === null) return false;
    const sentAt = performance.now();
    this.#underWay.add(items);
    connection.sendText(call.command, call.text, (reply) => {
      this.#underWay.delete(items);
      if (!nativeDelete.isAnswered(reply)) this.#call("EVALSHA", item.verb.script, items);
      else onReply(item, reply.kind === "answer" ? ZERO : reply, sentAt);
    });
    return true;
  }

  #call(command: "EVALSHA" | "EVAL", script: Script, items: readonly Item[]): void {
    const by = { command, script: command === "EVAL" ? script.source : script.sha };
    const text = this.#textOf(by, items, script === BATCH);
    const sentAt = performance.now();
    this.#underWay.add(items);
    this.#setup.connection.sendText(command, text, (reply) => {
      this.#underWay.delete(items);
      if (this.#goesOn({ command, script, reply }, items)) return;
      if (script === BATCH) this.#settle(items, reply, sentAt);
      else for (const item of items) this.#setup.onReply(item, reply, sentAt);
    });
  }

  #textOf(by: CallOf, items: readonly Item[], isBatch: boolean): string {
    const { connection, guard } = this.#setup;
    let notAfter = -1;
    for (const item of items) if (item.verb.isVote) notAfter = Math.max(notAfter, item.notAfter);
    const none: WordsText = isBatch ? this.#admission.of(NO_VOTES) : NO_TEXT;
    const admission = notAfter < 0 ? none : this.#admission.of(guard.wordsUntil(notAfter));
    if (isBatch) return textOfBatch(by, items, admission, connection.keyPrefix);
    return items.map((item) => textAlone(by, item, admission, connection.keyPrefix)).join("");
  }

  /** @returns whether a second step was taken after this answer, for those that still want it */
  #goesOn(
    { command, script, reply }: { readonly command: string; readonly script: Script; readonly reply: Reply },
    items: readonly Item[],
  ): boolean {
    if (reply.kind !== "error" || command === "EVAL") return false;
    const isUnknown = reply.reason.startsWith("NOSCRIPT");
    // A server asks for the right to every key before it runs anything: one that may not be used bars the others of its batch.
    const isDenied = script === BATCH && reply.reason.startsWith("NOPERM");
    if (!isUnknown && !isDenied) return false;
    const left = items.filter((item) => this.#mayGoOn(item) || this.#giveUp(item));
    if (isDenied) for (const item of left) this.#send([item]);
    else if (left.length > 0) this.#call("EVAL", script, left);
    return true;
  }

  /** Not when it is cancelled, nor when its release was asked since, which the second step would come behind. */
  #mayGoOn(item: Item): boolean {
    if (item.isCancelled) return false;
    const { token } = item.asked;
    // Answers come in order, so whatever was sent since is still under way.
    for (const call of [...this.#underWay, this.#queue]) {
      for (const { verb, asked } of call)
        if (!verb.isVote && asked.token === token && asked !== item.asked) return false;
    }
    return true;
  }

  #settle(items: readonly Item[], reply: Reply, sentAt: number): void {
    const replies = repliesOf(reply, items.length);
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      const own = replies[index];
      if (item !== undefined && own !== undefined) this.#setup.onReply(item, own, sentAt);
    }
  }

  /** What creates no key does no harm when nobody wants it any more, and its answer may still tell something. */
  #isWanted(item: Item): boolean {
    return !item.verb.isCreating || !item.isCancelled || this.#giveUp(item);
  }

  /** @returns false */
  #giveUp(item: Item): boolean {
    this.#setup.onReply(item, GIVEN_UP, 0);
    return false;
  }
}
