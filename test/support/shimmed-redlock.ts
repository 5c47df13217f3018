import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildServerShim, type ServerShim } from "@/lib/cluster";
import { createMasters, Guard, type MasterNode, membersOf, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import { startRedisServers, type TestServer, type TestServers } from "./redis-server";
import { until } from "./until";

/** An engine with the restart guard, and the nodes as it sees them. */
export interface GuardedClient {
  readonly redlock: RedlockEngine;
  readonly masters: readonly MasterNode[];
}

/** A real server whose clock and disk obey. */
export interface ShimmedServer {
  readonly server: TestServer;
  readonly shim: ServerShim;
}

interface Setup {
  /** Longest TTL of any client: how long a node is kept out that may have forgotten votes. */
  readonly ttlMs: number;
  readonly args?: readonly string[];
}

/** Five servers under the shim, a to e, and guarded clients of them. */
export class ShimmedRedlock {
  readonly nodes: readonly ShimmedServer[];
  readonly #setup: Setup;
  readonly #folder: string;
  readonly #started: readonly TestServers[];
  readonly #open: MasterNode[] = [];

  private constructor(folder: string, started: readonly (TestServers & { shim: ServerShim })[], setup: Setup) {
    this.nodes = started.flatMap(({ servers, shim }) => servers.map((server) => ({ server, shim })));
    this.#started = started;
    this.#folder = folder;
    this.#setup = setup;
  }

  /** @param skip called with the reason when this machine cannot build the shim */
  static async start(skip: (note: string) => never, setup: Setup): Promise<ShimmedRedlock> {
    const folder = mkdtempSync(join(tmpdir(), "redlock-shimmed-"));
    const build = await buildServerShim(folder);
    if (build.kind === "unavailable") {
      rmSync(folder, { recursive: true, force: true });
      return skip(build.reason);
    }
    const started = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        const shim = build.forServer(`control-${index}`);
        const dir = join(folder, `data-${index}`);
        mkdirSync(dir);
        return { ...(await startRedisServers(1, ["--dir", dir, ...(setup.args ?? [])], shim.env)), shim };
      }),
    );
    const world = new ShimmedRedlock(folder, started, setup);
    const { masters } = await world.client();
    await Promise.all(masters.map((master) => master.bootstrap()));
    return world;
  }

  /** @throws Error when there is none of this number */
  node(index: number): ShimmedServer {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`no node ${index}`);
    return node;
  }

  /** Another process, as it were, that has asked every node how it is. */
  async client(): Promise<GuardedClient> {
    const urls = this.nodes.map(({ server }, index) => `${server.url}#${"abcde"[index]}`);
    const guard = new Guard({ mode: "full", maxTtlMs: this.#setup.ttlMs, members: membersOf(urls) });
    const masters = createMasters(urls, { nodeTimeoutMs: 1000, probeEveryMs: 100, guard });
    this.#open.push(...masters);
    await until(() => masters.every((master) => master.status().persistence !== null), "every node to be known");
    const settings = { nodeTimeoutMs: 1000, retryCount: 0 };
    return { masters, redlock: new RedlockEngine(masters, { clock: systemClock, random: systemRandom, settings }) };
  }

  /** SIGKILL; resolves when it is known to be away. */
  async kill(index: number): Promise<void> {
    const { server } = this.node(index);
    await server.kill();
    await until(() => server.client.status !== "ready", "the connection of the test to end");
  }

  /** Keys as they are, past any client; null for a node that is away or without the key. */
  values(resource: string): Promise<readonly (string | null)[]> {
    return Promise.all(
      this.nodes.map(({ server }) => (server.client.status === "ready" ? server.client.get(resource) : null)),
    );
  }

  /**
   * How many nodes a client would win that looks at nothing but keys, as most do: the control of what the engine refuses. What it
   * took is deleted again.
   */
  async naiveVotes(resource: string): Promise<number> {
    const votes = this.nodes.map(async ({ server }) => {
      if (server.client.status !== "ready") return false;
      const isTaken = (await server.client.set(resource, "naive", "PX", this.#setup.ttlMs, "NX")) === "OK";
      if (isTaken) await server.client.del(resource);
      return isTaken;
    });
    return (await Promise.all(votes)).filter((isTaken) => isTaken).length;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#open.map((master) => master.close()));
    await Promise.all(this.#started.map((servers) => servers.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
