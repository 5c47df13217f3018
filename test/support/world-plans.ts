import fc from "fast-check";
import type { WorldPlan } from "./redlock-world";

/** How long schedules are, and how much goes wrong in them. */
interface Size {
  readonly spanMs: number;
  readonly faultsMax: number;
  /** For faults that end by themselves. */
  readonly forMsMax: number;
  readonly memberships: readonly number[];
  readonly clients: readonly number[];
  readonly ttlsMs: readonly number[];
  /** With clocks that are set, locks must end sooner to be won often enough. */
  readonly fencedTtlsMs: readonly number[];
}

/** About eleven grants each: what takes several holders to go wrong. */
const LONG: Size = {
  spanMs: 1500,
  faultsMax: 14,
  forMsMax: 900,
  memberships: [1, 3, 4, 5],
  clients: [2, 3],
  ttlsMs: [60, 200, 500],
  fencedTtlsMs: [20, 60, 200],
};

/** About three grants each: nearly all that breaks an engine breaks it here too, for a sixth of the work. */
const SHORT: Size = {
  spanMs: 100,
  faultsMax: 3,
  forMsMax: 60,
  memberships: [3, 3, 4, 5],
  clients: [2],
  ttlsMs: [30, 60],
  fencedTtlsMs: [20, 30],
};

const node = fc.nat(6);
const client = fc.nat(2);
const byMs = fc.integer({ min: 1, max: 120 });

function timesOf({ spanMs, forMsMax }: Size) {
  return { at: fc.integer({ min: 0, max: spanMs }), forMs: fc.integer({ min: 1, max: forMsMax }) };
}

/** What both kinds of plans have. */
function commonFaults(size: Size) {
  const { at, forMs } = timesOf(size);
  return [
    fc.record({ kind: fc.constant("hang" as const), node, at, forMs }),
    fc.record({ kind: fc.constant("hole" as const), node, client, at, forMs }),
    fc.record({ kind: fc.constant("reset" as const), node, client, at }),
    fc.record({ kind: fc.constant("pause" as const), client, at, forMs }),
  ] as const;
}

/** Runs with random faults, as data: fast-check makes a failing one smaller. What mutual exclusion must bear. */
function faultPlansOf(size: Size): fc.Arbitrary<WorldPlan> {
  const { at, forMs } = timesOf(size);
  const fault = fc.oneof(
    ...commonFaults(size),
    fc.record({ kind: fc.constant("crash" as const), node, at, forMs }),
    fc.record({ kind: fc.constant("lose" as const), node, at, forMs }),
    fc.record({ kind: fc.constant("flush" as const), node, at }),
    fc.record({ kind: fc.constant("slow" as const), node, client, at, forMs, byMs }),
    fc.record({ kind: fc.constant("forget" as const), node, at }),
  );
  return fc.record({
    seed: fc.nat(0x7fff_ffff),
    membership: fc.constantFrom(...size.memberships),
    clients: fc.constantFrom(...size.clients),
    ttlMs: fc.constantFrom(...size.ttlsMs),
    spanMs: fc.constant(size.spanMs),
    faults: fc.array(fault, { maxLength: size.faultsMax }),
  });
}

// One node loses its memory, however often: with fewer than a quorum at a time the others remember. Its clock is right, or it would
// vote too early.
const forgetful = fc.constant(0);
const wrong = fc.constantFrom(1, 2);

/** Runs that ask for fencing tokens while the clocks of nodes jump, with which two clients may hold at once. */
function stepPlansOf(size: Size): fc.Arbitrary<WorldPlan> {
  const { at, forMs } = timesOf(size);
  const fault = fc.oneof(
    ...commonFaults(size),
    fc.record({ kind: fc.constant("step" as const), node: wrong, at, byMs: fc.integer({ min: -400, max: 2000 }) }),
    fc.record({ kind: fc.constant("lose" as const), node: forgetful, at, forMs }),
    fc.record({ kind: fc.constant("flush" as const), node: forgetful, at }),
  );
  return fc.record({
    seed: fc.nat(0x7fff_ffff),
    membership: fc.constantFrom(...size.memberships.filter((nodes) => nodes > 1)),
    clients: fc.constantFrom(...size.clients),
    ttlMs: fc.constantFrom(...size.fencedTtlsMs),
    spanMs: fc.constant(size.spanMs),
    faults: fc.array(fault, { minLength: 1, maxLength: size.faultsMax }),
    fencing: fc.constantFrom("frozen", "frozen", "skewed"),
  });
}

/** The plans, with fair locks among them, of whose hand-overs words may be lost. */
function fairly(plans: fc.Arbitrary<WorldPlan>, size: Size): fc.Arbitrary<WorldPlan> {
  const mute = fc.record({ kind: fc.constant("mute" as const), node, client, ...timesOf(size) });
  return fc
    .record({
      plan: plans,
      fair: fc.constantFrom("all" as const, "some" as const),
      mutes: fc.array(mute, { maxLength: 3 }),
    })
    .map(({ plan, fair, mutes }) => ({ ...plan, fair, faults: [...plan.faults, ...mutes] }));
}

export const faultPlans = faultPlansOf(LONG);
export const stepPlans = stepPlansOf(LONG);
export const shortFaultPlans = faultPlansOf(SHORT);
export const shortStepPlans = stepPlansOf(SHORT);
export const fairPlans = fairly(faultPlans, LONG);
export const fairStepPlans = fairly(stepPlans, LONG);
export const shortFairPlans = fairly(shortFaultPlans, SHORT);
export const shortFairStepPlans = fairly(shortStepPlans, SHORT);
