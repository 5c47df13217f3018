import type { AcquireRequest, AcquireVote, HandOver, ReleaseRequest, ReleaseVote } from "@/lib/redlock";
import { CleanUp, type ReleaseResult } from "./clean-up";
import type { ClientFactory, Reply, Send } from "./connection";
import { fenceKeys } from "./fence-scripts";
import { HandOverListener } from "./hand-over-listener";
import { keyArgument } from "./key-bytes";
import { HAND_BACK, HAND_ON, queueKeys, TAKE_TURN, TAKE_TURN_FENCED } from "./queue-scripts";
import { runScript } from "./run-script";
import { cannotVote, judge, type VotingSetup } from "./run-voting";
import { UNEXPECTED, voteOf } from "./votes";

/** Waiters remembered as never sent; a forgotten one only costs a release too many. */
const UNSENT_MAX = 1000;

type Queued<Request extends AcquireRequest | ReleaseRequest> = Request & {
  readonly queue: NonNullable<Request["queue"]>;
};

export interface QueueVerbsSetup extends VotingSetup {
  readonly createClient: ClientFactory;
}

/** Whether a request is of a lock that queues. */
export function isQueued<Request extends AcquireRequest | ReleaseRequest>(
  request: Request,
): request is Queued<Request> {
  return request.queue !== undefined;
}

/** The verbs of fair locks, on the connection of the others: it is what orders them. Each request is a call by itself. */
export class QueueVerbs implements HandOver {
  readonly #setup: QueueVerbsSetup;
  readonly #listener: HandOverListener;
  readonly #cleanUp: CleanUp;
  /** Waiters of whom this node was never sent anything, latest last: their release has nothing to clean up here. */
  readonly #unsent = new Set<string>();

  constructor(setup: QueueVerbsSetup) {
    this.#setup = setup;
    this.#listener = new HandOverListener(setup);
    this.#cleanUp = new CleanUp((entry) => this.#repeat(setup.connection.send, entry));
  }

  /** Releases that still have to be done. */
  get outstanding(): number {
    return this.#cleanUp.size;
  }

  now(): number | null {
    return this.#setup.time.latest(performance.now());
  }

  listen(waiter: string, heard: (round: number | null) => void): () => void {
    return this.#listener.listen(waiter, heard);
  }

  /** First words on a fresh connection: old releases. Sent before this returns. */
  greet(send: Send): void {
    // By source: a server that restarted does not know the script, and a second step would come behind the next acquire.
    this.#cleanUp.repeatAll((entry) => this.#repeat(send, entry, "EVAL"));
  }

  /** To be called whenever the connection has changed. */
  connectionChanged(): void {
    if (this.#setup.connection.isOpen) this.#cleanUp.repeatWaiting();
  }

  async acquire(request: Queued<AcquireRequest>): Promise<AcquireVote> {
    const { resources, ttlMs, proposal, queue } = request;
    const fault = cannotVote(this.#setup);
    if (fault !== null) {
      if (queue.round === 1) this.#noteUnsent(queue.waiter);
      return fault;
    }
    this.#unsent.delete(queue.waiter);
    const { connection, guard, denial, nodeTimeoutMs } = this.#setup;
    const script = proposal === undefined ? TAKE_TURN : TAKE_TURN_FENCED;
    const sentAt = performance.now();
    const words = wordsOf(request, guard.words(Math.min(nodeTimeoutMs, ttlMs / 2)));
    const reply = await runScript(connection.send, script, words, () => !request.isCancelled());
    if (reply.kind === "lost") this.#cleanUp.doubt(queue.waiter, ttlMs);
    denial.note(reply);
    const judgement = judge(this.#setup, reply, resources, sentAt);
    if (reply.kind === "lost" || judgement.kind === "code") guard.noteTtl(ttlMs);
    if (judgement.kind === "code" || judgement.kind === "obstacle") guard.voted();
    if (judgement.kind !== "code") return voteOf(judgement);
    if (proposal === undefined) return judgement.code === 0 ? { kind: "granted" } : UNEXPECTED;
    return judgement.code > 0 ? { kind: "granted", fence: judgement.code } : UNEXPECTED;
  }

  /** Sent also on a silent connection, where it waits behind its acquires. */
  async release(request: Queued<ReleaseRequest>): Promise<ReleaseVote> {
    const sentAt = performance.now();
    const reply = await runScript(this.#setup.connection.send, HAND_BACK, handBackWords(request));
    const result = resultOf(reply);
    const wasNeverThere = result === "cut_off" && this.#unsent.has(request.queue.waiter);
    if (!wasNeverThere) this.#cleanUp.add(request, result);
    const judgement = judge(this.#setup, reply, request.resources, sentAt);
    if (judgement.kind !== "code") return voteOf(judgement);
    return { kind: judgement.code === 0 ? "released" : "gone" };
  }

  /** Hands a key that was released past its queue to the head of that. Without it the head finds out by itself, later. */
  async handOn(resource: string): Promise<void> {
    const keys = [keyArgument(resource), ...queueKeys(resource)];
    await runScript(this.#setup.connection.send, HAND_ON, { keys, args: [] });
  }

  stop(): void {
    this.#cleanUp.stop();
  }

  /** Stops listening, too. */
  async close(): Promise<void> {
    this.stop();
    await this.#listener.close();
  }

  async #repeat(
    send: Send,
    entry: Pick<ReleaseRequest, "resources" | "token" | "queue">,
    by: "EVALSHA" | "EVAL" = "EVALSHA",
  ): Promise<ReleaseResult> {
    const words = handBackWords(entry);
    if (by === "EVALSHA") return resultOf(await runScript(send, HAND_BACK, words));
    return resultOf(await send("EVAL", HAND_BACK.source, words.keys.length, ...words.keys, ...words.args));
  }

  #noteUnsent(waiter: string): void {
    this.#unsent.add(waiter);
    if (this.#unsent.size <= UNSENT_MAX) return;
    for (const oldest of this.#unsent) {
      this.#unsent.delete(oldest);
      break;
    }
  }
}

type Words = Parameters<typeof runScript>[2];

function wordsOf({ resources, token, ttlMs, proposal, queue }: Queued<AcquireRequest>, admission: Words): Words {
  const keys = resources.flatMap((resource) => [
    keyArgument(resource),
    ...(proposal === undefined ? [] : fenceKeys(resources)),
    ...queueKeys(resource),
  ]);
  const { waiter, since, round, aliveForMs, handOverMs } = queue;
  const fence = proposal === undefined ? [] : [proposal.fence, proposal.limit];
  const place = [waiter, since === null ? "" : since.toFixed(3), round, aliveForMs, handOverMs];
  return { keys: [...keys, ...admission.keys], args: [token, ttlMs, ...admission.args, ...fence, ...place] };
}

function handBackWords({ resources, token, queue }: Pick<ReleaseRequest, "resources" | "token" | "queue">): Words {
  const keys = resources.flatMap((resource) => [keyArgument(resource), ...queueKeys(resource)]);
  return { keys, args: [token, queue?.waiter ?? "", queue?.round ?? 0] };
}

function resultOf(reply: Reply): ReleaseResult {
  if (reply.kind === "answer") return "confirmed";
  return reply.kind === "error" ? "failed" : "cut_off";
}
