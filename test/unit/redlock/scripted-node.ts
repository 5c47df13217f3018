import {
  type AcquireVote,
  asFingerprint,
  type LockNode,
  nodeId,
  type RaiseFenceVote,
  type ReleaseRequest,
  type Token,
} from "@/lib/redlock";

/** How a scripted node treats an acquire. */
export type Behaviour = "grant" | "refuse" | "fault" | "silent";

/** A node whose vote is written down, and that remembers what it was asked. */
export class ScriptedNode implements LockNode {
  readonly id;
  readonly acquired: Token[] = [];
  readonly released: ReleaseRequest[] = [];
  #behaviour: Behaviour;

  constructor(name: string, behaviour: Behaviour) {
    this.id = nodeId(name);
    this.#behaviour = behaviour;
  }

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
  }

  acquire({ token }: { readonly token: Token }): Promise<AcquireVote> {
    this.acquired.push(token);
    switch (this.#behaviour) {
      case "grant":
        return Promise.resolve({ kind: "granted" });
      case "refuse": {
        const holder = asFingerprint("8f3a91c2");
        return Promise.resolve({ kind: "refused", resource: "r", holder, remainingMs: 1200, foreignType: null });
      }
      case "fault":
        return Promise.resolve({ kind: "error", reason: "OOM command not allowed" });
      case "silent":
        return new Promise(() => {});
      default:
        return this.#behaviour satisfies never;
    }
  }

  extend(): Promise<{ readonly kind: "extended" }> {
    return Promise.resolve({ kind: "extended" });
  }

  heal(): Promise<{ readonly kind: "healed" }> {
    return Promise.resolve({ kind: "healed" });
  }

  release(request: ReleaseRequest): Promise<{ readonly kind: "gone" }> {
    this.released.push(request);
    return Promise.resolve({ kind: "gone" });
  }

  raiseFence(): Promise<RaiseFenceVote> {
    return Promise.resolve({ kind: "raised" });
  }

  readFence(): Promise<{ readonly kind: "high_water"; readonly fence: number }> {
    return Promise.resolve({ kind: "high_water", fence: 0 });
  }

  restoreFence(): Promise<{ readonly kind: "restored" }> {
    return Promise.resolve({ kind: "restored" });
  }
}
