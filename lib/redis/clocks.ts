import type { NodeId } from "@/lib/redlock";

/** A node whose clock is further than this from the others' loses or keeps keys at the wrong time, milliseconds; unless said otherwise. */
const CLOCK_TOLERANCE_MS = 500;

/**
 * The clocks of one membership against each other.
 *
 * A key expires by its node's wall clock: a step forward is a key lost early. The median of the nodes is the measure, not our own
 * clock, so that a client with a wrong clock does not bar everybody. Source: `safety.md`, R11, traps 5 and 6.
 */
export class Clocks {
  /** How far a clock may be from the median, milliseconds. */
  readonly toleranceMs: number;
  /** Node's clock minus our monotonic clock, milliseconds. */
  readonly #offsets = new Map<NodeId, number>();

  /** @param clockErrorMs as the engine's setting; 0 = not set */
  constructor(clockErrorMs = 0) {
    this.toleranceMs = clockErrorMs > 0 ? clockErrorMs : CLOCK_TOLERANCE_MS;
  }

  /** @param offset a vague one is ignored: a slow answer must not look like a wrong clock */
  report(node: NodeId, { ms, errorMs }: { readonly ms: number; readonly errorMs: number }): void {
    if (errorMs <= this.vagueMs) this.#offsets.set(node, ms);
  }

  /** A reading that may be wrong by more says too little about a clock, milliseconds. */
  get vagueMs(): number {
    return this.toleranceMs / 2;
  }

  /** How far the node's clock is ahead of the median, milliseconds; 0 while fewer than three are known: nobody could say whose is wrong. */
  deviationOf(node: NodeId): number {
    const own = this.#offsets.get(node);
    const sorted = [...this.#offsets.values()].sort((a, b) => a - b);
    if (own === undefined || sorted.length < 3) return 0;
    const upper = sorted[sorted.length >> 1] ?? own;
    const lower = sorted[(sorted.length - 1) >> 1] ?? own;
    return own - (lower + upper) / 2;
  }

  /** Whether the node's votes must not count for its clock. */
  isWrong(node: NodeId): boolean {
    return Math.abs(this.deviationOf(node)) > this.toleranceMs;
  }
}
