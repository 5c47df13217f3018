// What a holder still believes, and what extending does.

import { nowUs } from "@/lib/lab";
import type { Holder } from "../holder-process";
import { notLive, ok, RESOURCE, type Scenario, type ScenarioOutcome, type Stage, shown, violated } from "../scenario";
import { acquireSoon, keysOn, nowMs, pauseMs, settledWithin, tryUntilGranted, unblock } from "../scenario-steps";

const HELD_WITHIN_MS = 20_000;
const SEEN_WITHIN_MS = 500;

const blackHole: Scenario = {
  name: "the holder falls into a black hole",
  says: "inside using() every connection of the holder goes silent; it must stop in time",
  ttlMs: 1000,
  a: { retryCount: 20 },
  async play({ a, b, links, ttlMs }) {
    if (a.using === null) return { kind: "not_applicable" };
    let isOver = false;
    let stoppedAt: number | null = null;
    let onBegun = (): void => {};
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const working = a.using(RESOURCE, ttlMs, async (isAborted) => {
      onBegun();
      for (const link of links) link.hole("both");
      while (!isAborted() && !isOver) await pauseMs(5);
      stoppedAt = isAborted() ? nowMs() : null;
    });
    // It ends long after this scenario, if at all.
    working.catch(() => {});
    if ((await settledWithin(begun, 5000)) === null) return notLive("never got it");
    const other = await acquireSoon(b, 5 * ttlMs, 3 * ttlMs);
    const grantedAt = nowMs();
    while (stoppedAt === null && nowMs() < grantedAt + 2 * ttlMs) await pauseMs(10);
    isOver = true;
    if (other === null) return notLive("nobody else could take it");
    if (stoppedAt === null) return violated(`never told, for ${shown(nowMs() - grantedAt)} and more`);
    const overlapMs = stoppedAt - grantedAt;
    return overlapMs <= 0 ? ok(`told ${shown(-overlapMs)} before`) : violated(shown(overlapMs));
  },
};

const stoppedChecking: Scenario = {
  name: "the holder's process is stopped, it checks the validity",
  says: "SIGSTOP until another holds; the holder looks at its validity before each write",
  ttlMs: 1000,
  play: (stage) => stopAndGo(stage, "validity"),
};

const stoppedListening: Scenario = {
  name: "the holder's process is stopped, it checks the signal",
  says: "SIGSTOP until another holds; the holder looks only at the signal of using() before each write",
  ttlMs: 1000,
  async play(stage) {
    return stage.a.using === null ? { kind: "not_applicable" } : stopAndGo(stage, "signal");
  },
};

/** Counts what the holder writes after another was granted the lock. */
async function stopAndGo({ b, ttlMs, startHolder }: Stage, way: "validity" | "signal"): Promise<ScenarioOutcome> {
  const holder = await startHolder(way);
  if (!(await comesTrue(() => holder.writes.length > 0, HELD_WITHIN_MS))) return notLive("never got it");
  holder.stop();
  const { lock } = await tryUntilGranted(b, 5 * ttlMs, 6 * ttlMs);
  const grantedUs = nowUs();
  // Behind the grant by more than any rounding.
  await pauseMs(20);
  holder.resume();
  if (lock === null) return notLive("nobody else could take it");
  await comesTrue(() => hasWrittenSince(holder, grantedUs), SEEN_WITHIN_MS);
  const late = holder.writes.filter((atUs) => atUs > grantedUs).length;
  return late > 0 ? violated(`${late} late ${late === 1 ? "write" : "writes"}`) : ok("no late write");
}

function hasWrittenSince({ writes, hasEnded }: Holder, us: number): boolean {
  return hasEnded() && writes.some((atUs) => atUs > us);
}

async function comesTrue(condition: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = nowMs() + withinMs; nowMs() < end; await pauseMs(5)) if (condition()) return true;
  return condition();
}

const minorityExtension: Scenario = {
  name: "extension with two keys of five",
  says: "three of the five keys are gone when the holder extends",
  ttlMs: 2000,
  async play({ a, nodes, ttlMs }) {
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    await unblock(nodes.slice(2));
    const settled = await settledWithin(lock.extend(ttlMs), 3000);
    if (settled === null) return notLive("no answer in 3 s");
    if (settled.kind === "fulfilled") return violated("extended");
    return ok((await keysOn(nodes.slice(0, 2))) === 2 ? "refused" : "refused, and the rest is deleted");
  },
};

const revival: Scenario = {
  name: "extension after the validity has ended",
  says: "the keys are still there, since a clock was slow, but the holder's time is over",
  ttlMs: 1000,
  async play({ a, nodes, ttlMs }) {
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    await Promise.all(nodes.map(({ server }) => server.client.pexpire(RESOURCE, 5 * ttlMs)));
    await comesTrue(() => lock.remainingMs() <= 0, 2 * ttlMs);
    if ((await keysOn(nodes)) !== nodes.length) throw new Error("the keys were gone");
    const settled = await settledWithin(lock.extend(ttlMs), 3000);
    if (settled === null) return notLive("no answer in 3 s");
    return settled.kind === "fulfilled" ? violated("revived") : ok("refused");
  },
};

const stalledExtension: Scenario = {
  name: "extension while three nodes stall",
  says: "three nodes stand still for a moment during an extension; the lock must not be lost by that",
  ttlMs: 3000,
  a: { retryCount: 3, retryDelayMs: 50, commandTimeoutMs: 150 },
  async play({ a, b, nodes, ttlMs }) {
    const lock = await acquireSoon(a, ttlMs, 5000);
    if (lock === null) return notLive("never got it");
    for (const { server } of nodes.slice(0, 3)) server.pause();
    const extending = settledWithin(lock.extend(ttlMs), ttlMs);
    await settledWithin(extending, 250);
    for (const { server } of nodes.slice(0, 3)) server.resume();
    const other = await acquireSoon(b, ttlMs, 0.6 * ttlMs);
    const leftMs = lock.remainingMs();
    if (other !== null && leftMs > 0) return violated(shown(Math.min(leftMs, other.remainingMs())));
    await lock.release();
    return ok();
  },
};

/** Scripted faults that befall a holder. */
export const HOLDING_SCENARIOS: readonly Scenario[] = [
  blackHole,
  stoppedChecking,
  stoppedListening,
  minorityExtension,
  revival,
  stalledExtension,
];
