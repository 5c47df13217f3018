import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { acquireAnswerSchema, clusterSchema, lockDetailSchema, lockListSchema, resourceIdOf } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { getRuntime } from "@/lib/runtime";
import { callApi, dataOf } from "./api";
import { startRedisServers, type TestServer } from "./redis-server";
import { until } from "./until";

/** Time limit per node in these tests: wide, for a busy machine, but far below a test's patience. */
export const NODE_TIMEOUT_MS = 250;

/** What `setByHand` writes, unless told otherwise, and how it is shown. */
export const TOKEN = "0123456789abcdef0123456789abcdef";
export const FINGERPRINT = fingerprintOf(TOKEN);

/** The API over real servers, called as functions. */
export interface ApiConsole {
  /** @param name a, b, c, … */
  server(name: string): TestServer;
  cluster(): Promise<ReturnType<typeof clusterSchema.parse>>;
  detail(resource: string): Promise<ReturnType<typeof lockDetailSchema.parse>>;
  /** @param query with its question mark */
  list(query?: string): Promise<ReturnType<typeof lockListSchema.parse>>;
  acquire(resource: string, more?: object): Promise<ReturnType<typeof acquireAnswerSchema.parse>>;
  act(resource: string, verb: string, body: object): Promise<Response>;
  /** Writes a lock past the console. @param names letters of the nodes that get it; all by default */
  setByHand(resource: string, names?: string, token?: string): Promise<void>;
  /** The value on every node. */
  holders(resource: string): Promise<(string | null)[]>;
  /** The file of the record. */
  recordText(): string;
}

/** Sets a console up over `count` real servers for the tests of one file; before each all of them are up and empty. */
export function apiConsole(count: number): ApiConsole {
  const letters = "abcdefg".slice(0, count);
  const dataDir = mkdtempSync(join(tmpdir(), "redlock-api-"));
  let servers: Awaited<ReturnType<typeof startRedisServers>>;

  beforeAll(async () => {
    servers = await startRedisServers(count);
    process.env.REDLOCK_NODES = servers.servers.map(({ url }, index) => `${url}#${letters[index]}`).join(",");
    process.env.REDLOCK_NODE_TIMEOUT_MS = String(NODE_TIMEOUT_MS);
    process.env.REDLOCK_DATA_DIR = dataDir;
    process.env.REDLOCK_LOG_LEVEL = "error";
    await getRuntime();
  });
  afterAll(async () => {
    await (await getRuntime()).shutdown();
    await servers.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await until(async () => (await cluster()).voting === count, "all nodes to vote");
    await Promise.all(servers.servers.map(({ client }) => client.flushall()));
  });
  afterEach(() => {
    for (const server of servers.servers) server.resume();
  });

  const server = (name: string): TestServer => {
    const found = servers.servers[letters.indexOf(name)];
    if (found === undefined) throw new Error(`no server ${name}`);
    return found;
  };
  const cluster = () => dataOf(callApi("cluster"), clusterSchema);
  return {
    server,
    cluster,
    detail: (resource) => dataOf(callApi(`locks/${resourceIdOf(resource)}`), lockDetailSchema),
    list: (query = "") => dataOf(callApi(`locks${query}`), lockListSchema),
    acquire: (resource, more = {}) =>
      dataOf(
        callApi("locks", { method: "POST", body: { resources: [resource], ttlMs: 30_000, ...more } }),
        acquireAnswerSchema,
      ),
    act: (resource, verb, body) => callApi(`locks/${resourceIdOf(resource)}/${verb}`, { method: "POST", body }),
    async setByHand(resource, names = letters, token = TOKEN) {
      await Promise.all([...names].map((name) => server(name).client.set(resource, token, "PX", 60_000)));
    },
    holders: (resource) => Promise.all(servers.servers.map(({ client }) => client.get(resource))),
    recordText: () => readFileSync(join(dataDir, "audit.jsonl"), "utf8"),
  };
}
