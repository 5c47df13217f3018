import type { NodeId } from "@/lib/redlock";
import type { Master } from "./master";

/**
 * Which server stands behind each node of one membership, by its run_id.
 *
 * Two names for one server (an alias, another database, a proxy) would give it two votes: one crash loses both, and with other
 * databases two clients can both win. The node named first keeps its vote. Source: `safety.md`, R3, trap 23.
 */
export class ServerIds {
  /** In the order of configuration. */
  readonly #runIds = new Map<NodeId, string | null>();

  register(node: NodeId): void {
    this.#runIds.set(node, null);
  }

  report(node: NodeId, runId: string | null): void {
    this.#runIds.set(node, runId);
  }

  /** The node named earlier that is the same server; null when there is none. */
  twinOf(node: NodeId): NodeId | null {
    const runId = this.#runIds.get(node);
    if (runId === null || runId === undefined) return null;
    for (const [other, otherRunId] of this.#runIds) {
      if (other === node) return null;
      if (otherRunId === runId) return other;
    }
    return null;
  }
}

/** One node that is the same server as another. */
export interface Duplicate {
  readonly node: NodeId;
  readonly twin: NodeId;
  /** A sentence with the next step. */
  readonly fault: string;
}

/** Nodes that are the same server as one named before them, as far as the servers have told their run_id. */
export function duplicatesOf(masters: Iterable<Master>): readonly Duplicate[] {
  const first = new Map<string, NodeId>();
  const duplicates: Duplicate[] = [];
  for (const master of masters) {
    const { runId } = master.status();
    if (runId === null) continue;
    const twin = first.get(runId);
    if (twin === undefined) first.set(runId, master.id);
    else {
      const fault = `Nodes ${twin} and ${master.id} are the same server: name another master instead of ${master.id}.`;
      duplicates.push({ node: master.id, twin, fault });
    }
  }
  return duplicates;
}
