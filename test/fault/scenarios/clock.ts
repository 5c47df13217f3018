// Clocks that are put forward or back: a node's, by the shim, and the client's own.

import type { FaultNode } from "../fault-nodes";
import { exclusion, notLive, ok, refusedWith, type Scenario, shown, violated } from "../scenario";
import { acquireSoon, afterThreeVotes, nodeAt, threeVotes, tryUntilGranted } from "../scenario-steps";

const HOUR_MS = 3_600_000;

const clockAhead: Scenario = {
  name: "a voter's clock jumps ahead by 10 s",
  says: "three of five nodes hold the lock; by the clock of one of them it has expired",
  ttlMs: 3000,
  needsShim: true,
  play: (stage) => afterThreeVotes(stage, async (voter) => stepClock(voter, 10_000)),
};

const clockBehind: Scenario = {
  name: "a voter's clock goes back by 1 h, two other nodes die",
  says: "two nodes are free again after the ttl, and the third of those that are left keeps its key for an hour",
  ttlMs: 1000,
  needsShim: true,
  async play(stage) {
    const lock = await threeVotes(stage);
    if (lock === null) return notLive("never got it");
    stepClock(nodeAt(stage.nodes, 2), -HOUR_MS);
    await Promise.all(stage.nodes.slice(3).map(({ server }) => server.kill()));
    const tried = await tryUntilGranted(stage.b, stage.ttlMs, 4 * stage.ttlMs);
    return tried.lock === null ? refusedWith(tried, /its clock is [\d.]+ s behind/) : exclusion(lock, tried);
  },
};

function stepClock({ shim }: FaultNode, aheadMs: number): void {
  if (shim === null) throw new TypeError("the node was started without the shim");
  shim.stepClock(aheadMs);
}

const clientClockBack: Scenario = {
  name: "the client's own clock goes back",
  says: "the wall clock of the holder's machine is set back by 10 s while it holds",
  ttlMs: 1000,
  async play({ a, b, ttlMs }) {
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    const other = await acquireSoon(b, ttlMs, 3 * ttlMs);
    if (other === null) return notLive("nobody else could take it");
    const real = Date.now;
    Date.now = () => real() - 10_000;
    const leftMs = lock.remainingMs();
    Date.now = real;
    return leftMs > 0 ? violated(`believes in ${shown(leftMs)} more`) : ok();
  },
};

/** Scripted faults of clocks. */
export const CLOCK_SCENARIOS: readonly Scenario[] = [clockAhead, clockBehind, clientClockBack];
