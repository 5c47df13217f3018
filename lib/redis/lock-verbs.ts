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
import { type Asked, Item, VERB, type Verb } from "./batch-item";
import { CleanUp, type ReleaseResult } from "./clean-up";
import type { Connection, Reply, Send } from "./connection";
import { fenceKeys } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { runScript } from "./run-script";
import { cannotVote, type Judgement, judge, type VotingSetup } from "./run-voting";
import { LOCK_SCRIPTS } from "./scripts";
import { timeOf } from "./server-time";
import { RELEASE } from "./verb-scripts";
import { UNEXPECTED, type Verdict, verdictOf } from "./votes";

const UNSENT_MAX = 1000;

const GRANTED: AcquireVote = { kind: "granted" };
const EXTENDED: ExtendVote = { kind: "extended" };
const HEALED: HealVote = { kind: "healed" };
const RELEASED: ReleaseVote = { kind: "released" };
const GONE: ReleaseVote = { kind: "gone" };

const NONE: readonly [] = [];
const UNASKED = { ttlMs: 0, moreKeys: NONE, lastArgs: NONE, notAfter: 0, isCancelled: null };

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
  /** Tokens that never went out to this node, latest last: their release has nothing to clean up here. */
  readonly #unsent = new Set<Token>();

  /** @param coalesce whether requests of one turn go together, see `Batcher` */
  constructor(setup: VotingSetup, coalesce: boolean) {
    this.#setup = setup;
    this.#connection = setup.connection;
    this.#batcher = new Batcher({ ...setup, coalesce });
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
    const isFenced = request.proposal !== undefined;
    return new Promise((resolve) => {
      this.#ask(isFenced ? VERB.acquireFenced : VERB.acquire, request, (verdict) => {
        if (verdict.kind !== "code") resolve(voteOf(verdict));
        else if (isFenced) resolve(verdict.code > 0 ? { kind: "granted", fence: verdict.code } : UNEXPECTED);
        else resolve(verdict.code === 0 ? GRANTED : UNEXPECTED);
      });
    });
  }

  extend(request: ExtendRequest): Promise<ExtendVote> {
    return new Promise((resolve) => {
      this.#ask(VERB.extend, request, (verdict) => {
        if (verdict.kind === "code") resolve(verdict.code === 0 ? EXTENDED : UNEXPECTED);
        else resolve(verdict.kind === "missing" ? verdict : voteOf(verdict));
      });
    });
  }

  heal(request: HealRequest): Promise<HealVote> {
    return new Promise((resolve) => {
      this.#ask(VERB.heal, request, (verdict) => {
        if (verdict.kind === "code") resolve(verdict.code === 0 ? HEALED : UNEXPECTED);
        else resolve(voteOf(verdict));
      });
    });
  }

  /** Sent also on a silent connection, where it waits behind its acquire. */
  release(request: ReleaseRequest): Promise<ReleaseVote> {
    for (let item = this.#underWay.get(request.token) ?? null; item !== null; item = item.earlier) item.isOver = true;
    return new Promise((resolve) => {
      const { resources, token } = request;
      const asked = { ...UNASKED, resources, token };
      this.#batcher.add(new Item(VERB.release, asked, (reply) => resolve(this.#released(request, reply))));
    });
  }

  stop(): void {
    this.#cleanUp.stop();
  }

  #released(request: ReleaseRequest, reply: Reply): ReleaseVote {
    const result = resultOf(reply);
    const wasNeverThere = result === "cut_off" && this.#unsent.has(request.token);
    if (!wasNeverThere) this.#cleanUp.add(request, result);
    const verdict = verdictOf(reply, request.resources);
    if (verdict.kind !== "code") return voteOf(verdict);
    return verdict.code === 0 ? RELEASED : GONE;
  }

  /** Asks for a vote. What a verb that can create a key leaves behind must be findable by its release. */
  #ask(verb: Verb, request: AcquireRequest, tell: (verdict: Judgement) => void): void {
    const { token, ttlMs } = request;
    const fault = cannotVote(this.#setup);
    if (fault !== null) {
      if (verb === VERB.acquire || verb === VERB.acquireFenced) this.#noteUnsent(token);
      tell(fault);
      return;
    }
    const item = new Item(verb, this.#asked(request), (reply, { sentAt }) => {
      if (verb.isCreating) this.#end(item);
      if (verb.isCreating && reply.kind === "lost") this.#cleanUp.doubt(token, ttlMs);
      const verdict = judge(this.#setup, reply, { resources: request.resources, sentAt });
      if (reply.kind === "lost" || verdict.kind === "code") this.#setup.guard.noteTtl(ttlMs);
      tell(verdict);
    });
    if (verb.isCreating) this.#begin(item);
    this.#batcher.add(item);
  }

  #asked({ resources, token, ttlMs, proposal, isCancelled }: AcquireRequest): Asked {
    const { guard, nodeTimeoutMs } = this.#setup;
    return {
      resources,
      token,
      ttlMs,
      // From now on and not from when it is sent: so long the engine waits.
      notAfter: guard.notAfter(Math.min(nodeTimeoutMs, ttlMs / 2)),
      moreKeys: proposal === undefined ? NONE : fenceKeys(resources),
      lastArgs: proposal === undefined ? NONE : [proposal.fence, proposal.limit],
      isCancelled,
    };
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
    this.#unsent.delete(token);
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
