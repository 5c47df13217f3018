// Loaded with mutated scripts beneath it. Each check asks a real redis-server; @returns what is broken, in words, or null.

import { createMasters, Guard, type MasterNode, membersOf } from "@/lib/redis";
import { FENCE_KEY, MARKER_KEY } from "@/lib/redis/admission";
import { asToken } from "@/lib/redlock";
import { startRedisServers, type TestServer } from "../support/redis-server";
import { OTHER, RELEASE, request, TOKEN, untilVoting } from "../support/test-master";
import { until } from "../support/until";

const LIMIT_MS = 150;
const LONG_MS = 60_000;
const UNHURRIED = { isCancelled: () => false };

interface Scene {
  readonly server: TestServer;
  /** Opens a node; under the guard when it is told the members. */
  open(members: readonly string[] | null, nodeTimeoutMs?: number): Promise<MasterNode>;
}

/** Plays with one server, and ends it. */
async function withServer(
  args: readonly string[],
  play: (scene: Scene) => Promise<string | null>,
): Promise<string | null> {
  const { servers, stop } = await startRedisServers(1, args);
  const open: MasterNode[] = [];
  const [server] = servers;
  if (server === undefined) throw new Error("no server");
  try {
    return await play({
      server,
      async open(members, nodeTimeoutMs = 5000) {
        const guard = members === null ? {} : { guard: new Guard({ mode: "full", maxTtlMs: LONG_MS, members }) };
        const [node] = createMasters([server.url], { nodeTimeoutMs, probeEveryMs: 50, ...guard });
        if (node === undefined) throw new Error("no node");
        open.push(node);
        await untilVoting(node);
        return node;
      },
    });
  } finally {
    await Promise.all(open.map((node) => node.close()));
    await stop();
  }
}

/** A guarded node that has voted, after something that made it forget: it must not vote. */
function mustBeKeptOut(
  args: readonly string[],
  forget: (server: TestServer) => Promise<unknown>,
): Promise<string | null> {
  return withServer(args, async ({ server, open }) => {
    const node = await open(membersOf([server.url]));
    await node.bootstrap();
    const granted = await node.acquire(request());
    if (granted.kind !== "granted") return `a bootstrapped node does not vote: ${JSON.stringify(granted)}`;
    const before = node.status().runId;
    const restarts = await forget(server);
    if (restarts === true) {
      await until(() => node.status().runId !== before && node.status().state === "up", "the node to be back");
    }
    const ask = () => node.acquire(request({ resources: ["other"], token: OTHER }));
    let vote = await ask();
    // Until it is known how the server that is back keeps its data, it has no vote either.
    const isKnown = async () => {
      vote = await ask();
      return vote.kind !== "error";
    };
    if (vote.kind === "error") await until(isKnown, "the node to be looked at");
    return vote.kind === "quarantined" ? null : `a node that forgot its votes answers ${vote.kind}`;
  });
}

/** What a waiter asks in this round; the lower its number, the earlier it came. */
function turn(who: number, round = 1, aliveForMs = LONG_MS) {
  const token = asToken(`${who}${round}`.repeat(20));
  const queue = { waiter: `engine-${who}`, since: who, round, aliveForMs, handOverMs: LONG_MS };
  return { ...request({ token }), queue, keepTryingForMs: 0 };
}

