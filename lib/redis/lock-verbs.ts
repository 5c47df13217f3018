import type { AcquireRequest, DirectVerbs, Fault, HealRequest, ReleaseRequest, Token, VoteSink } from "@/lib/redlock";
import { Batcher } from "./batch";
import { type AnyVote, Item, VERB, type Verb } from "./batch-item";
import { CleanUp, type ReleaseResult } from "./clean-up";
import type { Connection, Reply, Send } from "./connection";
import { keyArgument } from "./key-bytes";
import { NativeDelete } from "./native-delete";
import { runScript } from "./run-script";
import { cannotVote, judge, type VotingSetup } from "./run-voting";
import { LOCK_SCRIPTS } from "./scripts";
import { timeOf } from "./server-time";
import { RELEASE } from "./verb-scripts";

const UNSENT_MAX = 1000;

/**
 * The four verbs of a lock on one connection, and the releases that still have to be done there.
 *
 * All verbs share the connection because it is what orders them: a release sent behind an acquire is executed behind it, even by a
 * server that was hung all the while.
 */
export class LockVerbs implements DirectVerbs {
  readonly #setup: VotingSetup;
  readonly #connection: Connection;
  readonly #keyPrefix: string;
  readonly #nativeDelete = new NativeDelete();
  readonly #batcher: Batcher;
  readonly #cleanUp: CleanUp;
  /** The turn in which the node was found fit to vote; -1 = none. */
  #fitInTurn = -1;
  /** Tokens that never went out to this node, latest last: their release has nothing to clean up here. */
  readonly #unsent = new Set<Token>();

  /** @param coalesce whether requests of one turn go together, see `Batcher` */
  constructor(setup: VotingSetup, coalesce: boolean) {
    this.#setup = setup;
    this.#connection = setup.connection;
    this.#keyPrefix = setup.connection.keyPrefix;
    this.#batcher = new Batcher({ ...setup, coalesce, nativeDelete: this.#nativeDelete, onReply: this.#replied });
    this.#cleanUp = new CleanUp((entry) => this.#repeat(setup.connection.send, entry));
  }

  /** Releases that still have to be done. */
  get outstanding(): number {
    return this.#cleanUp.size;
  }

  /** First words on a fresh connection: old releases, then the scripts, what it can without them, and the time. Sent before this returns. */
  greet(send: Send): void {
    // By source: a server that restarted does not know the script, and a second step would come behind the next acquire.
    this.#cleanUp.repeatAll((entry) => this.#repeat(send, entry, "EVAL"));
    for (const script of LOCK_SCRIPTS) void send("SCRIPT", "LOAD", script.source);
    this.#nativeDelete.greet(send);
    // Answered before the connection opens: no vote goes out without a latest time of execution.
    const sentAt = performance.now();
    void send("TIME").then((reply) => {
      const time = reply.kind === "answer" ? timeOf(reply.value) : null;
      if (time === null) return;
      this.#setup.time.learn(time, { sentAt, receivedAt: performance.now() });
      // Now, and not at the first probe: a vote given by a clock that is wrong must not count before that either.
      this.#setup.onBarred();
    });
  }

  /** To be called whenever the connection has changed. */
  connectionChanged(): void {
    if (this.#connection.isOpen) this.#cleanUp.repeatWaiting();
  }

  /** Sends what was asked for and waits for the end of the turn. */
  flush(): void {
    this.#batcher.flush();
  }

  acquire(request: AcquireRequest, sink: VoteSink<AnyVote>, place: number): void {
    this.#ask(request.proposal === undefined ? VERB.acquire : VERB.acquireFenced, request, sink, place);
  }

  extend(request: AcquireRequest, sink: VoteSink<AnyVote>, place: number): void {
    this.#ask(VERB.extend, request, sink, place);
  }

  heal(request: HealRequest, sink: VoteSink<AnyVote>, place: number): void {
    this.#ask(VERB.heal, request, sink, place);
  }

  /** Sent also on a silent connection, where it waits behind its acquire. */
  release(request: ReleaseRequest, sink: VoteSink<AnyVote>, place: number): void {
    this.#batcher.add(new Item(VERB.release, request, { notAfter: 0, keyPrefix: this.#keyPrefix }, sink, place));
  }

  stop(): void {
    this.#cleanUp.stop();
  }

  /** Asks for a vote. What a verb that can create a key leaves behind must be findable by its release. */
  #ask(verb: Verb, request: AcquireRequest, sink: VoteSink<AnyVote>, place: number): void {
    const fault = this.#fault();
    if (fault !== null) {
      if (verb.isCreating && verb !== VERB.heal) this.#noteUnsent(request.token);
      sink.vote(place, fault);
      return;
    }
    if (this.#unsent.size > 0 && verb.isCreating) this.#unsent.delete(request.token);
    const { guard, nodeTimeoutMs } = this.#setup;
    // From now on and not from when it is sent: so long the engine waits.
    const notAfter = guard.notAfter(Math.min(nodeTimeoutMs, request.ttlMs / 2));
    this.#batcher.add(new Item(verb, request, { notAfter, keyPrefix: this.#keyPrefix }, sink, place));
  }

  /** Why the node may not be asked. Looked at once in a turn: before its end only an answer can change anything, and that is noticed. */
  #fault(): Fault | null {
    if (this.#fitInTurn === this.#batcher.turn && this.#connection.isUsable) return null;
    const fault = cannotVote(this.#setup);
    if (fault === null) this.#fitInTurn = this.#batcher.turn;
    return fault;
  }

  readonly #replied = (item: Item, reply: Reply, sentAt: number): void => {
    const { verb, asked } = item;
    if ("keepTryingForMs" in asked) {
      const result = resultOf(reply);
      const wasNeverThere = result === "cut_off" && this.#unsent.has(asked.token);
      if (!wasNeverThere) this.#cleanUp.add(asked, result);
    } else {
      if (verb.isCreating && reply.kind === "lost") this.#cleanUp.doubt(asked.token, asked.ttlMs);
      // Of votes only: a release may be allowed where an acquire is not.
      this.#setup.denial.note(reply);
    }
    const judgement = judge(this.#setup, reply, asked.resources, sentAt);
    if ("ttlMs" in asked && (reply.kind === "lost" || judgement.kind === "code")) {
      this.#setup.guard.noteTtl(asked.ttlMs);
    }
    if (verb.isVote && "reason" in judgement) this.#fitInTurn = -1;
    const isDone = judgement.kind === "code" && judgement.code === 0;
    item.sink.vote(item.place, isDone ? verb.done : verb.voteOf(judgement));
  };

  /** While a node is away every attempt ends in a release: without this they would crowd out the ones that matter. */
  #noteUnsent(token: Token): void {
    this.#unsent.add(token);
    if (this.#unsent.size <= UNSENT_MAX) return;
    for (const oldest of this.#unsent) {
      this.#unsent.delete(oldest);
      break;
    }
  }

  async #repeat(
    send: Send,
    entry: Pick<ReleaseRequest, "resources" | "token">,
    by: "EVALSHA" | "EVAL" = "EVALSHA",
  ): Promise<ReleaseResult> {
    const keys = entry.resources.map(keyArgument);
    if (by === "EVALSHA") return resultOf(await runScript(send, RELEASE, { keys, args: [entry.token] }));
    return resultOf(await send("EVAL", RELEASE.source, keys.length, ...keys, entry.token));
  }
}

function resultOf(reply: Reply): ReleaseResult {
  if (reply.kind === "answer") return "confirmed";
  return reply.kind === "error" ? "failed" : "cut_off";
}
