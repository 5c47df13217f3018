// Loaded with a mutated engine beneath it: everything here, the simulation included, runs on that engine.

import { SeededRandom } from "@/lib/redlock";
import { World, type WorldPlan } from "../support/redlock-world";
import type { WorldFault } from "../support/world-faults";

export { DIRECTED } from "./directed";

const SPAN_MS = 1500;
const FAULTS_MAX = 14;

/** The plan of a seed; kinds, times and lengths of its faults as in the property test of the engine. */
export function planOf(seed: number): WorldPlan {
  const random = new SeededRandom(seed);
  const below = (limit: number): number => Math.floor(limit * random.fraction());
  const oneOf = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0];
  const membership = oneOf([3, 4, 5]);
  const ttlMs = oneOf([60, 200, 500]);
  const faults = Array.from({ length: below(FAULTS_MAX) }, (): WorldFault => {
    const place = { node: below(membership), client: below(3), at: below(SPAN_MS) };
    const forMs = 1 + below(900);
    const kind = oneOf(["hang", "crash", "hole", "reset", "slow", "pause", "forget"] as const);
    return { ...place, kind, forMs, byMs: 1 + below(120) } as WorldFault;
  });
  return { seed, membership, clients: 3, ttlMs, spanMs: SPAN_MS, faults };
}

/** What one seed shows to be broken, in words; nothing for a sound engine. */
export async function brokenBySeed(seed: number): Promise<readonly string[]> {
  const world = new World(planOf(seed));
  try {
    const { violations } = await world.run();
    if (violations.length > 0) return violations;
    return (await world.recovers()) ? [] : ["a free lock is not granted, or a key is left, after the faults"];
  } catch (error) {
    return [`the engine never settles or breaks: ${error instanceof Error ? error.message : error}`];
  }
}
