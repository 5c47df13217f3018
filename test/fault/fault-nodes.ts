import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startRedisServers, type TestServer, type TestServers } from "../support/redis-server";

/** A redis-server that keeps its data when it is killed, since every write is on disk before it is answered. */
export interface FaultNode {
  readonly server: TestServer;
  /** Removes what it kept; only while it is killed. */
  forget(): void;
}

/** @param folder where the nodes keep their data */
export async function startFaultNodes(
  count: number,
  folder: string,
): Promise<{ readonly nodes: readonly FaultNode[]; stop(): Promise<void> }> {
  const dirs = Array.from({ length: count }, (_, index) => join(folder, `node-${index}`));
  const starts = await Promise.allSettled(dirs.map(startNode));
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
async function startNode(dir: string): Promise<FaultNode & { readonly servers: TestServers }> {
  mkdirSync(dir, { recursive: true });
  const servers = await startRedisServers(1, ["--dir", dir, "--appendonly", "yes", "--appendfsync", "always"]);
  const [server] = servers.servers;
  if (server === undefined) throw new Error("no server was started");
  return { servers, server, forget: () => rmSync(join(dir, "appendonlydir"), { recursive: true, force: true }) };
}
