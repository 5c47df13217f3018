import type {
  AcquireRequest,
  AcquireVote,
  ExtendRequest,
  ExtendVote,
  Fault,
  HealRequest,
  HealVote,
  ReleaseRequest,
  ReleaseVote,
  Token,
} from "@/lib/redlock";
import { Batcher } from "./batch";
import { Item, VERB, type Verb } from "./batch-item";
import { CleanUp, type ReleaseResult } from "./clean-up";
import type { Connection, Reply, Send } from "./connection";
import { keyArgument } from "./key-bytes";
import { runScript } from "./run-script";
import { cannotVote, type Judgement, judge, type VotingSetup } from "./run-voting";
import { LOCK_SCRIPTS } from "./scripts";
import { timeOf } from "./server-time";
import { RELEASE } from "./verb-scripts";
import { UNEXPECTED, type Verdict } from "./votes";

const UNSENT_MAX = 1000;

const GRANTED: AcquireVote = { kind: "granted" };
const EXTENDED: ExtendVote = { kind: "extended" };
const HEALED: HealVote = { kind: "healed" };
const RELEASED: ReleaseVote = { kind: "released" };
const GONE: ReleaseVote = { kind: "gone" };

/**
 * The four verbs of a lock on one connection, and the releases that still have to be done there.
 *
 * All verbs share the connection because it is what orders them: a release sent behind an acquire is executed behind it, even by a
 * server that was hung all the while.
 */
export class LockVerbs {
  readonly #setup: VotingSetup;
  readonly #connection: Connection;
  readonly #batcher: Batcher;
  readonly #cleanUp: CleanUp;
  /** The latest acquire or heal under way per token, so that their release can stop a second step. */
  readonly #underWay = new Map<Token, Item>();
  /** The turn in which the node was found fit to vote; -1 = none. */
  #fitInTurn = -1;
  /** Tokens that never went out to this node, latest last: their release has nothing to clean up here. */
  readonly #unsent = new Set<Token>();

  /** @param coalesce whether requests of one turn go together, see `Batcher` */
  constructor(setup: VotingSetup, coalesce: boolean) {
    this.#setup = setup;
    this.#connection = setup.connection;
    this.#batcher = new Batcher({ ...setup, coalesce, onReply: (item, reply) => this.#replied(item, reply) });
    this.#cleanUp = new CleanUp((entry) => this.#repeat(setup.connection.send, entry));
  }

  /** Releases that still have to be done. */
  get outstanding(): number {
    return this.#cleanUp.size;
  }

  /** First words on a fresh connection: old releases, then the scripts, then the time. Sent before this returns. */
  greet(send: Send): void {
    // By source: a server that restarted does not know the script, and a second step would come behind the next acquire.
    this.#cleanUp.repeatAll((entry) => this.#repeat(send, entry, "EVAL"));
    for (const script of LOCK_SCRIPTS) void send("SCRIPT", "LOAD", script.source);
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

  acquire(request: AcquireRequest): Promise<AcquireVote> {
    const verb = request.proposal === undefined ? VERB.acquire : VERB.acquireFenced;
    return new Promise((resolve) => this.#ask(verb, request, (judgement) => resolve(acquireVote(judgement, verb))));
  }

  extend(request: ExtendRequest): Promise<ExtendVote> {
    return new Promise((resolve) => {
      this.#ask(VERB.extend, request, (judgement) => {
        if (judgement.kind === "code") resolve(judgement.code === 0 ? EXTENDED : UNEXPECTED);
        else resolve(judgement.kind === "missing" ? judgement : voteOf(judgement));
      });
    });
  }

