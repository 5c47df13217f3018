import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lockOf, makeRig, present } from "../../support/redlock-rig";
import { World, type WorldPlan } from "../../support/redlock-world";
import type { WorldFault } from "../../support/world-faults";

// R11: clocks of nodes that are set while locks are held, by no more than the bound that was promised.

/** Seed of this run; with it a failing one can be repeated. */
const SEED = 20_261_202;
const RUNS = 25;
const SPAN_MS = 600;
const CLOCK_ERROR_MS = 40;

const at = fc.integer({ min: 0, max: SPAN_MS });
const node = fc.nat(4);

/** Where the clock of a node stands from some moment on, against true time. */
interface Setting {
  readonly node: number;
  readonly at: number;
  readonly offset: number;
}

/** Any of the nodes, all of them included, any number of times, but never further off than the bound. */
const settingsOfClocks: fc.Arbitrary<readonly WorldFault[]> = fc
  .array(fc.record({ node, at, offset: fc.constantFrom(-CLOCK_ERROR_MS, CLOCK_ERROR_MS) }), {
    minLength: 20,
    maxLength: 60,
  })
  .map(stepsOf);

function stepsOf(settings: readonly Setting[]): readonly WorldFault[] {
  const offsets = new Map<number, number>();
  return [...settings]
    .sort((a, b) => a.at - b.at)
    .map(({ node: index, at: time, offset }) => {
      const byMs = offset - (offsets.get(index) ?? 0);
      offsets.set(index, offset);
      return { kind: "step", node: index, at: time, byMs };
    });
}

const otherFault = fc.oneof(
  fc.record({ kind: fc.constant("hang" as const), node, at, forMs: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant("lose" as const), node, at, forMs: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constant("flush" as const), node, at }),
);

const plan: fc.Arbitrary<WorldPlan> = fc.record({
  seed: fc.nat(0x7fff_ffff),
  // Node numbers wrap around at five, or the steps of two of them would add up on one.
  membership: fc.constant(5),
  clients: fc.constant(2),
  ttlMs: fc.constantFrom(120, 150, 200),
  spanMs: fc.constant(SPAN_MS),
  faults: fc
    .tuple(settingsOfClocks, fc.array(otherFault, { maxLength: 1 }))
    .map(([steps, others]) => [...steps, ...others]),
});

describe(`clocks set within ${CLOCK_ERROR_MS} ms of the true time (seed ${SEED}, ${RUNS} runs)`, () => {
  test("let two clients hold one lock when nobody was told of them, and never when clockErrorMs says so", async () => {
    let overlaps = 0;
    let grants = 0;
    const property = fc.asyncProperty(plan, async (given) => {
      overlaps += (await new World(given).run()).violations.length;
      const history = await new World({ ...given, clockErrorMs: CLOCK_ERROR_MS }).run();
      grants += history.grants;
      expect(history.violations).toEqual([]);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    expect(grants).toBeGreaterThan(RUNS);
    expect(overlaps).toBeGreaterThan(0);
  }, 120_000);
});

describe("a majority of clocks set forward by twice the bound, from behind to ahead", () => {
  /** Milliseconds for which the first holder believed in its lock when the second won it. */
  const overlapMs = async (settings: { clockErrorMs?: number }): Promise<number> => {
    const { clock, servers, engine, join } = makeRig(3, settings);
    for (const server of servers.slice(1)) server.stepClock(-CLOCK_ERROR_MS);
    const first = lockOf(await clock.until(engine.tryAcquire(["r"], 200)));
    for (const server of servers.slice(1)) server.stepClock(2 * CLOCK_ERROR_MS);
    const rival = join({ retryCount: -1, retryDelay: 1, retryJitter: 0 });
    const second = await clock.until(rival.engine.acquire(["r"], 200));
    const heldMs = first.remaining();
    await clock.until(second.release());
    return heldMs;
  };

  test("lets a second holder in too early, and just not too early with clockErrorMs", async () => {
    expect(await overlapMs({})).toBeGreaterThan(70);
    expect(await overlapMs({ clockErrorMs: CLOCK_ERROR_MS * 0.9 })).toBeGreaterThan(0);
    expect(await overlapMs({ clockErrorMs: CLOCK_ERROR_MS })).toBe(0);
  });
});

describe("clockErrorMs", () => {
  test("is taken off twice, at the acquire and at every extension; by default nothing is", async () => {
    const validities = async (settings: { clockErrorMs?: number }) => {
      const { engine, clock } = makeRig(3, settings);
      const startedAt = clock.now();
      const lock = lockOf(await clock.until(engine.tryAcquire(["r"], 1000)));
      const acquired = clock.now() - startedAt + lock.remaining();
      const askedAt = clock.now();
      const outcome = await clock.until(engine.tryExtend(lock, 2000));
      const extended = clock.now() - askedAt + present(outcome.kind === "extended" ? outcome.validityMs : null);
      return [acquired, extended];
    };
    expect(await validities({})).toEqual([988, 1978]);
    expect(await validities({ clockErrorMs: 100 })).toEqual([788, 1778]);
  });

  test("refuses a ttl of which it leaves nothing, before any node is asked", async () => {
    const { engine, clock, links } = makeRig(3, { clockErrorMs: 100 });
    const sent = (): number => links.reduce((sum, link) => sum + link.sent.acquire + link.sent.extend, 0);
    await expect(engine.tryAcquire(["r"], 204)).rejects.toThrow(
      "ttlMs must be longer, got 204: 204.04 ms are taken off for clocks (clockErrorMs is 100)",
    );
    await expect(engine.acquire(["r"], 100)).rejects.toThrow(RangeError);
    expect(sent()).toBe(0);
    const lock = await clock.until(engine.acquire(["r"], 1000));
    const before = sent();
    await expect(engine.tryExtend(lock, 200)).rejects.toThrow("clockErrorMs is 100");
    await expect(lock.extend(200)).rejects.toThrow("clockErrorMs is 100");
    expect(() => engine.keepAlive(lock, 200)).toThrow("clockErrorMs is 100");
    expect(sent()).toBe(before);
  });

  test("is not made by an engine that could grant nothing, nor by one call", async () => {
    expect(() => makeRig(3, { clockErrorMs: -1 })).toThrow("clockErrorMs must be a number from 0");
    expect(() => makeRig(3, { clockErrorMs: 100, maxTtlMs: 200 })).toThrow("clockErrorMs");
    const { engine } = makeRig(3);
    await expect(engine.tryAcquire(["r"], 1000, { clockErrorMs: 5 } as object)).rejects.toThrow(
      "clockErrorMs must be set for the engine",
    );
  });
});
