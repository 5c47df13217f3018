import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AuditLog, FileAuditLog } from "@/lib/audit";
import { type EmbeddedCluster, startEmbeddedCluster } from "@/lib/cluster";
import type { Cluster } from "@/lib/contract";
import type { IncidentWatch } from "@/lib/incidents";
import type { Discovery, Inventory } from "@/lib/inventory";
import { Demonstration, Lab } from "@/lib/lab";
import { layoutsWith } from "@/lib/layouts";
import { createOperations, Holdings, type Operations } from "@/lib/operations";
import { createMasters, type Guard, type Master, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine, TTL_MS_MAX } from "@/lib/redlock";
import { BootError } from "./boot-error";
import { clusterOf } from "./cluster-view";
import { endInOrder, once } from "./ending";
import { type Config, isLoopback } from "./env";
import { EventHub } from "./event-hub";
import { admitOwnCluster, announceGuard, guardOf } from "./guard";
import { log } from "./log";
import { discoveryOf, incidentsOf, inventoryOf } from "./readings";

/** Everything long-lived, put together once per process. */
export interface Runtime {
  readonly config: Config;
  readonly inventory: Inventory;
  readonly discovery: Discovery;
  readonly operations: Operations;
  readonly audit: AuditLog;
  readonly incidents: IncidentWatch;
  readonly lab: Lab;
  readonly events: EventHub;
  /** Fires when the console ends: streams must close, or the server would wait for them. */
  readonly shutdownSignal: AbortSignal;
  /** For the guard against other sites. */
  readonly originPolicy: { readonly loopbackOnly: boolean; isLoopback(host: string): boolean };
  /** Nodes and quorum health, from what is known. */
  cluster(): Cluster;
  /** Ends everything in order, in bounded time; a second call waits for the first. */
  shutdown(): Promise<void>;
}

/** How long the first connections may take before the console answers all the same, milliseconds. */
const CONNECT_MS_MAX = 1500;

/**
 * Builds the console from its configuration. Masters that cannot be reached are no failure: the pages say so.
 *
 * @throws BootError with a sentence for the operator
 */
export async function compose(config: Config): Promise<Runtime> {
  const audit = await openAudit(config);
  let embedded: EmbeddedCluster | null = null;
  try {
    embedded = config.nodes === null ? await startCluster(config) : null;
    return await assemble(config, audit, embedded);
  } catch (error) {
    await Promise.allSettled([embedded?.stop(), audit.close()]);
    throw error;
  }
}

async function assemble(config: Config, audit: AuditLog, embedded: EmbeddedCluster | null): Promise<Runtime> {
  const urls = embedded === null ? (config.nodes ?? []) : embedded.nodes.map(({ url }) => url);
  const { masters, guard } = connect(urls, config, embedded);
  const maxTtlMs = config.refusesLongerTtl ? config.maxTtlMs : TTL_MS_MAX;
  const engine = engineOf(masters, config, maxTtlMs);
  const [holdings, lab] = [new Holdings(), labOf(config)];
  const incidents = incidentsOf(masters);
  const layouts = layoutsWith(config.layouts);
  const inventory = inventoryOf(config, { masters, embedded, holdings, incidents, layouts });
  const demonstration = embedded === null ? null : demonstrationOf(config, urls, guard);
  const cluster = (): Cluster => clusterOf({ config, guard, masters, embedded, demonstration, scan: inventory.scan() });
  const events = new EventHub({
    clock: systemClock,
    inventory,
    cluster,
    incidents,
    onClusterChange: (listener) => onAnyChange([...masters, embedded, demonstration], listener),
  });
  const operations = createOperations({
    masters,
    engine,
    inventory,
    layouts,
    audit,
    holdings,
    isReadOnly: config.readOnly,
    isGuarded: guard.mode !== "off",
    maxTtlMs,
    faults: embedded,
    demonstration,
    lab,
    wallClock: Date.now,
    newId: randomUUID,
    newToken: () => systemRandom.token(),
    onAction: (entry) => {
      inventory.noteAction(entry);
      events.noteAction(entry);
    },
    onAuditFailure: (error) => log("error", "An outcome could not be recorded.", {}, error),
  });
  await connected(masters);
  announceGuard(guard, config);
  if (embedded !== null && guard.mode !== "off") await admitOwnCluster(masters);
  await inventory.start();
  const ending = new AbortController();
  return {
    config,
    inventory,
    discovery: discoveryOf(config, masters, layouts),
    operations,
    audit,
    incidents,
    lab,
    events,
    shutdownSignal: ending.signal,
    originPolicy: { loopbackOnly: isLoopback(config.host) && !config.allowInsecure, isLoopback },
    cluster,
    shutdown: once(() => endInOrder({ ending, inventory, demonstration, lab, holdings, masters, audit, embedded })),
  };
}

