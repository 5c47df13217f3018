import fc from "fast-check";
import type { WorldPlan } from "./redlock-world";

const SPAN_MS = 1500;
const FAULTS_MAX = 14;

const at = fc.integer({ min: 0, max: SPAN_MS });
const forMs = fc.integer({ min: 1, max: 900 });
const node = fc.nat(6);
const client = fc.nat(2);

const hang = fc.record({ kind: fc.constant("hang" as const), node, at, forMs });
const hole = fc.record({ kind: fc.constant("hole" as const), node, client, at, forMs });
const reset = fc.record({ kind: fc.constant("reset" as const), node, client, at });
const pause = fc.record({ kind: fc.constant("pause" as const), client, at, forMs });
const byMs = fc.integer({ min: 1, max: 120 });

/** What mutual exclusion must bear. */
const fault = fc.oneof(
  hang,
  hole,
  reset,
  pause,
  fc.record({ kind: fc.constant("crash" as const), node, at, forMs }),
  fc.record({ kind: fc.constant("lose" as const), node, at, forMs }),
  fc.record({ kind: fc.constant("flush" as const), node, at }),
  fc.record({ kind: fc.constant("slow" as const), node, client, at, forMs, byMs }),
  fc.record({ kind: fc.constant("forget" as const), node, at }),
);

/** Runs with random faults, as data: fast-check makes a failing one smaller. */
export const faultPlans: fc.Arbitrary<WorldPlan> = fc.record({
  seed: fc.nat(0x7fff_ffff),
  membership: fc.constantFrom(1, 3, 4, 5),
  clients: fc.constantFrom(2, 3),
  ttlMs: fc.constantFrom(60, 200, 500),
  spanMs: fc.constant(SPAN_MS),
  faults: fc.array(fault, { maxLength: FAULTS_MAX }),
});

// One node loses its memory, however often: with fewer than a quorum at a time the others remember. Its clock is right, or it would
// vote too early.
const forgetful = fc.constant(0);
const wrong = fc.constantFrom(1, 2);

/** What fences must bear: also clocks that are set, with which two clients may hold at once. */
const stepFault = fc.oneof(
  hang,
  hole,
  reset,
  pause,
  fc.record({ kind: fc.constant("step" as const), node: wrong, at, byMs: fc.integer({ min: -400, max: 2000 }) }),
  fc.record({ kind: fc.constant("lose" as const), node: forgetful, at, forMs }),
  fc.record({ kind: fc.constant("flush" as const), node: forgetful, at }),
);

/** Runs that ask for fencing tokens while the clocks of nodes jump. */
export const stepPlans: fc.Arbitrary<WorldPlan> = fc.record({
  seed: fc.nat(0x7fff_ffff),
  membership: fc.constantFrom(3, 4, 5),
  clients: fc.constantFrom(2, 3),
  ttlMs: fc.constantFrom(20, 60, 200),
  spanMs: fc.constant(SPAN_MS),
  faults: fc.array(stepFault, { minLength: 1, maxLength: FAULTS_MAX }),
  fencing: fc.constantFrom("frozen", "frozen", "skewed"),
});
