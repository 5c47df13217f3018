import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { type LockView, locksQuerySchema } from "@/lib/contract";
import { Inventory, type InventoryOptions, type LockDifference } from "@/lib/inventory";
import { createMasters, type MasterNode, systemClock } from "@/lib/redis";
import { startRedisServers, type TestServer, type TestServers } from "./redis-server";
import { until } from "./until";

/** What a node says of one key: fingerprint of the value, or its type in brackets, and when it ends. */
interface PlainReading {
  readonly holds: string;
  /** Epoch milliseconds. Not the remaining time: on a busy machine seconds pass between a node's answer and a look at it. */
  readonly endAt: number | null;
}

/** An end reckoned from the remaining time is off by as long as the question was on its way, at most the node time limit. */
const TOLERANCE_MS = 1500;
const LOOK_EVERY_MS = 200;

export interface MirrorWorldOptions extends Partial<InventoryOptions> {
  readonly nodes?: number;
  /** Instead of the servers' own. */
  readonly urls?: (servers: readonly TestServer[]) => Promise<readonly string[]>;
  readonly nodeTimeoutMs?: number;
}

/** Real servers and an inventory that watches them. */
export class MirrorWorld {
  readonly servers: readonly TestServer[];
  readonly masters: readonly MasterNode[];
  readonly inventory: Inventory;
  readonly #started: TestServers;
  /** What a page would know from the events alone, by the id of the lock. */
  readonly #told = new Map<string, LockView>();

  private constructor(started: TestServers, urls: readonly string[], options: MirrorWorldOptions) {
    this.#started = started;
    this.servers = started.servers;
    // Wider than in life: a busy machine is not to be mistaken for a hung node.
    this.masters = createMasters(urls, { nodeTimeoutMs: options.nodeTimeoutMs ?? 500, probeEveryMs: 200 });
    this.inventory = new Inventory({
      masters: this.masters,
      clock: systemClock,
      wallClock: Date.now,
      patterns: ["*"],
      listsEverything: true,
      maxTtlMs: null,
      incidents: null,
      ownedByConsole: () => null,
      // Not within a test that does not ask for it.
      verifyEveryMs: 3_600_000,
      ...options,
    });
    this.inventory.subscribe(({ changed, removed }) => {
      for (const lock of changed) this.#told.set(lock.id, lock);
      for (const id of removed) this.#told.delete(id);
    });
  }

  static async start(options: MirrorWorldOptions = {}): Promise<MirrorWorld> {
    const started = await startRedisServers(options.nodes ?? 3);
    const urls = (await options.urls?.(started.servers)) ?? started.servers.map(({ url }) => url);
    const world = new MirrorWorld(started, urls, options);
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

  /** Locks that were told of and have not gone. */
  get told(): number {
    return this.#told.size;
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

  /** What is different between a plain reading of the nodes and what was told of them, in words; empty when nothing is. */
  async differences(): Promise<readonly string[]> {
    const truths = await Promise.all(this.servers.map(({ client }) => readPlainly(client)));
    const told = new Map([...this.#told.values()].map((lock) => [lock.resource, lock]));
    const found: string[] = [];
    for (const [index, truth] of truths.entries()) {
      for (const resource of new Set([...truth.keys(), ...told.keys()])) {
        const lock = told.get(resource);
        const difference = differenceOf(truth.get(resource), lock?.nodes[index], lock?.readAt ?? 0);
        if (difference !== null) found.push(`${resource} on node ${index}: ${difference}`);
      }
    }
    return found;
  }

  /** Waits until what was told equals a plain reading and is complete. @returns how long that took, milliseconds */
  async untilEqual(what: string, withinMs = 45_000): Promise<number> {
    const startedAt = performance.now();
    for (let lookedAt = startedAt; ; lookedAt = performance.now()) {
      const last = await this.differences();
      if (last.length === 0 && this.inventory.scan().complete === this.servers.length) return lookedAt - startedAt;
      if (lookedAt - startedAt > withinMs) {
        const scan = JSON.stringify(this.inventory.scan());
        throw new Error(`waited ${withinMs} ms in vain for ${what}\n${last.slice(0, 5).join("\n")}\n${scan}`);
      }
      // The plain readings are heavy work in the same process: not the mirror's whole time.
      await until(() => performance.now() - lookedAt > LOOK_EVERY_MS, "the next look");
    }
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
  for (const name of names) pipeline.type(name).get(name).call("PEXPIRETIME", name);
  const answers = (await pipeline.exec()) ?? [];
  const readings = new Map<string, PlainReading>();
  for (const [index, name] of names.entries()) {
    const [type, value, endAt] = [0, 1, 2].map((offset) => answers[3 * index + offset]?.[1]);
    if (type === "none") continue;
    const holds = type === "string" ? fingerprint(String(value)) : `(${type})`;
    readings.set(name, { holds, endAt: Number(endAt) < 0 ? null : Number(endAt) });
  }
  return readings;
}

function fingerprint(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 8);
}

/** @param readAt of what is shown, epoch milliseconds */
function differenceOf(
  truth: PlainReading | undefined,
  seen: LockView["nodes"][number] | undefined,
  readAt: number,
): string | null {
  const holds = truth?.holds ?? "free";
  const shown = shownBy(seen);
  if (shown !== holds) return `shows ${shown}, holds ${holds}`;
  if (truth === undefined || seen === undefined) return null;
  const endAt = seen.remainingMs === null ? null : readAt + seen.remainingMs;
  const isSame =
    endAt === null || truth.endAt === null ? endAt === truth.endAt : Math.abs(truth.endAt - endAt) < TOLERANCE_MS;
  return isSame ? null : `shows an end at ${endAt}, ends at ${truth.endAt}`;
}

function shownBy(seen: LockView["nodes"][number] | undefined): string {
  if (seen === undefined) return "free";
  return seen.reading === "foreign" ? `(${seen.type})` : (seen.fingerprint ?? seen.reading);
}
