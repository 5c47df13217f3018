import {
  asFingerprint,
  type Lock,
  nodeId,
  PausableClock,
  RedlockEngine,
  SeededRandom,
  type SimulatedNode,
  SimulatedServer,
  VirtualClock,
} from "@/lib/redlock";
import { afterReactions } from "./after-reactions";
import { FenceHistory } from "./fence-history";
import { WALL_START_MS } from "./redlock-rig";
import { inflict, overAt, type WorldFault } from "./world-faults";

/** A run as data, so that a failing one can be shrunk and repeated. */
export interface WorldPlan {
  readonly seed: number;
  readonly membership: number;
  readonly clients: number;
  readonly ttlMs: number;
  readonly spanMs: number;
  readonly faults: readonly WorldFault[];
  /** Asks for fencing tokens, with wall clocks that stand still (nothing but the counters keeps order then) or are wrong. */
  readonly fencing?: "frozen" | "skewed";
  /** Setting of the engines of this name. */
  readonly clockErrorMs?: number;
  /** Whose locks are fair: everybody's, or those of every other client, the first among them. Such waiters give up at times. */
  readonly fair?: "all" | "some";
}

/** What was seen in a run. */
export interface WorldHistory {
  readonly grants: number;
  /**
   * I1: claimed intervals of two holders never overlap in true time. I2: no lock is granted without validity. I4: a lock whose
   * validity has ended is never valid again.
   */
  readonly violations: readonly string[];
  /** I3, of fences: equal ones, or a lower one asked for after a higher one was won. */
  readonly fenceViolations: readonly string[];
}

interface Client {
  readonly name: string;
  readonly clock: PausableClock;
  readonly engine: RedlockEngine;
  readonly links: readonly SimulatedNode[];
  readonly random: SeededRandom;
  readonly isFair: boolean;
}

/** A lock as its holder sees it: claimed from the win to the end of the validity it knows of. */
interface Claim {
  readonly client: string;
  readonly from: number;
  until: number;
}

/** Sums of fractions of a millisecond differ in their last digits. */
const ROUNDING_MS = 1e-6;

