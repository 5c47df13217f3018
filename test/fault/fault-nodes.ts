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
  const started: TestServers[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((servers) => servers.stop()));
  };
  try {
    const nodes: FaultNode[] = [];
    for (let index = 0; index < count; index += 1) {
      const dir = join(folder, `node-${index}`);
      mkdirSync(dir, { recursive: true });
      const servers = await startRedisServers(1, ["--dir", dir, "--appendonly", "yes", "--appendfsync", "always"]);
      started.push(servers);
      const [server] = servers.servers;
      if (server === undefined) throw new Error("no server was started");
      nodes.push({ server, forget: () => rmSync(join(dir, "appendonlydir"), { recursive: true, force: true }) });
    }
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