function engineOf(
  masters: readonly Master[],
  { nodeTimeoutMs, clockErrorMs }: Config,
  maxTtlMs: number,
): RedlockEngine {
  const settings = { nodeTimeoutMs, clockErrorMs, maxTtlMs };
  return new RedlockEngine(masters, { clock: systemClock, random: systemRandom, wallClock: Date.now, settings });
}

function demonstrationOf({ nodeTimeoutMs }: Config, urls: readonly string[], guard: Guard): Demonstration {
  return new Demonstration({ urls, guard, nodeTimeoutMs, clock: systemClock, random: systemRandom });
}

function labOf({ dataDir, readOnly, lab }: Config): Lab {
  // Not imported, so that the bundler leaves it a file of its own; the launcher makes it.
  const clientProgram = join(/* turbopackIgnore: true */ process.cwd(), ".next", "lab-client.mjs");
  return new Lab({
    folder: join(dataDir, "lab"),
    clientProgram,
    isReadOnly: readOnly,
    isAllowed: lab,
    newId: randomUUID,
  });
}

async function openAudit({ dataDir }: Config): Promise<AuditLog> {
  const path = join(dataDir, "audit.jsonl");
  try {
    return await FileAuditLog.open(path);
  } catch (cause) {
    throw new BootError(
      `The record of actions cannot be written at ${path} (${reasonOf(cause)}). Set REDLOCK_DATA_DIR to a folder that can.`,
      { cause },
    );
  }
}

async function startCluster({ dataDir }: Config): Promise<EmbeddedCluster> {
  try {
    return await startEmbeddedCluster({
      folder: join(dataDir, "cluster"),
      log: (line) => log("info", line),
    });
  } catch (cause) {
    throw new BootError(`The embedded cluster did not start: ${reasonOf(cause)}`, { cause });
  }
}

function connect(
  urls: readonly string[],
  config: Config,
  embedded: EmbeddedCluster | null,
): { readonly masters: readonly Master[]; readonly guard: Guard } {
  try {
    const guard = guardOf(config, embedded, urls);
    const { nodeTimeoutMs, clockErrorMs } = config;
    return { guard, masters: createMasters(urls, { nodeTimeoutMs, clockErrorMs, guard }) };
  } catch (cause) {
    throw new BootError(`REDLOCK_NODES: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Waits until every master is up, or until those that are not have had their time. */
function connected(masters: readonly Master[]): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribes: (() => void)[] = [];
    const end = (): void => {
      clearTimeout(timer);
      for (const unsubscribe of unsubscribes) unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, CONNECT_MS_MAX);
    const look = (): void => {
      if (masters.every((master) => master.status().state !== "down")) end();
    };
    unsubscribes.push(...masters.map((master) => master.onChange(look)));
    look();
  });
}

function onAnyChange(
  sources: readonly ({ onChange(listener: () => void): () => void } | null)[],
  listener: () => void,
): () => void {
  const unsubscribes = sources.flatMap((source) => (source === null ? [] : [source.onChange(listener)]));
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
