import { afterAll, beforeAll } from "vitest";
import { createMasters, Guard, type GuardMode } from "@/lib/redis";
import { bytesOfKey } from "@/lib/redlock";
import { crowded } from "../support/crowded-node";
import { lockNodeContract } from "../support/lock-node-contract";
import { LONG_MS } from "../support/lock-node-harness";
import { type NativeDeleteProxy, startNativeDeleteProxy } from "../support/native-delete-proxy";
import { startRedisServers, type TestServers } from "../support/redis-server";
import { until } from "../support/until";

let servers: TestServers;
/** The same server, as if it had a compare-and-delete of its own. */
let newer: NativeDeleteProxy;
beforeAll(async () => {
  servers = await startRedisServers(1);
  newer = await startNativeDeleteProxy(servers.servers[0]?.port ?? 0, "DELIFEQ");
});
afterAll(async () => {
  await newer.close();
  await servers.stop();
});

function keyOf(resource: string): string | Buffer {
  const bytes = bytesOfKey(resource);
  return bytes === null ? resource : Buffer.from(bytes);
}

interface Case {
  readonly database: number;
  readonly mode: GuardMode;
  /** How requests travel: each in a call of its own, as they come, or in the middle of others. */
  readonly way: "uncoalesced" | "as they come" | "crowded" | "to a newer server";
}

const CASES: readonly Case[] = [
  { database: 0, mode: "off", way: "as they come" },
  { database: 3, mode: "full", way: "as they come" },
  { database: 0, mode: "connection", way: "as they come" },
  { database: 0, mode: "off", way: "crowded" },
  { database: 3, mode: "full", way: "crowded" },
  { database: 3, mode: "full", way: "uncoalesced" },
  { database: 3, mode: "full", way: "to a newer server" },
];

for (const { database, mode, way } of CASES) {
  lockNodeContract(`MasterNode in database ${database}, guard ${mode}, requests ${way},`, async () => {
    const [server] = servers.servers;
    if (server === undefined) throw new Error("no server");
    const { client } = server;
    await client.flushall();
    await client.select(database);
    // Wide, so that a busy machine is not mistaken for a hung server.
    const guard = new Guard({ mode, maxTtlMs: LONG_MS, members: ["a"] });
    const [node] = createMasters([`${way === "to a newer server" ? newer.url : server.url}/${database}#a`], {
      nodeTimeoutMs: 5000,
      guard,
      coalesce: way !== "uncoalesced",
    });
    if (node === undefined) throw new Error("no node");
    await until(() => node.status().state === "up", "the node to be up");
    if (mode !== "off") await node.bootstrap();
    return {
      node: way === "crowded" ? crowded(node) : node,
      async set(resource, value, ttlMs) {
        if (ttlMs === null) await client.set(keyOf(resource), value);
        else await client.set(keyOf(resource), value, "PX", ttlMs);
      },
      async setForeign(resource) {
        await client.hset(keyOf(resource), "field", "value");
      },
      async get(resource) {
        const type = await client.type(keyOf(resource) as string);
        if (type === "none") return null;
        const remaining = await client.pttl(keyOf(resource));
        const value = type === "string" ? await client.get(keyOf(resource)) : null;
        return { value, remainingMs: remaining < 0 ? null : remaining };
      },
      async untilGone(resource) {
        await until(async () => (await client.exists(keyOf(resource))) === 0, `${resource} to expire`);
      },
      async forgetScripts() {
        await client.script("FLUSH");
      },
      forgetVotes:
        mode === "off"
          ? null
          : async () => {
              await client.flushall();
            },
      async dispose() {
        await node.close();
      },
    };
  });
}
