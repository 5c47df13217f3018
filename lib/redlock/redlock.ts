import { type AcquireCall, acquireWithRetries } from "./acquire";
import { BreakerNode } from "./breaker";
import { Claims } from "./claim";
import type { Engine } from "./engine";
import { acquireError, extendError } from "./errors";
import { type EngineEvent, notify } from "./events";
import { extendOnce, extendWithRetries } from "./extension";
import { FenceClock } from "./fence-clock";
import { Holding, type LockSignal } from "./holding";
import { type KeepAlive, type KeepAliveOptions, keepExtending } from "./keep-alive";
import { Lock, type LockOperations } from "./lock";
import { type CallSettings, checkResources, checkTtl, type Settings, settingsFor, settingsOfCall } from "./options";
import type { AcquireOutcome, ExtendOutcome, LockKey, ReleaseOutcome } from "./outcomes";
import type { Clock, LockNode, Random } from "./ports";
import { releaseEverywhere } from "./release";
import { WaiterNames } from "./stand";
import type { NodeId } from "./units";
import { WaitingLines } from "./waiting-line";

/** What an engine cannot make itself, and what it is told. */
export interface EngineOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds since 1970, for fencing tokens only; without it there are none. May be wrong by minutes, see `fence-clock.ts`. */
  readonly wallClock?: () => number;
  readonly settings?: Partial<Settings>;
  /** Hears what the engine did; without one nothing happens, and nothing crashes. */
  readonly onEvent?: (event: EngineEvent) => void;
}

/** What `using` tells its routine beside the signal. */
export interface UsingContext {
  readonly lock: Lock;
  /** Extensions won so far. */
  readonly extensions: number;
}

/** Work done under a lock. `signal` aborts when the lock is lost; `signal.error` says why. */
export type Routine<Result> = (signal: LockSignal, context: UsingContext) => Promise<Result>;

const NONE: CallSettings = {};

/**
 * The Redlock algorithm over N independent nodes.
 *
 * Bad arguments throw RangeError or TypeError that name the argument. Contention and silent nodes are outcomes: the `try…`
 * forms return them, `acquire` and `extend` throw ExecutionError with the outcome in it.
 */
export class RedlockEngine implements LockOperations {
  /** Names of the nodes, in the order of every list of ballots. */
  readonly nodes: readonly NodeId[];
  readonly settings: Settings;
  /** Settings of a single try, made once: most acquires bring none of their own. */
  readonly #once: Settings;
  readonly #engine: Engine;
  readonly #onEvent: ((event: EngineEvent) => void) | undefined;

