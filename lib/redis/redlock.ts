import { Redis } from "ioredis";
import {
  type AcquireOutcome,
  type CallSettings,
  type ExtendOutcome,
  type Lock,
  type LockKey,
  nodeId,
  RedlockEngine,
  type ReleaseOutcome,
  type Settings,
} from "@/lib/redlock";
import { Clocks } from "./clocks";
import { Guard, type GuardMode, noGuard } from "./guard";
import { MasterNode } from "./master-node";
import { type MasterNodeOptions, NODE_TIMEOUT_MS } from "./master-node-options";
import { parseNodeUrl } from "./node-url";
import { ServerIds } from "./server-ids";
import { systemClock, systemRandom } from "./system";

/** Longest TTL that is assumed of others when nothing is said, milliseconds. */
const GUARDED_TTL_MS = 60_000;

/** Settings of the engine, and whether nodes that may have forgotten votes are kept out. */
export interface RedlockSettings extends Partial<Settings> {
  /**
   * Off by default. Every client of the masters must use the same list of them, and a first use waits for a quarantine unless an
   * operator bootstraps the masters. `maxTtlMs`: longest TTL of any client; when given, a longer one is refused, else it lengthens
   * the quarantine.
   */
  readonly guard?: { readonly mode: GuardMode; readonly maxTtlMs?: number };
  /** False sends each request of a lock to a node by itself; otherwise those asked in the same turn of the event loop go together. */
  readonly coalesce?: boolean;
}

/** A node that fails to connect holds up the very first call for so long at most, milliseconds. */
const FIRST_CONTACT_WITHIN_MS = 1000;

/**
 * Redlock for applications, with the names of node-redlock 5: moving over is an edit of imports.
 *
 * ```ts
 * const redlock = new Redlock([new Redis(6379), new Redis(6380), "redis://127.0.0.1:6381"]);
 * await redlock.using(["orders:42"], 10_000, async (signal) => { … });
 * ```
 *
 * Clients are not used themselves: each is duplicated with options that are safe for locks (`client-options.ts`), keeping its
 * address, database, TLS, login and key prefix.
 */
export class Redlock extends RedlockEngine {
  readonly #masters: readonly MasterNode[];
  readonly #clients: readonly Redis[];
  readonly #listeners = new Set<(error: Error) => void>();
  /** Null once every node was reached, or has failed to be. */
  #firstContact: Promise<void> | null;

