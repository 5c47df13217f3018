import type {
  AcquireRequest,
  AcquireVote,
  ExtendRequest,
  ExtendVote,
  Fault,
  FenceReading,
  HealRequest,
  HealVote,
  Obstacle,
  QueuePlace,
  RaiseFenceRequest,
  RaiseFenceVote,
  ReleaseRequest,
  ReleaseVote,
  RestoreFenceRequest,
  RestoreFenceVote,
} from "../ports";
import type { Fingerprint, Token } from "../units";
import { SimulatedFences } from "./simulated-fences";
import { type Heir, SimulatedQueues } from "./simulated-queues";

/** A key as it stands in a simulated server. */
export interface SimulatedKey {
  /** Null when the key is not a string. */
  readonly value: string | null;
  readonly type: string;
  /** On the server's clock, milliseconds; null = never. */
  readonly expiresAt: number | null;
}

/** The keys of one simulated server and the verbs as it executes them, each at one instant. */
export class SimulatedStore {
  readonly #keys = new Map<string, SimulatedKey>();
  readonly #now: () => number;
  readonly #fingerprint: (token: string) => Fingerprint;
  #fences = new SimulatedFences();
  readonly queues = new SimulatedQueues();
  /** Called when a key was handed to a waiter. */
  onHandOver: (waiter: string, round: number) => void = () => {};

  /** Until then the node may not vote, on the server's own clock. */
  #barredUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param now the server's own clock
   * @param fingerprint first 8 hexadecimal digits of the SHA-256; handed in, because this module has no such function
   */
  constructor(now: () => number, fingerprint: (token: string) => Fingerprint) {
    this.#now = now;
    this.#fingerprint = fingerprint;
  }

  /** The server's own clock. */
  now(): number {
    return this.#now();
  }

