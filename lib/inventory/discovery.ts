import type { DiscoveryAnswer } from "@/lib/contract";
import { discover, globMatcher, type KeyGroup, type Layouts, patternsLine, type Sample } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import { lookFor, type NodeSample, sampleNode } from "./node-sample";

/** More groups than this nobody reads. */
const GROUPS_MAX = 200;

export interface DiscoveryOptions {
  readonly masters: readonly Master[];
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly wallClock: () => number;
  readonly layouts: Layouts;
  /** As the operator set them; null when not. */
  readonly patternsSet: readonly string[] | null;
  /** The console reads the keys that fit one of these. */
  readonly patternsRead: readonly string[];
}

/** Finds out where locks are: samples the keys of every node, groups them, and judges the groups. Changes nothing. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #underWay: Promise<DiscoveryAnswer> | null = null;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Samples now, in some seconds at most; while that is under way others share it. Never rejects because of a node. */
  run(): Promise<DiscoveryAnswer> {
    this.#underWay ??= this.#sampleAll().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #sampleAll(): Promise<DiscoveryAnswer> {
    const { masters, clock, wallClock, layouts, patternsSet, patternsRead } = this.#options;
    const nodes = await Promise.all(masters.map((master) => sampleNode(master, clock)));
    const samples = [...nodes.flatMap(samplesOf), ...(await this.#compare(nodes))];
    const matchers = patternsRead.map(globMatcher);
    const groups = discover(samples, layouts, (key) => matchers.some((matches) => matches(key)));
    const shown = groups.slice(0, GROUPS_MAX);
    return {
      readAt: Math.round(wallClock()),
      nodes: nodes.map(({ master, sampled, of, complete, reason }) => ({
        node: master.id,
        sampled,
        of,
        complete,
        reason,
      })),
      groups: shown.map(shownGroup),
      moreGroups: groups.length - shown.length,
      patterns: patternsLine(shown, patternsSet),
      current: patternsSet === null ? null : [...patternsSet],
    };
  }

  /** Asks nodes that were not read to the end for the locks of others, and for what only agreement could tell to be one. */
  async #compare(nodes: readonly NodeSample[]): Promise<readonly Sample[]> {
    const { clock, layouts } = this.#options;
    const wanted = new Set<string>();
    for (const { sightings } of nodes) {
      for (const sighting of sightings) {
        const mayAgree = sighting.value !== null && sighting.hasExpiry;
        if (mayAgree || layouts.identify(sighting) !== null) wanted.add(sighting.key);
      }
    }
    const found = await Promise.all(
      nodes
        .filter(({ complete, reason }) => !complete && reason === null)
        .map(async ({ master, sightings }) => {
          const own = new Set(sightings.map(({ key }) => key));
          const asked = [...wanted].filter((key) => !own.has(key));
          return (await lookFor(master, asked, clock)).map((sighting) => ({ node: master.id, sighting }));
        }),
    );
    return found.flat();
  }
}

function samplesOf({ master, sightings }: NodeSample): readonly Sample[] {
  return sightings.map((sighting) => ({ node: master.id, sighting }));
}

function shownGroup({ confidence, reasons, nodes, examples, ...group }: KeyGroup): DiscoveryAnswer["groups"][number] {
  return {
    ...group,
    nodes: [...nodes],
    examples: [...examples],
    looksLikeLock: confidence ?? "no",
    why: [...reasons],
  };
}
