import type { EmbeddedCluster } from "@/lib/cluster";
import { IncidentWatch } from "@/lib/incidents";
import { Discovery, Inventory } from "@/lib/inventory";
import type { Layouts } from "@/lib/layouts";
import type { Holdings } from "@/lib/operations";
import { type Master, systemClock } from "@/lib/redis";
import type { Config } from "./env";
import { log } from "./log";

/** The live mirror of the masters. */
export function inventoryOf(
  config: Config,
  parts: {
    readonly masters: readonly Master[];
    readonly embedded: EmbeddedCluster | null;
    readonly holdings: Holdings;
    readonly incidents: IncidentWatch;
    readonly layouts: Layouts;
  },
): Inventory {
  return new Inventory({
    masters: parts.masters,
    clock: systemClock,
    wallClock: Date.now,
    patterns: patternsRead(config),
    layouts: parts.layouts,
    // On servers that others use too, an ordinary key is not a lock; what an operator asked for by pattern is shown.
    listsEverything: parts.embedded !== null || config.keyPatterns !== null,
    ownedByConsole: (resource) => parts.holdings.ownedByConsole(resource),
    isOwn: (fingerprint) => parts.holdings.isOwn(fingerprint),
    maxTtlMs: config.refusesLongerTtl ? config.maxTtlMs : null,
    incidents: parts.incidents,
  });
}

/** Watches for second holders, and says so in the log. */
export function incidentsOf(masters: readonly Master[]): IncidentWatch {
  const nodes = () => masters.map((master) => ({ ...master.status(), node: master.id }));
  const incidents = new IncidentWatch({ nodes, since: Date.now() });
  incidents.onIncident(({ lock, cause, overlapMs }) =>
    log("warn", "Two tokens held a lock at the same time.", { resource: lock.resource, cause: cause.text, overlapMs }),
  );
  return incidents;
}

/** The sampling of all keys on request. */
export function discoveryOf(config: Config, masters: readonly Master[], layouts: Layouts): Discovery {
  const patterns = { patternsSet: config.keyPatterns, patternsRead: patternsRead(config) };
  return new Discovery({ masters, clock: systemClock, wallClock: Date.now, layouts, ...patterns });
}

function patternsRead({ keyPatterns, layouts }: Config): readonly string[] {
  // An operator who describes a layout wants to see its keys.
  return keyPatterns === null ? ["*"] : [...new Set([...keyPatterns, ...layouts.map(({ pattern }) => pattern)])];
}
