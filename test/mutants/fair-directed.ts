import { lockOf, makeRig, type Rig } from "../support/redlock-rig";
import type { DirectedCheck } from "./directed";

const R = ["r"];
const TTL_MS = 10_000;
const FAIR = { fair: true, waitMs: 60_000 };

/** A lock that is held, and a client that waits for it. */
async function holdAndWait(rig: Rig) {
  const holder = lockOf(await rig.clock.until(rig.engine.tryAcquire(R, TTL_MS, { fair: true })));
  const { engine, links } = rig.join();
  const controller = new AbortController();
  const waiting = engine.tryAcquire(R, TTL_MS, { ...FAIR, signal: controller.signal });
  await rig.clock.advance(10);
  return { holder, links, waiting, giveUp: () => controller.abort() };
}

/** How long it takes, milliseconds. */
async function timed(rig: Rig, work: Promise<unknown>): Promise<number> {
  const before = rig.clock.now();
  await rig.clock.until(work);
  return rig.clock.now() - before;
}

/** By name, as the list of mutants refers to them. */
export const FAIR_DIRECTED = {
  "a release hands over at once": async () => {
    const rig = makeRig(5);
    const { holder, waiting } = await holdAndWait(rig);
    await rig.clock.until(holder.release());
    const tookMs = await timed(rig, waiting);
    return tookMs < 10 ? null : `the lock comes ${tookMs} ms after its release`;
  },

  "a waiter that gives up leaves no trace": async () => {
    const rig = makeRig(5);
    const { waiting, giveUp } = await holdAndWait(rig);
    giveUp();
    await rig.clock.until(waiting);
    await rig.clock.advance(10);
    const isLeft = rig.servers.some(({ store }) => store.queues.order("r").length > 0);
    return isLeft ? "a waiter that gave up still stands in the queues" : null;
  },

  "a node that hung is told of a waiter that left": async () => {
    const rig = makeRig(5);
    for (const { store } of rig.servers.slice(1)) store.set("r", "somebody's", TTL_MS);
    const controller = new AbortController();
    const waiting = rig.engine.tryAcquire(R, TTL_MS, { ...FAIR, signal: controller.signal });
    await rig.clock.advance(10);
    rig.servers[0]?.hang();
    await rig.clock.advance(4000);
    controller.abort();
    await rig.clock.until(waiting);
    rig.servers[0]?.wake();
    await rig.clock.advance(10);
    return rig.values("r")[0] === null ? null : "what a waiter had on a node that hung stays there";
  },

  "a split between waiters ends soon": async () => {
    const rig = makeRig(4);
    const clients = [rig.join(), rig.join()];
    for (const [index, { links }] of clients.entries()) {
      for (const [node, link] of links.entries()) link.delay(node % 2 === index ? 0 : 2);
    }
    const tookMs = await timed(rig, Promise.race(clients.map(({ engine }) => engine.acquire(R, TTL_MS, FAIR))));
    return tookMs < 500 ? null : `an even split lasts ${tookMs} ms`;
  },

  "a word that is lost costs a look": async () => {
    const rig = makeRig(5);
    const { holder, links, waiting } = await holdAndWait(rig);
    for (const { handOver } of links) handOver.isMute = true;
    await rig.clock.until(holder.release());
    const tookMs = await timed(rig, waiting);
    return tookMs < 1100 ? null : `a lost word costs ${tookMs} ms`;
  },

  "what cannot be won is given back": async () => {
    const rig = makeRig(5);
    const { engine, links } = rig.join();
    for (const link of links.slice(2)) link.hold();
    void engine.tryAcquire(R, TTL_MS, FAIR);
    for (let looks = 0; looks < 20; looks += 1) {
      await rig.clock.advance(97);
      if (looks > 0 && rig.values("r").every((value) => value === null)) return null;
    }
    return "a client that reaches a minority keeps it from the others all the while";
  },

  "a waiter that asks again keeps its turn": async () => {
    const rig = makeRig(5);
    const { holder, links, waiting } = await holdAndWait(rig);
    const second = rig.join().engine.tryAcquire(R, TTL_MS, FAIR);
    await rig.clock.advance(10);
    // Words may have been missed, so it asks again.
    for (const link of links) link.reset();
    await rig.clock.advance(100);
    await rig.clock.until(holder.release());
    const tookMs = await timed(rig, Promise.race([waiting, second]));
    if (tookMs > 10) return `a hand-over takes ${tookMs} ms`;
    return rig.values("r")[0] === lockOf(await waiting).token ? null : "a later waiter is served first";
  },
} as const satisfies Readonly<Record<string, DirectedCheck>>;