/** Servers with clocks of slightly different speed, and clients that contend for one resource while things go wrong. */
export class World {
  readonly #plan: WorldPlan;
  readonly #clock = new VirtualClock(afterReactions);
  readonly #servers: readonly SimulatedServer[];
  readonly #clients: readonly Client[];
  readonly #claims: Claim[] = [];
  readonly #violations: string[] = [];
  readonly #fences = new FenceHistory();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
    const random = new SeededRandom(plan.seed);
    this.#servers = Array.from({ length: plan.membership }, (_, index) => {
      const id = nodeId(`node-${index}`);
      return new SimulatedServer({
        id,
        clock: this.#clock,
        // Nobody looks at it here, and hashing every refusal would be a good part of the work.
        fingerprint: asFingerprint,
        clockRate: 0.997 + 0.006 * random.fraction(),
        quarantineMs: Math.ceil(plan.ttlMs * 1.01) + 2,
      });
    });
    this.#clients = Array.from({ length: plan.clients }, (_, index) => this.#makeClient(index));
  }

  async run(): Promise<WorldHistory> {
    // Virtual time never waits for real events; without this a test that runs many worlds could not even time out.
    await new Promise((resolve) => setImmediate(resolve));
    for (const fault of this.#plan.faults) this.#clock.schedule(fault.at, () => this.#inflict(fault));
    const work = Promise.all(this.#clients.map((client) => this.#contend(client)));
    await this.#clock.until(work, 10 * this.#plan.spanMs);
    this.#compareClaims();
    return { grants: this.#claims.length, violations: this.#violations, fenceViolations: this.#fences.violations() };
  }

  /** I5: whether, after everything is well again, a free lock is granted in the time that a forgetful node is kept out, and a little. */
  async recovers(): Promise<boolean> {
    const client = this.#clients[0];
    if (client === undefined) return false;
    const healedAt = Math.max(0, ...this.#plan.faults.map(overAt));
    await this.#clock.advance(Math.max(0, healedAt - this.#clock.now()));
    const waitMs = Math.ceil(1.15 * this.#plan.ttlMs) + 250 + 4 * client.engine.settings.nodeTimeoutMs;
    const settings = { waitMs, retryDelay: 20, retryJitter: 10, fair: client.isFair };
    const outcome = await this.#clock.until(client.engine.tryAcquire(["r"], this.#plan.ttlMs, settings));
    if (outcome.kind !== "acquired") return false;
    await this.#clock.until(outcome.lock.release());
    // A lock that its holder forgot may have left a place in a queue, which is taken for alive for a while and then handed the key.
    const { nodeTimeoutMs } = client.engine.settings;
    const forgottenMs = this.#plan.fair === undefined ? 0 : 12 * Math.max(this.#plan.ttlMs, nodeTimeoutMs);
    await this.#clock.advance(2 * this.#plan.ttlMs + forgottenMs);
    return this.#servers.every(({ store }) => store.get("r") === null && store.queues.head("r", store.now()) === null);
  }

  #makeClient(index: number): Client {
    const clock = new PausableClock(this.#clock);
    const links = this.#servers.map((server) => server.connect({ clientClock: clock }));
    const random = new SeededRandom(this.#plan.seed + 1 + index);
    const skewMs = random.fraction() * 30_000;
    const wallClock = () => WALL_START_MS + (this.#plan.fencing === "skewed" ? this.#clock.now() + skewMs : 0);
    const settings = { clockErrorMs: this.#plan.clockErrorMs };
    const engine = new RedlockEngine(links, { clock, random, wallClock, settings });
    const isFair = this.#plan.fair === "all" || (this.#plan.fair === "some" && index % 2 === 0);
    return { name: `client-${index}`, clock, engine, links, random, isFair };
  }

  /** Takes the lock, holds it for a while, extends it at times, and at times forgets to release it. */
  async #contend(client: Client): Promise<void> {
    const { engine, clock, random } = client;
    const { ttlMs, spanMs } = this.#plan;
    while (clock.now() < spanMs) {
      await this.#sleep(client, 1 + 30 * random.fraction());
      // Fences are ordered from the winning attempt on, so that with them there is only one.
      const fencing = this.#plan.fencing !== undefined;
      // Of the time that others may hold it, so that a long lock is not mostly a schedule of refusals.
      const retryDelay = Math.max(4, ttlMs / 6);
      const { isFair: fair } = client;
      const signal = fair && random.fraction() < 0.2 ? this.#abortAfter(client, ttlMs * random.fraction()) : undefined;
      const settings = { retryCount: fencing ? 0 : 8, retryDelay, retryJitter: retryDelay, fencing, fair, signal };
      const askedAt = this.#clock.now();
      const outcome = await engine.tryAcquire(["r"], ttlMs, settings);
      if (outcome.kind !== "acquired") continue;
      const { fencingToken: fence } = outcome.lock;
      if (fence !== null) this.#fences.add({ client: client.name, askedAt, wonAt: this.#clock.now(), fence });
      const isForgetful = random.fraction() < 0.5;
      await this.#hold(client, outcome.lock, isForgetful);
      if (!isForgetful) await outcome.lock.release();
    }
  }

  async #hold(client: Client, lock: Lock, isToTheEnd: boolean): Promise<void> {
    const { engine, clock, random, name } = client;
    const { ttlMs } = this.#plan;
    const claim: Claim = { client: name, from: clock.now(), until: clock.now() + lock.remaining() };
    if (lock.remaining() <= 0) this.#violations.push(`${name} was granted a lock without validity at ${claim.from}`);
    this.#claims.push(claim);
    const alive = random.fraction() < 0.3 ? engine.keepAlive(lock, ttlMs, { onExtend: () => remember() }) : null;
    let isOver = false;
    const remember = (): void => {
      // An extension that was under way when the holder stopped changes nothing about what it claims.
      if (isOver) return;
      const until = clock.now() + lock.remaining();
      if (lock.remaining() > 0 && clock.now() > claim.until + ROUNDING_MS)
        this.#violations.push(`${name} revived its lock`);
      claim.until = Math.max(claim.until, lock.remaining() > 0 ? until : 0);
    };
    const steps = Math.floor(4 * random.fraction());
    for (let step = 0; step <= steps; step += 1) {
      await this.#sleep(client, ttlMs * 0.8 * random.fraction());
      if (alive === null && random.fraction() < 0.6) await engine.tryExtend(lock, ttlMs);
      remember();
    }
    alive?.stop();
    isOver = true;
    // One that is going to be released is claimed no longer; one that is forgotten, to the last of its validity.
    if (!isToTheEnd && lock.remaining() > 0) claim.until = clock.now();
  }

  #abortAfter({ clock }: Client, ms: number): AbortSignal {
    const controller = new AbortController();
    clock.schedule(ms, () => controller.abort());
    return controller.signal;
  }

  #sleep({ clock }: Client, ms: number): Promise<void> {
    return new Promise((resolve) => clock.schedule(ms, resolve));
  }

  #compareClaims(): void {
    const claims = [...this.#claims].sort((a, b) => a.from - b.from);
    let longest: Claim | null = null;
    for (const claim of claims) {
      if (longest !== null && claim.from < longest.until - ROUNDING_MS) {
        this.#violations.push(`${claim.client} at ${claim.from} while ${longest.client} holds until ${longest.until}`);
      }
      if (longest === null || claim.until > longest.until) longest = claim;
    }
  }

  #inflict(fault: WorldFault): void {
    const server = "node" in fault ? this.#servers[fault.node % this.#servers.length] : undefined;
    const client = "client" in fault ? this.#clients[fault.client % this.#clients.length] : undefined;
    const link = "node" in fault ? client?.links[fault.node % this.#servers.length] : undefined;
    inflict(fault, { server, client, link }, (ms, heal) => void this.#clock.schedule(ms, heal));
  }
}