  heal(request: HealRequest): Promise<HealVote> {
    return new Promise((resolve) => {
      this.#ask(VERB.heal, request, (judgement) => {
        if (judgement.kind === "code") resolve(judgement.code === 0 ? HEALED : UNEXPECTED);
        else resolve(voteOf(judgement));
      });
    });
  }

  /** Sent also on a silent connection, where it waits behind its acquire. */
  release(request: ReleaseRequest): Promise<ReleaseVote> {
    for (let item = this.#underWay.get(request.token) ?? null; item !== null; item = item.earlier) item.isOver = true;
    return new Promise((resolve) => {
      const tell = (judgement: Judgement): void => resolve(releaseVote(judgement));
      this.#batcher.add(new Item(VERB.release, request, 0, tell));
    });
  }

  stop(): void {
    this.#cleanUp.stop();
  }

  /** Asks for a vote. What a verb that can create a key leaves behind must be findable by its release. */
  #ask(verb: Verb, request: AcquireRequest, tell: (judgement: Judgement) => void): void {
    const fault = this.#fault();
    if (fault !== null) {
      if (verb.isCreating && verb !== VERB.heal) this.#noteUnsent(request.token);
      tell(fault);
      return;
    }
    const { guard, nodeTimeoutMs } = this.#setup;
    // From now on and not from when it is sent: so long the engine waits.
    const notAfter = guard.notAfter(Math.min(nodeTimeoutMs, request.ttlMs / 2));
    const item = new Item(verb, request, notAfter, tell);
    if (verb.isCreating) this.#begin(item);
    this.#batcher.add(item);
  }

  /** Why the node may not be asked. Looked at once in a turn: before its end only an answer can change anything, and that is noticed. */
  #fault(): Fault | null {
    if (this.#fitInTurn === this.#batcher.turn && this.#connection.isUsable) return null;
    const fault = cannotVote(this.#setup);
    if (fault === null) this.#fitInTurn = this.#batcher.turn;
    return fault;
  }

  #replied(item: Item, reply: Reply): void {
    const { verb, asked } = item;
    item.isSettled = true;
    if (verb.isCreating) this.#end(item);
    if ("keepTryingForMs" in asked) {
      const result = resultOf(reply);
      const wasNeverThere = result === "cut_off" && this.#unsent.has(asked.token);
      if (!wasNeverThere) this.#cleanUp.add(asked, result);
      item.tell(judge(this.#setup, reply, asked.resources, item.sentAt));
      return;
    }
    if (verb.isCreating && reply.kind === "lost") this.#cleanUp.doubt(asked.token, asked.ttlMs);
    // Of votes only: a release may be allowed where an acquire is not.
    this.#setup.denial.note(reply);
    const judgement = judge(this.#setup, reply, asked.resources, item.sentAt);
    if (reply.kind === "lost" || judgement.kind === "code") this.#setup.guard.noteTtl(asked.ttlMs);
    if ("reason" in judgement) this.#fitInTurn = -1;
    item.tell(judgement);
  }

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

  #begin(item: Item): void {
    const { token } = item.asked;
    if (this.#unsent.size > 0) this.#unsent.delete(token);
    item.earlier = this.#underWay.get(token) ?? null;
    this.#underWay.set(token, item);
  }

  #end(item: Item): void {
    const { token } = item.asked;
    if (this.#underWay.get(token) !== item) return;
    let earlier = item.earlier;
    while (earlier?.isSettled) earlier = earlier.earlier;
    if (earlier === null) this.#underWay.delete(token);
    else this.#underWay.set(token, earlier);
  }
}

function resultOf(reply: Reply): ReleaseResult {
  if (reply.kind === "answer") return "confirmed";
  return reply.kind === "error" ? "failed" : "cut_off";
}

function acquireVote(judgement: Judgement, { isFenced }: Verb): AcquireVote {
  if (judgement.kind !== "code") return voteOf(judgement);
  const { code } = judgement;
  if (isFenced) return code > 0 ? { kind: "granted", fence: code } : UNEXPECTED;
  return code === 0 ? GRANTED : UNEXPECTED;
}

function releaseVote(judgement: Judgement): ReleaseVote {
  if (judgement.kind !== "code") return voteOf(judgement);
  return judgement.code === 0 ? RELEASED : GONE;
}

/** A vote that is no grant, with the same shape for every verb. */
export function voteOf(
  verdict: Exclude<Verdict, { kind: "code" }> | Fault,
): ({ readonly kind: "refused" } & ObstacleFields) | Fault {
  switch (verdict.kind) {
    case "obstacle":
      return { kind: "refused", ...verdict.obstacle };
    case "missing":
    case "barred":
      return UNEXPECTED;
    default:
      return verdict;
  }
}

type ObstacleFields = Extract<Verdict, { kind: "obstacle" }>["obstacle"];
