import type { NodeId } from "@/lib/redlock";
import { VAGUE_MS } from "./server-time";

/** A node whose clock is further than this from the others' loses or keeps keys at the wrong time, milliseconds. */
export const CLOCK_TOLERANCE_MS = 500;

/**
 * The clocks of one membership against each other.
 *
 * A key expires by its node's wall clock: a step forward is a key lost early. The median of the nodes is the measure, not our own
 * clock, so that a client with a wrong clock does not bar everybody. Source: `safety.md`, R11, traps 5 and 6.
 */
export class Clocks {
  /** Node's clock minus our monotonic clock, milliseconds. */
  readonly #offsets = new Map<NodeId, number>();

  /** @param offset a vague one is ignored: a slow answer must not look like a wrong clock */
  report(node: NodeId, { ms, errorMs }: { readonly ms: number; readonly errorMs: number }): void {
    if (errorMs <= VAGUE_MS) this.#offsets.set(node, ms);
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
    return Math.abs(this.deviationOf(node)) > CLOCK_TOLERANCE_MS;
  }
}
