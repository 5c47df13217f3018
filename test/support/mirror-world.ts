import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { type LockView, locksQuerySchema } from "@/lib/contract";
import { Inventory, type InventoryOptions, type LockDifference } from "@/lib/inventory";
import { createMasters, type MasterNode, systemClock } from "@/lib/redis";
import { startRedisServers, type TestServer, type TestServers } from "./redis-server";
import { until } from "./until";

/** What a node says of one key: fingerprint of the value, or its type in brackets, and the remaining time. */
interface PlainReading {
  readonly holds: string;
  readonly remainingMs: number | null;
}

/** Remaining times of two readings differ by the time between them, and by what a busy machine adds. */
const TOLERANCE_MS = 1500;

export interface MirrorWorldOptions extends Partial<InventoryOptions> {
  readonly nodes?: number;
  /** Instead of the servers' own. */
  readonly urls?: (servers: readonly TestServer[]) => readonly string[];
  readonly nodeTimeoutMs?: number;
}

/** Real servers and an inventory that watches them. */
export class MirrorWorld {
  readonly servers: readonly TestServer[];
  readonly masters: readonly MasterNode[];
  readonly inventory: Inventory;
  readonly #started: TestServers;
  readonly #locks = new Map<string, string>();

  private constructor(started: TestServers, options: MirrorWorldOptions) {
    this.#started = started;
    this.servers = started.servers;
    const urls = options.urls?.(started.servers) ?? started.servers.map(({ url }) => url);
    // Wider than in life: a busy machine is not to be mistaken for a hung node.
    this.masters = createMasters(urls, { nodeTimeoutMs: options.nodeTimeoutMs ?? 500, probeEveryMs: 200 });
    this.inventory = new Inventory({
      masters: this.masters,
      clock: systemClock,
      wallClock: Date.now,
      patterns: ["*"],
      listsEverything: true,
      ownedByConsole: () => null,
      // Not within a test that does not ask for it.
      verifyEveryMs: 3_600_000,
      ...options,
    });
  }

  static async start(options: MirrorWorldOptions = {}): Promise<MirrorWorld> {
    const world = new MirrorWorld(await startRedisServers(options.nodes ?? 3), options);
    await until(() => world.masters.every((master) => master.status().state !== "down"), "the nodes to be up");
    return world;
  }

  server(index: number): TestServer {
    const server = this.servers[index];
    if (server === undefined) throw new Error(`no server ${index}`);
    return server;
  }

  /** Writes a lock on some nodes, as another client would. @returns its token */
  async lock(resource: string, { ttlMs = 60_000, nodes }: { ttlMs?: number; nodes?: readonly number[] } = {}) {
    const token = createHash("sha1").update(`${resource} ${Math.random()}`).digest("hex");
    const targets = nodes?.map((index) => this.server(index)) ?? this.servers;
    await Promise.all(targets.map(({ client }) => client.set(resource, token, "PX", ttlMs)));
    this.#locks.set(resource, token);
    return token;
  }

  /** Writes `count` locks on every node, in few round trips. */
  async fill(count: number, prefix = "fill:", ttlMs = 600_000): Promise<void> {
    await Promise.all(
      this.servers.map(async ({ client }) => {
        for (let from = 0; from < count; from += 5000) {
          const pipeline = client.pipeline();
          for (let index = from; index < Math.min(count, from + 5000); index += 1) {
            const token = createHash("md5").update(`${prefix}${index}`).digest("hex");
            pipeline.set(`${prefix}${index}`, token, "PX", ttlMs);
          }
          await pipeline.exec();
        }
      }),
    );
  }

