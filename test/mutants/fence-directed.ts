import { lockOf, makeRig, type Rig, WALL_START_MS } from "../support/redlock-rig";
import type { DirectedCheck } from "./directed";

const R = ["r"];
const TTL_MS = 1000;

/** Fence of the first millisecond of a rig; the clients' clocks are behind it, so that only the counters keep order. */
const START = (WALL_START_MS - 1_577_836_800_000) * 4096;
const BEHIND_MS = -5 * 60_000;

type Client = ReturnType<Rig["join"]>;

/** Three nodes whose counters stand at `START` and so much more, and two clients. */
function fencedRig(...above: readonly number[]): {
  readonly rig: Rig;
  readonly first: Client;
  readonly second: Client;
} {
  const rig = makeRig(3);
  for (const [index, server] of rig.servers.entries())
    server.store.restoreFence({ fence: START + (above[index] ?? 0) });
  const settings = { fencing: true, retryCount: 0 };
  return { rig, first: rig.join(settings, BEHIND_MS), second: rig.join(settings, BEHIND_MS) };
}

async function fenceOf(rig: Rig, { engine }: Client): Promise<number> {
  const lock = lockOf(await rig.clock.until(engine.tryAcquire(R, TTL_MS)));
  await rig.clock.until(lock.release());
  return lock.fencingToken ?? 0;
}

function unordered(earlier: number, later: number): string | null {
  return later > earlier ? null : `a later lock has fence ${later - START}, after ${earlier - START}`;
}

/** Scenes of fencing tokens; by name, as the list of mutants refers to them. */
export const FENCE_DIRECTED = {
  "a fence outlives the nodes that did not issue it": async () => {
    const { rig, first, second } = fencedRig(0, 10, 0);
    first.links[2]?.hold();
    const earlier = await fenceOf(rig, first);
    second.links[1]?.hold();
    return unordered(earlier, await fenceOf(rig, second));
  },

  "a fence is written back only to the holder": async () => {
    const { rig, first, second } = fencedRig(0, 10, 10);
    first.links[2]?.hold();
    const acquiring = first.engine.tryAcquire(R, TTL_MS);
    // The grants are in, and the write-back to the first node is on its way when the clocks of two nodes are put forward.
    await rig.clock.advance(1.2);
    first.links[0]?.hold();
    for (const server of rig.servers.slice(0, 2)) server.stepClock(2 * TTL_MS);
    second.links[1]?.hold();
    const young = lockOf(await rig.clock.until(second.engine.tryAcquire(R, TTL_MS)));
    first.links[0]?.deliver();
    const outcome = await rig.clock.until(acquiring);
    if (outcome.kind !== "acquired") return null;
    return outcome.lock.fencingToken === young.fencingToken ? "two locks have one fence" : null;
  },

  "lost counters are recovered from the others": async () => {
    const { rig, first, second } = fencedRig(0, 10, 0);
    first.links[2]?.hold();
    const earlier = await fenceOf(rig, first);
    rig.servers[0]?.store.clear();
    // It remembers, but cannot vote for the second client.
    rig.servers[1]?.store.set("r", "somebody else", TTL_MS);
    return unordered(earlier, await fenceOf(rig, second));
  },
} as const satisfies Readonly<Record<string, DirectedCheck>>;
