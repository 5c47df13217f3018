import type { Attempt, AttemptRequest } from "./attempt";
import type { Engine } from "./engine";
import type { AcquireVote, Ballot, QueuePlace, Random, ReleaseRequest } from "./ports";
import type { Token } from "./units";
import type { Place } from "./waiting-line";

/** A waiter that hears nothing looks by itself so often, in multiples of the retry delay. */
const LOOK_RETRIES = 5;

/** One that is further back looks less often, but never less than at so many times that pause: whoever looks helps the head. */
const LOOKS_APART_MAX = 5;

/** A waiter counts as dead when it has missed so many of the rarest looks. */
const MISSED_LOOKS = 2;

/** A minority is claimed again after at most so many doublings of the first pause. */
const DOUBLINGS_MAX = 5;

/** Names for the waiters of one engine: the part before the dash is the engine's own. */
export class WaiterNames {
  readonly #random: Random;
  #engineName: string | null = null;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): string {
    this.#engineName ??= this.#random.token().slice(0, 16);
    this.#count += 1;
    return `${this.#engineName}-${this.#count}`;
  }
}

interface StandCall extends AttemptRequest {
  /** Monotonic time after which no attempt may end; infinite without one. */
  readonly waitUntil: number;
}

/**
 * One wait for a fair lock, as it stands in the queues of the nodes.
 *
 * A release hands the key on each node to the head of the queue there, and tells it. Such a key is no vote: it only keeps others out
 * for a short while. The lock is won by an acquire like any other, with a fresh token that replaces the one handed over, its validity
 * counted from before it was sent, under the restart guard and with a fence of its own. So nothing depends on when the word of a
 * hand-over arrives, or whether it does.
 *
 * All waiters have the same order on every node, since the time that orders them is chosen once. A waiter that holds a minority asks
 * again: where it is not the head that gives the key to whoever is, so that splits end.
 */
export class Stand {
  readonly #waiter: string;
  readonly #engine: Engine;
  readonly #call: StandCall;
  readonly #place: Place;
  #since: number | null;
  #round = 0;
  #token: Token | null = null;
  /** Nodes, by number, that gave the key to this waiter in this round: granted it, or told that they handed it over. */
  readonly #given = new Set<number>();
  #isAsking = false;
  /** A node told so in this round. */
  #hasWord = false;
  /** Attempts in a row that brought a minority. */
  #minorities = 0;
  #cancelClaim: (() => void) | null = null;
  #unlisten: readonly (() => void)[] | null = null;

  /** @param place in the line of this process: it is woken when an attempt is due */
  constructor(engine: Engine, call: StandCall, place: Place) {
    this.#waiter = engine.waiters.next();
    this.#engine = engine;
    this.#call = call;
    this.#place = place;
    this.#since = timeOf(engine);
    place.wakesWhenFirst = true;
  }

