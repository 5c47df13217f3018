import { createMasters, type MasterNode } from "@/lib/redis";
import { type AcquireRequest, asToken } from "@/lib/redlock";
import { type MeddlingProxy, startMeddlingProxy } from "./meddling-proxy";
import { startRedisServers, type TestServer, type TestServers } from "./redis-server";
import { until } from "./until";

/** Two tokens that are nobody's. */
export const TOKEN = asToken("1".repeat(40));
export const OTHER = asToken("2".repeat(40));

/** An acquire of `TOKEN` on `r`. */
export function request(overrides: Partial<AcquireRequest> = {}): AcquireRequest {
  return { resources: ["r"], token: TOKEN, ttlMs: 60_000, isCancelled: () => false, ...overrides };
}

/** The release of it. */
export const RELEASE = { resources: ["r"], token: TOKEN, keepTryingForMs: 60_000 };

/** Servers, nodes and proxies of one test, all ended by `clear`. */
export class MasterWorld {
  #started: TestServers[] = [];
  #open: MasterNode[] = [];
  #proxies: MeddlingProxy[] = [];

  async server(...args: string[]): Promise<TestServer> {
    const servers = await startRedisServers(1, args);
    this.#started.push(servers);
    const [server] = servers.servers;
    if (server === undefined) throw new Error("no server");
    return server;
  }

  async proxy(server: TestServer): Promise<MeddlingProxy> {
    const proxy = await startMeddlingProxy(server.port);
    this.#proxies.push(proxy);
    return proxy;
  }

  /** One membership. The time limit is wide, so that a busy machine is not mistaken for a hung server. */
  masters(urls: readonly string[], nodeTimeoutMs = 5000): readonly MasterNode[] {
    const all = createMasters(urls, { nodeTimeoutMs, probeEveryMs: 50 });
    this.#open.push(...all);
    return all;
  }

  master(url: string, nodeTimeoutMs?: number): MasterNode {
    const [first] = this.masters([url], nodeTimeoutMs);
    if (first === undefined) throw new Error("no master");
    return first;
  }

  async connected(url: string, nodeTimeoutMs?: number): Promise<MasterNode> {
    const node = this.master(url, nodeTimeoutMs);
    await until(() => node.status().state !== "down", "the node to be up");
    // The state is that of the lock connection; reading has one of its own.
    await until(async () => (await node.read(["_"])).kind !== "unreachable", "its reading connection to be open");
    await until(() => node.status().refusesGrants === null, "its clock to be known");
    return node;
  }

  /** Closes this one at the end, too. */
  adopt(master: MasterNode): void {
    this.#open.push(master);
  }

  async clear(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((master) => master.close()));
    await Promise.all(this.#proxies.splice(0).map((proxy) => proxy.close()));
    await Promise.all(this.#started.splice(0).map((servers) => servers.stop()));
  }
}

/** Waits until a node is in this state and has answered a probe. */
export async function untilState(node: MasterNode, state: string): Promise<void> {
  await until(() => node.status().state === state && node.status().persistence !== null, `the node to be ${state}`);
}

/** Waits until a node is known well enough to be asked for votes. */
export async function untilVoting(node: MasterNode): Promise<void> {
  await until(() => {
    const { state, persistence, refusesGrants } = node.status();
    return state === "up" && persistence !== null && refusesGrants === null;
  }, "the node to be known");
}
