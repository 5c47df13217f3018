import type { AcquireVote, FenceProposal, RaiseFenceVote } from "../ports";

/** The fence counters of one simulated server. Like a real one's, but that they never expire and no clock of a server is checked. */
export class SimulatedFences {
  readonly #byResource = new Map<string, number>();
  #highWater: number | null = null;

  /** Highest fence ever issued; null when it has no counters. */
  get highWater(): number | null {
    return this.#highWater;
  }

  issue(resources: readonly string[], { fence: proposed, limit }: FenceProposal): AcquireVote {
    const highWater = this.#highWater;
    if (highWater === null) return { kind: "error", reason: "has no fence counters", lacksFence: true };
    const reached = Math.max(...resources.map((resource) => this.#byResource.get(resource) ?? highWater));
    const fence = Math.max(proposed, reached + 1);
    if (fence > limit) return { kind: "error", reason: "its fence counters are ahead of this client's clock" };
    this.#set(resources, fence);
    return { kind: "granted", fence };
  }

  raise(resources: readonly string[], fence: number): RaiseFenceVote {
    if (this.#highWater === null) return { kind: "error", reason: "has no fence counters", lacksFence: true };
    this.#set(resources, fence);
    return { kind: "raised" };
  }

  restore(fence: number): void {
    this.#highWater ??= fence;
  }

  #set(resources: readonly string[], fence: number): void {
    for (const resource of resources) {
      this.#byResource.set(resource, Math.max(fence, this.#byResource.get(resource) ?? 0));
    }
    this.#highWater = Math.max(fence, this.#highWater ?? 0);
  }
}