  /** What a release says to leave the queues. */
  get ticket(): NonNullable<ReleaseRequest["queue"]> {
    return { waiter: this.#waiter, round: this.#round };
  }

  /** Begins an attempt. @returns what it tells the nodes about this waiter */
  step(token: Token): QueuePlace {
    this.#unlisten ??= this.#engine.nodes.map(
      (node, index) => node.handOver?.listen(this.#waiter, (round) => this.#heard(index, round)) ?? (() => {}),
    );
    this.#since ??= timeOf(this.#engine);
    this.#round += 1;
    this.#token = token;
    this.#isAsking = true;
    this.#hasWord = false;
    this.#given.clear();
    this.#stopTimer();
    const handOverMs = Math.min(this.#call.settings.handOverMs, this.#call.ttlMs);
    return { ...this.ticket, since: this.#since, aliveForMs: this.#aliveForMs, handOverMs };
  }

  /**
   * How long to wait for a hand-over before the next attempt, which is made all the same: a word may be lost, and nobody tells of a
   * key that expires.
   *
   * @param last the attempt that failed; null while others of this process are before this one
   */
  delayMs(last: Attempt | null): number {
    const { random, quorum } = this.#engine;
    const everyMs = this.#lookEveryMs * (0.75 + random.fraction() / 4);
    if (last === null) return everyMs;
    this.#conclude(last);
    const { retryDelay, retryJitter } = this.#call.settings;
    if (!isRefused(last)) return Math.max(1, retryDelay + (random.fraction() * 2 - 1) * retryJitter);
    const ahead = Math.min(...last.ballots.flatMap(({ vote }) => (vote.kind === "refused" ? (vote.ahead ?? 0) : [])));
    this.#place.heedsReleases = ahead === 0;
    // Only the head has something to gain from a key that expires; all at once would be a stampede.
    if (ahead > 0) return everyMs * Math.min(ahead, LOOKS_APART_MAX);
    const freeInMs = [...last.ballots.map(blockedForMs)].sort((a, b) => a - b)[quorum - 1] ?? Number.POSITIVE_INFINITY;
    return Math.min(everyMs, freeInMs + 1 + (random.fraction() * this.#engine.nodeTimeoutMs) / 5);
  }

  /** Hears of nothing any more; the places in the queues stay, for the release of the lock that was won. */
  close(): void {
    this.#stopTimer();
    for (const stop of this.#unlisten ?? []) stop();
    this.#unlisten = [];
  }

  /** Gives up: leaves every queue, and what was handed over or granted goes to the next. */
  leave(): void {
    this.close();
    this.#giveBack();
  }

  #giveBack(): void {
    const { resources, ttlMs } = this.#call;
    if (this.#token === null) return;
    const keepTryingForMs = Math.max(ttlMs, this.#aliveForMs);
    const request = { resources, token: this.#token, keepTryingForMs, queue: this.ticket };
    // Nobody waits: each node executes it behind the acquires, and one that is away gets it when it comes back.
    for (const node of this.#engine.nodes) node.release(request);
  }

  get #aliveForMs(): number {
    const leftMs = this.#call.waitUntil - this.#engine.clock.now() + this.#engine.nodeTimeoutMs;
    return Math.max(1, Math.ceil(Math.min(MISSED_LOOKS * LOOKS_APART_MAX * this.#lookEveryMs, leftMs)));
  }

  get #lookEveryMs(): number {
    return Math.max(LOOK_RETRIES * this.#call.settings.retryDelay, this.#engine.nodeTimeoutMs);
  }

  #conclude(last: Attempt): void {
    if (!this.#isAsking) return;
    this.#isAsking = false;
    if (!isRefused(last)) {
      // It can win nothing at the moment, so others may have what it has. Its place is its own again when it is back.
      this.#giveBack();
      return;
    }
    const round = this.#round;
    this.#note(last.ballots);
    this.#minorities = this.#given.size > 0 ? this.#minorities + 1 : 0;
    void last.settled().then((ballots) => {
      if (this.#round === round) this.#note(ballots);
    });
    // While one holder has a majority the rest is worth nothing yet, and no reason to ask again.
    if (this.#hasWord || !isHeldByOne(last.ballots, this.#engine.quorum)) this.#review();
  }

  #note(ballots: readonly Ballot<AcquireVote | { readonly kind: "pending" }>[]): void {
    for (const [index, { vote }] of ballots.entries()) if (vote.kind === "granted") this.#given.add(index);
  }

  #heard(node: number, round: number | null): void {
    if (round === null) this.#claimLater();
    // Of an earlier round: the acquire of this one has taken that key already, or is on its way.
    if (round !== this.#round) return;
    this.#given.add(node);
    this.#hasWord = true;
    this.#review();
  }

  #review(): void {
    if (this.#isAsking || this.#given.size === 0) return;
    if (this.#given.size >= this.#engine.quorum) this.#place.wake();
    else this.#claimLater();
  }

  /** Gives the other nodes a moment to tell as well. */
  #claimLater(): void {
    if (this.#cancelClaim !== null || this.#isAsking) return;
    const { clock, random, nodeTimeoutMs } = this.#engine;
    const firstMs = nodeTimeoutMs * (0.5 + random.fraction() / 2);
    const delayMs = Math.min(firstMs * 2 ** Math.min(this.#minorities, DOUBLINGS_MAX), this.#lookEveryMs);
    this.#cancelClaim = clock.schedule(delayMs, () => this.#place.wake());
  }

  #stopTimer(): void {
    this.#cancelClaim?.();
    this.#cancelClaim = null;
  }
}

/** The median of what is known of the nodes' clocks: the same for all clients, however wrong the clocks of their machines are. */
function timeOf({ nodes }: Engine): number | null {
  const times = nodes.flatMap((node) => node.handOver?.now() ?? []).sort((a, b) => a - b);
  return times[(times.length - 1) >> 1] ?? null;
}

/** Others were before it. Otherwise it was too slow, or too few nodes could vote. */
function isRefused(last: Attempt): boolean {
  return last.kind === "lost" && last.refusal === "held_by_other";
}

function blockedForMs({ vote }: Ballot<AcquireVote | { readonly kind: "pending" }>): number {
  if (vote.kind === "granted") return 0;
  return vote.kind === "refused" ? (vote.remainingMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

function isHeldByOne(ballots: readonly Ballot<AcquireVote | { readonly kind: "pending" }>[], quorum: number): boolean {
  const counts = new Map<string, number>();
  for (const { vote } of ballots) {
    if (vote.kind === "refused" && vote.holder !== null) counts.set(vote.holder, (counts.get(vote.holder) ?? 0) + 1);
  }
  return [...counts.values()].some((count) => count >= quorum);
}