  /**
   * @param clients one ioredis client or URL per independent master
   * @throws RangeError or TypeError for a bad setting, URL or client, no client, or two for one address, whatever their databases
   */
  constructor(clients: Iterable<Redis | string>, settings: RedlockSettings = {}) {
    const given = [...clients];
    const targets = given.map(targetOf);
    checkAddresses(targets);
    const { nodeTimeoutMs = NODE_TIMEOUT_MS, clockErrorMs, coalesce } = settings;
    const serverIds = new ServerIds();
    const guard = guardFor(targets, settings);
    const shared = { nodeTimeoutMs, serverIds, clocks: new Clocks(clockErrorMs), guard, coalesce };
    const masters = targets.map((target) => new MasterNode({ ...target, ...shared }));
    try {
      const { maxTtlMs = settings.guard?.maxTtlMs } = settings;
      const ports = { clock: systemClock, random: systemRandom, wallClock: Date.now };
      super(masters, { ...ports, settings: { ...settings, maxTtlMs } });
    } catch (error) {
      for (const master of masters) void master.close();
      throw error;
    }
    this.#masters = masters;
    this.#clients = given.filter((client) => typeof client !== "string");
    for (const master of masters) master.onChange(() => this.#report(master));
    this.#firstContact = this.#meet();
  }

  /** Calls back with an Error when the votes of a node cease to count; without a listener nothing happens. */
  on(_event: "error", listener: (error: Error) => void): this {
    this.#listeners.add(listener);
    return this;
  }

  off(_event: "error", listener: (error: Error) => void): this {
    this.#listeners.delete(listener);
    return this;
  }

  override async tryAcquire(
    resources: readonly string[],
    ttlMs: number,
    options?: CallSettings,
  ): Promise<AcquireOutcome<Lock>> {
    if (this.#firstContact !== null) await this.#firstContact;
    return super.tryAcquire(resources, ttlMs, options);
  }

  override async acquire(resources: readonly string[], ttlMs: number, settings?: CallSettings): Promise<Lock> {
    if (this.#firstContact !== null) await this.#firstContact;
    return super.acquire(resources, ttlMs, settings);
  }

  override async tryExtend(key: LockKey, ttlMs: number): Promise<ExtendOutcome> {
    if (this.#firstContact !== null) await this.#firstContact;
    return super.tryExtend(key, ttlMs);
  }

  override async release(key: LockKey): Promise<ReleaseOutcome> {
    if (this.#firstContact !== null) await this.#firstContact;
    return super.release(key);
  }

  /** Closes the connections of its own, and as in node-redlock the clients that were given. Locks still held expire. */
  async quit(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(this.#masters.map((master) => master.close()));
    await Promise.all(this.#clients.map(quitClient));
  }

  /** node-redlock's clients queue commands until they are connected; ours never do, so the first call waits instead. */
  async #meet(): Promise<void> {
    let stopWaiting = () => {};
    const limit = new Promise<void>((resolve) => {
      stopWaiting = systemClock.schedule(FIRST_CONTACT_WITHIN_MS, resolve);
    });
    await Promise.race([Promise.all(this.#masters.map((master) => master.firstContact)), limit]);
    stopWaiting();
    this.#firstContact = null;
  }

  #report(master: MasterNode): void {
    const { condition, faults, quarantinedForMs } = master.status();
    if (condition === "admitted" || condition === "degraded") return;
    // Only looked at: that is over in a moment, and then it is told if there is something to tell.
    if (condition === "quarantined" && quarantinedForMs === 0) return;
    const error = new Error(`Node ${master.id}: ${faults.join(" ")}`);
    for (const listener of [...this.#listeners]) listener(error);
  }
}

function guardFor(
  targets: readonly { readonly address: string; readonly database: number }[],
  { guard }: RedlockSettings,
): Guard {
  if (guard === undefined) return noGuard();
  const members = targets.map(({ address, database }) => (database === 0 ? address : `${address}/${database}`));
  return new Guard({ mode: guard.mode, maxTtlMs: guard.maxTtlMs ?? GUARDED_TTL_MS, members });
}

/** One server under two names is found by its run_id once both are connected; under two labels or databases it is seen at once. */
function checkAddresses(targets: readonly { readonly address: string }[]): void {
  const addresses = targets.map(({ address }) => address);
  const twice = addresses.find((address, index) => addresses.indexOf(address) !== index);
  if (twice === undefined) return;
  throw new RangeError(`clients must be different servers, got ${twice} twice: its crash would cost two votes`);
}

function targetOf(client: Redis | string): Pick<MasterNodeOptions, "id" | "address" | "database" | "createClient"> {
  if (typeof client === "string") {
    const { connect, ...target } = parseNodeUrl(client);
    return { ...target, createClient: (safe) => new Redis({ ...connect, ...safe }) };
  }
  // By shape, not `instanceof`: an application may have another copy or version of ioredis.
  if (typeof client?.duplicate !== "function" || client.isCluster) {
    throw new TypeError("each client must be an ioredis client of one master (not a Cluster), or its URL");
  }
  const { path, host = "localhost", port = 6379, db = 0 } = client.options;
  const address = path ?? `${host}:${port}`;
  return {
    id: nodeId(db === 0 ? address : `${address}/${db}`),
    address,
    database: db,
    createClient: (safe) => client.duplicate(safe),
  };
}

async function quitClient(client: Redis): Promise<void> {
  try {
    await client.quit();
  } catch {
    // It was not connected, so there is nothing to end politely.
    client.disconnect();
  }
}
