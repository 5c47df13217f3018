import {
  type AcquireRequest,
  type AcquireVote,
  type LockNode,
  nodeId,
  SimulatedServer,
  VirtualClock,
} from "@/lib/redlock";
import { fingerprint } from "../support/lock-node-harness";
import { engineOver, lockOf, makeRig } from "../support/redlock-rig";

/** A scene that random faults meet too rarely, or cannot show. @returns what is broken, in words; null for a sound engine */
export type DirectedCheck = () => Promise<string | null>;

const R = ["r"];
const TTL_MS = 1000;
const NO_ANSWER = { kind: "unreachable", reason: "not asked for fences here" } as const;
const REFUSAL = { kind: "refused", resource: "r", holder: null, remainingMs: 500, foreignType: null } as const;

/** Nodes that answer acquires as told and note what they were asked. */
function notingNodes(count: number, answer: () => Promise<AcquireVote>) {
  const requests: AcquireRequest[] = [];
  const nodes = Array.from(
    { length: count },
    (_, index): LockNode => ({
      id: nodeId(`n${index}`),
      acquire(request) {
        requests.push(request);
        return answer();
      },
      extend: async () => REFUSAL,
      heal: async () => REFUSAL,
      release: async () => ({ kind: "gone" }),
      raiseFence: async () => REFUSAL,
      readFence: async () => NO_ANSWER,
      restoreFence: async () => NO_ANSWER,
    }),
  );
  return { requests, ...engineOver(nodes) };
}

/** A holder must never claim more than a quorum of nodes keeps for it. */
function claimsTooMuch(
  what: string,
  claimedMs: number,
  keys: readonly (number | null)[],
  quorum: number,
): string | null {
  const keptMs = keys.map((ms) => ms ?? 0).sort((a, b) => b - a)[quorum - 1] ?? 0;
  return claimedMs <= keptMs ? null : `${what}: claims ${claimedMs} ms, the nodes keep ${keptMs} ms`;
}

async function settles(clock: VirtualClock, promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  promise.then(() => {
    isSettled = true;
  });
  await clock.advance(5000);
  return isSettled;
}

