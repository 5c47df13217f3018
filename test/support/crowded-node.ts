import type { MasterNode } from "@/lib/redis";
import type { LockNode } from "@/lib/redlock";
import { tokenOf } from "./lock-node-harness";

/** Releases of nobody's lock, so that what is asked between two of them is never alone. */
const FILLER = { resources: ["nobody's"], token: tokenOf(9), keepTryingForMs: 0 };

/** The same node, but every request of a lock travels to the server in the middle of others. */
export function crowded(node: MasterNode): LockNode {
  const amid = <Vote>(ask: () => Promise<Vote>): Promise<Vote> => {
    for (let times = 0; times < 2; times += 1) void node.release(FILLER);
    const vote = ask();
    void node.release(FILLER);
    return vote;
  };
  return {
    id: node.id,
    handOver: node.handOver,
    acquire: (request) => amid(() => node.acquire(request)),
    extend: (request) => amid(() => node.extend(request)),
    heal: (request) => amid(() => node.heal(request)),
    release: (request) => amid(() => node.release(request)),
    raiseFence: (request) => amid(() => node.raiseFence(request)),
    readFence: () => amid(() => node.readFence()),
    restoreFence: (request) => amid(() => node.restoreFence(request)),
  };
}
