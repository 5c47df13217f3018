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
import { CleanUp, type ReleaseResult } from "./clean-up";
import type { Connection, Reply, Send } from "./connection";
import { ACQUIRE_FENCED, fenceKeys } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { runScript } from "./run-script";
import { cannotVote, runVoting, type VotingSetup } from "./run-voting";
import type { Script } from "./script";
import { ACQUIRE, EXTEND, HEAL, LOCK_SCRIPTS, RELEASE } from "./scripts";
import { timeOf } from "./server-time";
import { UNEXPECTED, type Verdict, verdictOf } from "./votes";

const UNSENT_MAX = 1000;

/**
 * The four verbs of a lock on one connection, and the releases that still have to be done there.
 *
 * All verbs share the connection because it is what orders them: a release sent behind an acquire is executed behind it, even by a
 * server that was hung all the while.
 */
export class LockVerbs {
  readonly #setup: VotingSetup;
  readonly #connection: Connection;
  readonly #cleanUp: CleanUp;
  /** Acquires and heals under way by token, so that their release can stop a second step. */
  readonly #underWay = new Map<Token, Set<{ isOver: boolean }>>();
  /** Tokens that never went out to this node, latest last: their release has nothing to clean up here. */
  readonly #unsent = new Set<Token>();

  constructor(setup: VotingSetup) {
    this.#setup = setup;
    this.#connection = setup.connection;
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

  async acquire(request: AcquireRequest): Promise<AcquireVote> {
    const isFenced = request.proposal !== undefined;
    const verdict = await this.#write(isFenced ? ACQUIRE_FENCED : ACQUIRE, request);
    if (verdict.kind !== "code") return voteOf(verdict);
    if (isFenced) return verdict.code > 0 ? { kind: "granted", fence: verdict.code } : UNEXPECTED;
    return verdict.code === 0 ? { kind: "granted" } : UNEXPECTED;
  }

  async extend(request: ExtendRequest): Promise<ExtendVote> {
    const fault = cannotVote(this.#setup);
    if (fault !== null) return fault;
    const verdict = await this.#vote(EXTEND, request, () => !request.isCancelled());
    if (verdict.kind === "code") return verdict.code === 0 ? { kind: "extended" } : UNEXPECTED;
    return verdict.kind === "missing" ? verdict : voteOf(verdict);
  }

  async heal(request: HealRequest): Promise<HealVote> {
    const verdict = await this.#write(HEAL, request);
    if (verdict.kind === "code") return verdict.code === 0 ? { kind: "healed" } : UNEXPECTED;
    return voteOf(verdict);
  }

  /** Sent also on a silent connection, where it waits behind its acquire. */
  async release(request: ReleaseRequest): Promise<ReleaseVote> {
    for (const attempt of this.#underWay.get(request.token) ?? []) attempt.isOver = true;
    const reply = await this.#sendRelease(this.#connection.send, request);
    const wasNeverThere = resultOf(reply) === "cut_off" && this.#unsent.has(request.token);
    if (!wasNeverThere) this.#cleanUp.add(request, resultOf(reply));
    const verdict = verdictOf(reply, request.resources);
    if (verdict.kind !== "code") return voteOf(verdict);
    return { kind: verdict.code === 0 ? "released" : "gone" };
  }

  stop(): void {
    this.#cleanUp.stop();
  }

  /** A verb that can create a key: what it leaves behind must be findable by its release. */
  async #write(script: Script, request: AcquireRequest): Promise<Exclude<Verdict, { kind: "barred" }> | Fault> {
    const { token, ttlMs } = request;
    const fault = cannotVote(this.#setup);
    if (fault !== null) {
      if (script !== HEAL) this.#noteUnsent(token);
      return fault;
    }
    this.#unsent.delete(token);
    const attempt = this.#begin(token);
    const mayGoOn = () => !attempt.isOver && !request.isCancelled();
    const verdict = await this.#vote(script, request, mayGoOn, () => this.#cleanUp.doubt(token, ttlMs));
    this.#end(token, attempt);
    return verdict;
  }

  async #vote(
    script: Script,
    { resources, token, ttlMs, proposal }: AcquireRequest,
    mayGoOn: () => boolean,
    onLost: () => void = () => {},
  ): Promise<Exclude<Verdict, { kind: "barred" }> | Fault> {
    const { guard, nodeTimeoutMs } = this.#setup;
    const { reply, verdict } = await runVoting(this.#setup, script, {
      resources,
      keys: [...resources.map(keyArgument), ...(proposal === undefined ? [] : fenceKeys(resources))],
      args: [token, ttlMs],
      lastArgs: proposal === undefined ? [] : [proposal.fence, proposal.limit],
      limitMs: Math.min(nodeTimeoutMs, ttlMs / 2),
      mayGoOn,
    });
    if (reply.kind === "lost") onLost();
    if (reply.kind === "lost" || verdict.kind === "code") guard.noteTtl(ttlMs);
    return verdict;
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

  #sendRelease(send: Send, request: Pick<ReleaseRequest, "resources" | "token">): Promise<Reply> {
    return runScript(send, RELEASE, { keys: request.resources.map(keyArgument), args: [request.token] });
  }

  async #repeat(
    send: Send,
    entry: Pick<ReleaseRequest, "resources" | "token">,
    by: "EVALSHA" | "EVAL" = "EVALSHA",
  ): Promise<ReleaseResult> {
    if (by === "EVALSHA") return resultOf(await this.#sendRelease(send, entry));
    const keys = entry.resources.map(keyArgument);
    return resultOf(await send("EVAL", RELEASE.source, keys.length, ...keys, entry.token));
  }

  #begin(token: Token): { isOver: boolean } {
    const attempt = { isOver: false };
    const attempts = this.#underWay.get(token) ?? new Set();
    this.#underWay.set(token, attempts.add(attempt));
    return attempt;
  }

  #end(token: Token, attempt: { isOver: boolean }): void {
    const attempts = this.#underWay.get(token);
    attempts?.delete(attempt);
    if (attempts?.size === 0) this.#underWay.delete(token);
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