/** By name, as the list of mutants refers to them. */
export const DIRECTED = {
  "a refused try leaves no vote behind": async () => {
    const rig = makeRig(5);
    for (const server of rig.servers.slice(0, 3)) server.store.set("r", "other", 5000);
    await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS));
    await rig.clock.advance(50);
    return rig
      .values("r")
      .slice(3)
      .every((value) => value === null)
      ? null
      : "votes of a refused try are kept";
  },

  "nodes that were silent are released too": async () => {
    const rig = makeRig(5);
    for (const server of rig.servers.slice(0, 3)) server.hang();
    await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS));
    for (const server of rig.servers) server.wake();
    await rig.clock.advance(50);
    return rig.values("r").every((value) => value === null) ? null : "a node that was silent keeps a ghost";
  },

  "an even split is decided": async () => {
    const rig = makeRig(4);
    for (const server of rig.servers.slice(0, 2)) server.store.set("r", "other", 50_000);
    return (await settles(rig.clock, rig.engine.tryAcquire(R, TTL_MS))) ? null : "an even split is never decided";
  },

  "a holder in a black hole is told in time": async () => {
    const rig = makeRig(5);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    let isTold = false;
    lock.signal.addEventListener("abort", () => {
      isTold = true;
    });
    for (const link of rig.links) link.hold();
    await rig.clock.advance(TTL_MS);
    return isTold ? null : "the holder is never told that its lock has ended";
  },

  "check looks at the clock": async () => {
    const rig = makeRig(3);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    rig.clock.stall(2 * TTL_MS);
    try {
      lock.check();
    } catch {
      return null; // as it must
    }
    return "check() passes after the process stood still past the end of the validity";
  },

  "a win counts from before its requests": async () => {
    const rig = makeRig(3);
    for (const link of rig.links) link.delay(20);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    return claimsTooMuch("acquired", lock.remaining(), rig.remaining("r"), 2);
  },

  "a lock won too late is refused": async () => {
    const rig = makeRig(3);
    const acquiring = rig.engine.tryAcquire(R, TTL_MS);
    await rig.clock.advance(0.7);
    rig.clock.stall(2 * TTL_MS);
    const outcome = await rig.clock.until(acquiring);
    return outcome.kind === "acquired" ? `handed out with ${outcome.lock.remaining()} ms left` : null;
  },

  "clocks of different speed are allowed for": async () => {
    const clock = new VirtualClock();
    const servers = ["a", "b", "c"].map(
      (name) => new SimulatedServer({ id: nodeId(name), clock, fingerprint, clockRate: 1.005 }),
    );
    const { engine } = engineOver(
      servers.map((server) => server.connect()),
      { clock },
    );
    const lock = lockOf(await clock.until(engine.tryAcquire(R, TTL_MS)));
    await clock.advance(lock.remaining() - 0.01);
    const kept = servers.filter((server) => server.store.get("r") !== null).length;
    return kept >= 2 ? null : `claimed to the last, but only ${kept} nodes with fast clocks still keep it`;
  },

  "an extension needs a majority": async () => {
    const rig = makeRig(5);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    for (const server of rig.servers.slice(0, 4)) server.hang();
    await rig.clock.until(rig.engine.tryExtend(lock, 2 * TTL_MS));
    return lock.remaining() <= TTL_MS ? null : "one node of five extends a lock";
  },

  "an extension counts from before its requests": async () => {
    const rig = makeRig(3);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    for (const link of rig.links) link.delay(20);
    await rig.clock.until(rig.engine.tryExtend(lock, TTL_MS));
    return claimsTooMuch("extended", lock.remaining(), rig.remaining("r"), 2);
  },

  "an ended lock is not extended": async () => {
    const rig = makeRig(3);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    await rig.clock.advance(lock.remaining() + 1);
    await rig.clock.until(rig.engine.tryExtend(lock, TTL_MS));
    return lock.remaining() === 0 ? null : "a lock whose validity had ended is revived";
  },

  "a failed extension deletes nothing": async () => {
    const rig = makeRig(5);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    for (const server of rig.servers.slice(0, 3)) server.hang();
    await rig.clock.until(rig.engine.tryExtend(lock, TTL_MS));
    for (const server of rig.servers) server.wake();
    await rig.clock.advance(50);
    return rig.values("r").every((value) => value === lock.token) ? null : "a failed extension deletes a valid lock";
  },

  "a lock that a majority denies is lost": async () => {
    const rig = makeRig(5);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    for (const server of rig.servers.slice(0, 3)) server.store.delete("r");
    await rig.clock.until(rig.engine.tryExtend(lock, TTL_MS));
    return lock.remaining() === 0 ? null : "the holder goes on although a majority denies its lock";
  },

  "every try has a token of its own": async () => {
    const { requests, clock, engine } = notingNodes(3, async () => REFUSAL);
    await clock.until(engine.tryAcquire(R, TTL_MS, { retryCount: 3 }));
    const tokens = new Set(requests.map(({ token }) => token));
    return tokens.size === 4 ? null : `four tries used ${tokens.size} tokens`;
  },

  "a request nobody waits for is cancelled": async () => {
    const { requests, clock, engine } = notingNodes(3, () => new Promise<AcquireVote>(() => {}));
    await clock.until(engine.tryAcquire(R, TTL_MS));
    return requests.every((request) => request.isCancelled()) ? null : "a node may still send what nobody waits for";
  },

  "nothing is healed behind a release": async () => {
    const rig = makeRig(5);
    const { token } = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    rig.servers[4]?.store.delete("r");
    rig.links[4]?.delay(15);
    const key = { resources: R, token };
    await rig.clock.until(rig.engine.tryExtend(key, TTL_MS));
    await rig.clock.until(rig.engine.release(key));
    await rig.clock.advance(200);
    return rig.values("r").every((value) => value === null) ? null : "a key comes back after its release";
  },

  "a key of another is left alone": async () => {
    const rig = makeRig(3);
    const lock = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS)));
    for (const server of rig.servers) server.store.set("r", "other", 5000);
    await rig.clock.until(rig.engine.tryExtend(lock, TTL_MS));
    await rig.clock.until(rig.engine.release(lock));
    await rig.clock.advance(50);
    return rig.values("r").every((value) => value === "other") ? null : "the key of another holder is changed";
  },
} as const satisfies Readonly<Record<string, DirectedCheck>>;
