import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ServerShim, ShimBuild } from "@/lib/cluster";
import { startRedisServers, type TestServer, type TestServers } from "../support/redis-server";

/** A redis-server that keeps its data when it is killed, since every write is on disk before it is answered. */
export interface FaultNode {
  readonly server: TestServer;
  /** For faults from within the server; null when the nodes were started without. */
  readonly shim: ServerShim | null;
  /** Removes what it kept; only while it is killed. */
  forget(): void;
}

/**
 * @param folder where the nodes keep their data
 * @param build loaded into each of them
 * @param args of redis-server, over ours
 * @throws Error when a server does not load it: a fault that was never inflicted must not pass for one that was survived
 */
export async function startFaultNodes(
  count: number,
  folder: string,
  build: Extract<ShimBuild, { readonly kind: "built" }> | null = null,
  args: readonly string[] = [],
): Promise<{ readonly nodes: readonly FaultNode[]; stop(): Promise<void> }> {
  const dirs = Array.from({ length: count }, (_, index) => join(folder, `node-${index}`));
  const starts = await Promise.allSettled(
    dirs.map((dir, index) => startNode(dir, build?.forServer(`control-${index}`) ?? null, args)),
  );
  const started = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(({ servers }) => servers.stop()));
  };
  for (const start of starts) {
    if (start.status === "fulfilled") continue;
    await stop();
    throw start.reason;
  }
  return { nodes: started, stop };
}

/** One by one, because each keeps its data in a folder of its own. */
async function startNode(
  dir: string,
  shim: ServerShim | null,
  args: readonly string[],
): Promise<FaultNode & { readonly servers: TestServers }> {
  mkdirSync(dir, { recursive: true });
  const durable = ["--dir", dir, "--appendonly", "yes", "--appendfsync", "always"];
  const servers = await startRedisServers(1, [...durable, ...args], shim?.env);
  const [server] = servers.servers;
  if (server === undefined) throw new Error("no server was started");
  if (shim !== null && shim.loadedBy === null) {
    await servers.stop();
    throw new Error(`redis-server did not load ${shim.env.LD_PRELOAD}: is it built for another system?`);
  }
  return { servers, server, shim, forget: () => rmSync(join(dir, "appendonlydir"), { recursive: true, force: true }) };
}