  /** @throws RangeError or TypeError for a bad setting, no node, or two nodes of one name */
  constructor(nodes: readonly LockNode[], { clock, random, wallClock, settings, onEvent }: EngineOptions) {
    this.nodes = nodes.map((node) => node.id);
    if (nodes.length === 0) throw new RangeError("nodes must name at least one node, got an empty list");
    const twice = this.nodes.find((id, index) => this.nodes.indexOf(id) !== index);
    if (twice !== undefined) throw new RangeError(`nodes must have different names, got ${twice} twice`);
    this.settings = settingsFor(nodes.length, settings);
    this.#once = settingsOfCall(this.settings, {}, { retryCount: 0 });
    const { nodeTimeoutMs, quorum } = this.settings;
    this.#onEvent = onEvent;
    this.#engine = {
      nodes: nodes.map((node) => new BreakerNode(node, clock, nodeTimeoutMs)),
      clock,
      random,
      quorum,
      nodeTimeoutMs,
      claims: new Claims(),
      lines: new WaitingLines(),
      waiters: new WaiterNames(random),
      fences: wallClock === undefined ? null : new FenceClock(wallClock),
    };
    this.#checkFencing(this.settings);
  }

  /** Tries to lock all of `resources` as one lock; once, unless the options say otherwise. Rejects only for bad arguments. */
  async tryAcquire(
    resources: readonly string[],
    ttlMs: number,
    options: CallSettings = NONE,
  ): Promise<AcquireOutcome<Lock>> {
    const settings = options === NONE ? this.#once : settingsOfCall(this.settings, options, { retryCount: 0 });
    return this.#acquire(resources, ttlMs, options, settings);
  }

  /**
   * Locks all of `resources` as one lock, trying again as the settings say.
   *
   * @throws ResourceLockedError when others hold it, ExecutionError otherwise; each with the outcome in it
   */
  async acquire(resources: readonly string[], ttlMs: number, settings: CallSettings = NONE): Promise<Lock> {
    const all = settings === NONE ? this.settings : settingsOfCall(this.settings, settings);
    const outcome = await this.#acquire(resources, ttlMs, settings, all);
    if (outcome.kind === "acquired") return outcome.lock;
    throw acquireError(checkResources(resources), outcome, settings.signal?.reason);
  }

  /**
   * Extends once, by handle or by bare key. A bare key has no validity of its own here, so only the nodes decide.
   *
   * @returns `lost` when the lock has ended or so many nodes deny it that no majority is left; nothing is released then
   */
  async tryExtend(key: LockKey, ttlMs: number): Promise<ExtendOutcome> {
    const holding = Lock.holdingOf(key);
    const settings = holding?.settings ?? this.settings;
    checkTtl(ttlMs, settings);
    const outcome = await extendOnce(this.#engine, { key: checkKey(key), holding, ttlMs, settings });
    notify(this.#onEvent, { kind: "extend", resources: key.resources, outcome: outcome.kind });
    return outcome;
  }

  /** As `lock.extend(ttlMs)`. */
  async extend(lock: Lock, ttlMs: number): Promise<Lock> {
    const holding = holdingOf(lock);
    checkTtl(ttlMs, holding.settings);
    // How often the acquire tried is its own affair: a single try must not make a lock that gives up at the first hiccup.
    const { retryCount } = this.settings;
    const call = { key: holding, holding, ttlMs, settings: holding.settings, retryCount };
    const outcome = await extendWithRetries(this.#engine, call);
    notify(this.#onEvent, { kind: "extend", resources: lock.resources, outcome: outcome.kind });
    if (outcome.kind === "extended") return lock;
    throw extendError(lock.resources, outcome);
  }

  /** Releases on all nodes in one bounded pass, by handle or by bare key. An expired lock is an outcome, not an error. */
  async release(key: LockKey): Promise<ReleaseOutcome> {
    const outcome = await releaseEverywhere(this.#engine, checkKey(key), Lock.holdingOf(key));
    if (this.#onEvent !== undefined) {
      notify(this.#onEvent, { kind: "release", resources: key.resources, outcome: outcome.kind });
    }
    return outcome;
  }

  /** Extends `lock` to `ttlMs` well before each end of its validity, until it is released, lost or stopped. */
  keepAlive(lock: Lock, ttlMs: number, options: KeepAliveOptions = {}): KeepAlive {
    const holding = holdingOf(lock);
    checkTtl(ttlMs, holding.settings);
    const onExtend = (outcome: ExtendOutcome): void => {
      notify(this.#onEvent, { kind: "extend", resources: lock.resources, outcome: outcome.kind });
      options.onExtend?.(outcome);
    };
    return keepExtending(this.#engine, holding, ttlMs, { ...options, onExtend });
  }

  /**
   * Runs `routine` under a lock that is extended by itself, and releases it afterwards.
   *
   * Settles as the routine does, like node-redlock: a loss aborts the signal and is otherwise the routine's to heed, and
   * trouble with the release never replaces its result.
   */
  async using<Result>(resources: readonly string[], ttlMs: number, routine: Routine<Result>): Promise<Result>;
  async using<Result>(
    resources: readonly string[],
    ttlMs: number,
    settings: CallSettings,
    routine: Routine<Result>,
  ): Promise<Result>;
  async using<Result>(
    resources: readonly string[],
    ttlMs: number,
    settingsOrRoutine: CallSettings | Routine<Result>,
    maybeRoutine?: Routine<Result>,
  ): Promise<Result> {
    const isShort = typeof settingsOrRoutine === "function";
    const routine = isShort ? settingsOrRoutine : maybeRoutine;
    if (typeof routine !== "function") throw new TypeError(`routine must be a function, got ${typeof routine}`);
    const lock = await this.acquire(resources, ttlMs, isShort ? {} : settingsOrRoutine);
    this.keepAlive(lock, ttlMs);
    const context = {
      lock,
      get extensions() {
        return lock.extensions;
      },
    };
    try {
      return await routine(lock.signal, context);
    } finally {
      await this.release(lock);
    }
  }

  async #acquire(
    given: readonly string[],
    ttlMs: number,
    { signal, waitMs = 0 }: CallSettings,
    settings: Settings,
  ): Promise<AcquireOutcome<Lock>> {
    checkTtl(ttlMs, settings);
    this.#checkFencing(settings);
    const resources = checkResources(given);
    if (settings.fair) this.#checkFair(resources);
    const { clock } = this.#engine;
    const waitUntil = waitMs > 0 ? clock.now() + waitMs : Number.POSITIVE_INFINITY;
    const call: AcquireCall = { resources, ttlMs, settings, signal, waitUntil };
    const acquired = await acquireWithRetries(this.#engine, call);
    const { attempts } = acquired;
    const outcome = acquired.kind === "won" ? "acquired" : "not_acquired";
    if (this.#onEvent !== undefined) notify(this.#onEvent, { kind: "acquire", resources, outcome, attempts });
    if (acquired.kind === "lost") {
      const { last, refusal } = acquired;
      const settled = () => last?.settled() ?? Promise.resolve([]);
      return { kind: "not_acquired", refusal, attempts, ballots: last?.ballots ?? [], settled };
    }
    const { queue, last } = acquired;
    const { token, startedAt, deadline, claim, fence, ballots, settled } = last;
    const start = { resources, token, ttlMs, startedAt, deadline, attempts, claim, settings, fence, queue };
    return { kind: "acquired", lock: new Lock(new Holding(clock, start), this), attempts, ballots, settled };
  }

  #checkFair(resources: readonly string[]): void {
    const without = this.#engine.nodes.find(({ handOver }) => handOver === undefined);
    if (without !== undefined) throw new TypeError(`fair locks need nodes that keep queues; ${without.id} does not`);
    if (resources.length === 1) return;
    throw new RangeError(`fair locks have one resource each, got ${resources.length}: leave out fair to lock several`);
  }

  #checkFencing({ fencing }: Settings): void {
    if (fencing && this.#engine.fences === null)
      throw new TypeError("fencing needs a wallClock in the engine's options");
  }
}

function checkKey(key: LockKey): LockKey {
  if (key instanceof Lock) return key;
  if (typeof key.token !== "string" || key.token === "") throw new TypeError("token must be a non-empty string");
  // No token of this library has one: this was cut or put together wrongly.
  if (key.token.includes("\0")) throw new TypeError("token must not contain a NUL character");
  return { resources: checkResources(key.resources), token: key.token };
}

function holdingOf(lock: Lock): Holding {
  const holding = Lock.holdingOf(lock);
  if (holding === null) throw new TypeError("lock must be the handle that acquire returned");
  return holding;
}