  /** @returns null when there is no such key, or it has expired */
  get(resource: string): SimulatedKey | null {
    const key = this.#keys.get(resource);
    if (key === undefined) return null;
    if (key.expiresAt === null || this.#now() < key.expiresAt) return key;
    this.#keys.delete(resource);
    return null;
  }

  /** Writes a string past the verbs. `ttlMs` null: no expiry. */
  set(resource: string, value: string, ttlMs: number | null): void {
    this.#keys.set(resource, { value, type: "string", expiresAt: ttlMs === null ? null : this.#now() + ttlMs });
  }

  /** Writes a key that is no string, without expiry. */
  setForeign(resource: string, type: string): void {
    this.#keys.set(resource, { value: null, type, expiresAt: null });
  }

  delete(resource: string): void {
    this.#keys.delete(resource);
  }

  /** Forgets everything, its fence counters too. */
  clear(): void {
    this.#keys.clear();
    this.queues.clear();
    this.#fences = new SimulatedFences();
  }

  /** The node has forgotten its votes: it has none for so long. */
  quarantine(ms: number): void {
    this.#barredUntil = this.#now() + ms;
  }

  acquire(request: AcquireRequest): AcquireVote {
    const { resources, token, ttlMs, proposal, queue } = request;
    const fault = this.#quarantine();
    if (fault !== null) return fault;
    const [resource] = resources;
    if (queue !== undefined && resource !== undefined) return this.#takeTurn(resource, queue, request);
    const obstacle = this.#obstacle(resources, () => false);
    if (obstacle !== null) return { kind: "refused", ...obstacle };
    const vote: AcquireVote = proposal === undefined ? { kind: "granted" } : this.#fences.issue(resources, proposal);
    if (vote.kind !== "granted") return vote;
    for (const resource of resources) this.set(resource, token, ttlMs);
    return vote;
  }

  extend({ resources, token, ttlMs }: ExtendRequest): ExtendVote {
    const fault = this.#quarantine();
    if (fault !== null) return fault;
    const obstacle = this.#obstacle(resources, (key) => key.value === token);
    if (obstacle !== null) return { kind: "refused", ...obstacle };
    const missing = resources.find((resource) => this.get(resource) === null);
    if (missing !== undefined) return { kind: "missing", resource: missing };
    for (const resource of resources) this.#lengthen(resource, token, ttlMs);
    return { kind: "extended" };
  }

  heal({ resources, token, ttlMs }: HealRequest): HealVote {
    const fault = this.#quarantine();
    if (fault !== null) return fault;
    const obstacle = this.#obstacle(resources, (key) => key.value === token);
    if (obstacle !== null) return { kind: "refused", ...obstacle };
    for (const resource of resources) if (this.get(resource) === null) this.set(resource, token, ttlMs);
    return { kind: "healed" };
  }

  release({ resources, token, queue }: ReleaseRequest): ReleaseVote {
    const [resource] = resources;
    if (queue !== undefined && resource !== undefined) return this.#handBack(resource, token, queue);
    const obstacle = this.#obstacle(resources, (key) => key.value === token);
    const isGone = resources.some((resource) => this.get(resource) === null);
    for (const resource of resources) if (this.get(resource)?.value === token) this.delete(resource);
    if (obstacle !== null) return { kind: "refused", ...obstacle };
    return { kind: isGone ? "gone" : "released" };
  }

  #takeTurn(resource: string, queue: QueuePlace, { token, ttlMs, proposal }: AcquireRequest): AcquireVote {
    const { waiter } = queue;
    const own = this.queues.tokenOf(resource, waiter);
    if (!this.queues.join(resource, token, queue, this.#now())) {
      return { kind: "error", reason: "an older acquire of this waiter" };
    }
    const key = this.get(resource);
    if (key === null || (own !== null && key.value === own)) {
      const head = this.queues.head(resource, this.#now());
      if (head?.waiter === waiter) {
        const vote: AcquireVote =
          proposal === undefined ? { kind: "granted" } : this.#fences.issue([resource], proposal);
        if (vote.kind !== "granted") return vote;
        this.queues.take(resource, waiter);
        this.set(resource, token, ttlMs);
        return vote;
      }
      if (head !== null) this.#handOver(resource, head);
    }
    const ahead = Math.max(0, this.queues.order(resource).indexOf(waiter));
    const obstacle = this.#obstacle([resource], () => false);
    if (obstacle === null) throw new Error(`${resource} is free although a waiter was before ${waiter}`);
    return { kind: "refused", ...obstacle, ahead };
  }

  #handBack(resource: string, token: Token, queue: NonNullable<ReleaseRequest["queue"]>): ReleaseVote {
    const own = this.queues.leave(resource, queue);
    const key = this.get(resource);
    const isOurs = key !== null && (key.value === token || (own !== null && key.value === own));
    if (key !== null && !isOurs) {
      const obstacle = this.#obstacle([resource], () => false);
      if (obstacle !== null) return { kind: "refused", ...obstacle };
    }
    this.delete(resource);
    const head = this.queues.head(resource, this.#now());
    if (head !== null) this.#handOver(resource, head);
    return { kind: key === null ? "gone" : "released" };
  }

  #handOver(resource: string, { waiter, round, token, handOverMs }: Heir): void {
    this.queues.take(resource, waiter);
    this.set(resource, token, handOverMs);
    this.onHandOver(waiter, round);
  }

  raiseFence({ resources, token, fence }: RaiseFenceRequest): RaiseFenceVote {
    const obstacle = this.#obstacle(resources, (key) => key.value === token);
    if (obstacle !== null) return { kind: "refused", ...obstacle };
    const missing = resources.find((resource) => this.get(resource) === null);
    return missing === undefined ? this.#fences.raise(resources, fence) : { kind: "missing", resource: missing };
  }

  readFence(): FenceReading {
    return this.#quarantine() ?? { kind: "high_water", fence: this.#fences.highWater };
  }

  restoreFence({ fence }: Pick<RestoreFenceRequest, "fence">): RestoreFenceVote {
    const fault = this.#quarantine();
    if (fault !== null) return fault;
    this.#fences.restore(fence);
    return { kind: "restored" };
  }

  #quarantine(): Fault | null {
    const forMs = this.#barredUntil - this.#now();
    return forMs > 0 ? { kind: "quarantined", forMs, reason: "it has forgotten its votes" } : null;
  }

  /** The first key that is in the way. */
  #obstacle(resources: readonly string[], isOurs: (key: SimulatedKey) => boolean): Obstacle | null {
    for (const resource of resources) {
      const key = this.get(resource);
      if (key === null || isOurs(key)) continue;
      return {
        resource,
        holder: key.value === null ? null : this.#fingerprint(key.value),
        remainingMs: key.expiresAt === null ? null : key.expiresAt - this.#now(),
        foreignType: key.value === null ? key.type : null,
      };
    }
    return null;
  }

  #lengthen(resource: string, token: Token, ttlMs: number): void {
    const expiresAt = this.get(resource)?.expiresAt;
    // A key of this token that somebody made permanent gets an end again, as on Redis, where "no expiry" is less than any.
    const isLateEnough = typeof expiresAt === "number" && this.#now() + ttlMs <= expiresAt;
    if (expiresAt === undefined || isLateEnough) return;
    this.set(resource, token, ttlMs);
  }
}