  /** Every lock of the list, page by page. */
  async locks(): Promise<readonly LockView[]> {
    const locks: LockView[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = locksQuerySchema.parse({
        sort: "resource",
        limit: 500,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const page = await this.inventory.list(query);
      locks.push(...page.locks);
      if (page.nextCursor === null) return locks;
      cursor = page.nextCursor;
    }
  }

  /** The verdict on a lock in the list; undefined when it is not listed. */
  async verdict(resource: string): Promise<string | undefined> {
    return (await this.locks()).find((lock) => lock.resource === resource)?.verdict;
  }

  /** In which way every node is followed. */
  modes(): readonly string[] {
    return this.inventory.scan().nodes.map(({ mode }) => mode);
  }

  untilTracking(): Promise<void> {
    return until(
      () => this.inventory.scan().nodes.every(({ mode, state }) => mode === "tracking" && state === "complete"),
      "every node to be read and followed",
    );
  }

  /** What is different between the list and a plain reading of the nodes, in words; empty when nothing is. */
  async differences(except: readonly number[] = []): Promise<readonly string[]> {
    const places = this.servers.map((_, index) => index).filter((index) => !except.includes(index));
    const truths = await Promise.all(places.map((index) => readPlainly(this.server(index).client)));
    const locks = new Map((await this.locks()).map((lock) => [lock.resource, lock]));
    const found: string[] = [];
    for (const [order, index] of places.entries()) {
      const truth = truths[order] ?? new Map<string, PlainReading>();
      for (const resource of new Set([...truth.keys(), ...locks.keys()])) {
        const difference = differenceOf(truth.get(resource), locks.get(resource)?.nodes[index]);
        if (difference !== null) found.push(`${resource} on node ${index}: ${difference}`);
      }
    }
    return found;
  }

  /** Waits until the list equals a plain reading. @returns how long that took, milliseconds */
  async untilEqual(what: string, withinMs = 15_000): Promise<number> {
    const startedAt = performance.now();
    let last: readonly string[] = [];
    const isEqual = async () => {
      last = await this.differences();
      return last.length === 0 && this.inventory.scan().complete === this.servers.length;
    };
    await until(isEqual, `${what}; ${JSON.stringify(this.inventory.scan())}`, withinMs).catch((error: unknown) => {
      throw new Error(`${error}\n${last.slice(0, 5).join("\n")}\n${JSON.stringify(this.inventory.scan())}`);
    });
    return performance.now() - startedAt;
  }

  /** Differences from now on. */
  listen(): LockDifference[] {
    const heard: LockDifference[] = [];
    this.inventory.subscribe((difference) => heard.push(difference));
    return heard;
  }

  async stop(): Promise<void> {
    this.inventory.stop();
    await Promise.all(this.masters.map((master) => master.close()));
    await this.#started.stop();
  }
}

/** How often a server ran each command since its statistics were reset. */
export async function commandCounts(client: Redis): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const [, name = "", calls] of (await client.info("commandstats")).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) {
    counts.set(name, Number(calls));
  }
  return counts;
}

async function readPlainly(client: Redis): Promise<Map<string, PlainReading>> {
  const keys = new Set<string>();
  for (let cursor = "0"; ; ) {
    const [next, found] = await client.scan(cursor, "COUNT", 1000);
    for (const key of found) keys.add(key);
    if (next === "0") break;
    cursor = next;
  }
  const names = [...keys];
  const pipeline = client.pipeline();
  for (const name of names) pipeline.type(name).get(name).pttl(name);
  const answers = (await pipeline.exec()) ?? [];
  const readings = new Map<string, PlainReading>();
  for (const [index, name] of names.entries()) {
    const [type, value, pttl] = [0, 1, 2].map((offset) => answers[3 * index + offset]?.[1]);
    if (type === "none") continue;
    const holds = type === "string" ? fingerprint(String(value)) : `(${type})`;
    readings.set(name, { holds, remainingMs: Number(pttl) < 0 ? null : Number(pttl) });
  }
  return readings;
}

function fingerprint(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 8);
}

function differenceOf(truth: PlainReading | undefined, seen: LockView["nodes"][number] | undefined): string | null {
  const shown =
    seen === undefined ? "free" : seen.reading === "foreign" ? `(${seen.type})` : (seen.fingerprint ?? seen.reading);
  const holds = truth?.holds ?? "free";
  if (shown !== holds) return `shows ${shown}, holds ${holds}`;
  if (truth === undefined || seen === undefined) return null;
  if (truth.remainingMs === null || seen.remainingMs === null) {
    return truth.remainingMs === seen.remainingMs ? null : `shows ${seen.remainingMs} ms, has ${truth.remainingMs}`;
  }
  const isClose = Math.abs(truth.remainingMs - seen.remainingMs) < TOLERANCE_MS;
  return isClose ? null : `shows ${seen.remainingMs} ms, has ${truth.remainingMs}`;
}