/** By name, as the list of mutants refers to them. */
export const REAL_CHECKS = {
  "a vote asked too late is not given": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null, LIMIT_MS);
      server.pause();
      const startedAt = performance.now();
      const vote = node.acquire(request());
      // Its sender is gone, so that nothing will take back what it leaves.
      await node.close();
      await vote;
      await until(() => performance.now() - startedAt > 3 * LIMIT_MS, "the limit to be over");
      server.resume();
      const isAsked = async () => /cmdstat_evalsha:calls=[1-9]/.test(await server.client.info("commandstats"));
      await until(isAsked, "the server to have met the request");
      return (await server.client.exists("r")) === 0 ? null : "a ghost: a vote is given to nobody";
    }),

  "an empty node is kept out": () => mustBeKeptOut([], (server) => server.client.flushall()),

  "a node that restarts with its old marker is kept out": () =>
    mustBeKeptOut([], async (server) => {
      const marker = (await server.client.get(MARKER_KEY)) ?? "";
      await server.restart();
      await server.client.set(MARKER_KEY, marker);
      return true;
    }),

  "a file that is synced every second proves nothing": () =>
    mustBeKeptOut(["--appendonly", "yes", "--appendfsync", "everysec"], async (server) => {
      // As if the last write had reached the disk: it is not known whether it did.
      await server.restart();
      return true;
    }),

  "clients with other lists of masters do not both win": () =>
    withServer([], async ({ open }) => {
      const node = await open(["a", "b", "c"]);
      await node.bootstrap();
      const other = await open(["a", "b", "c", "d", "e"]);
      const { kind } = await other.acquire(request());
      return kind === "granted" ? "a node votes for two lists of masters" : null;
    }),

  "a quarantine ends in spite of a clock that went back": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(membersOf([server.url]));
      await node.bootstrap();
      const [runId, , ...rest] = ((await server.client.get(MARKER_KEY)) ?? "").split("|");
      await server.client.set(MARKER_KEY, [runId, Date.now() + 3_600_000, ...rest].join("|"));
      const vote = await node.acquire(request());
      return vote.kind === "quarantined" && vote.forMs < 2 * LONG_MS
        ? null
        : "a node is out for longer than any lock lives";
    }),

  "keys of others are left alone": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null);
      await server.client.set("r", OTHER, "PX", LONG_MS);
      await node.acquire(request());
      await node.extend(request({ ttlMs: 2 * LONG_MS }));
      await node.heal(request());
      await node.release(RELEASE);
      const isLeft = (await server.client.get("r")) === OTHER && (await server.client.pttl("r")) <= LONG_MS;
      return isLeft ? null : "the key of another holder is changed";
    }),

  "a node out of memory extends what it has": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null);
      await node.acquire(request());
      await server.client.config("SET", "maxmemory", "1");
      const { kind } = await node.extend(request({ ttlMs: 2 * LONG_MS }));
      return kind === "extended" ? null : `an extension without memory is ${kind}`;
    }),

  "a fence is raised only for the holder": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null);
      await node.restoreFence({ fence: 500, isGuess: false, ...UNHURRIED });
      await server.client.set("r", OTHER, "PX", LONG_MS);
      await node.raiseFence({ resources: ["r"], token: TOKEN, fence: 900, ...UNHURRIED });
      const high = Number.parseInt((await server.client.get(FENCE_KEY)) ?? "", 10);
      return high === 500 ? null : `the counter is ${high} after a write-back by somebody who does not hold the lock`;
    }),

  "a node without counters issues no fence": () =>
    withServer([], async ({ open }) => {
      const node = await open(null);
      const { kind } = await node.acquire(request({ proposal: { fence: 10, limit: 1e12 } }));
      return kind === "granted" ? "a node that knows of no fence issues one" : null;
    }),

  "those who queue leave keys of others alone": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null);
      await server.client.set("r", OTHER, "PX", LONG_MS);
      await node.acquire(turn(2));
      await node.acquire(turn(1));
      await node.release(turn(1));
      await node.handOn("r");
      return (await server.client.get("r")) === OTHER ? null : "the key of another holder is taken over or handed on";
    }),

  "a node that voted and was emptied since is found out": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(membersOf([server.url]));
      await node.bootstrap();
      const { kind } = await node.acquire(turn(1));
      if (kind !== "granted") return `no vote to begin with: ${kind}`;
      await server.client.flushall();
      const isFound = until(() => node.status().condition === "quarantined", "the quarantine", 3000);
      return isFound.then(
        () => null,
        () => "its quarantine begins only when somebody asks for a vote",
      );
    }),

  "a key goes past the dead": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null);
      await node.acquire(turn(1));
      await node.acquire(turn(3));
      await node.acquire(turn(2, 1, 1));
      const diedAt = performance.now();
      await until(() => performance.now() - diedAt > 10, "the second to count as dead");
      await node.release(turn(1));
      return (await server.client.get("r")) === turn(3).token ? null : "a waiter that died is handed the key";
    }),

  "late requests of a waiter change nothing": () =>
    withServer([], async ({ server, open }) => {
      const node = await open(null);
      await node.acquire(turn(1, 2));
      await node.acquire(turn(1, 1));
      await node.release(turn(1, 1));
      const isKept = (await server.client.get("r")) === turn(1, 2).token;
      return isKept ? null : "an earlier request of a waiter undoes what a later one got";
    }),
} as const satisfies Readonly<Record<string, () => Promise<string | null>>>;
