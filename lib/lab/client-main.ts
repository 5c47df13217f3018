// One client of the Quorum Lab in a process of its own, so that it can be stopped and killed like any client. Bundled by the
// launcher (lib/setup/lab-client.mjs), since Node cannot load its TypeScript.

import type { LabVote } from "@/lib/contract";
import { createMasters, fingerprintOf, Guard, type Master, noGuard, systemClock, systemRandom } from "@/lib/redis";
import {
  type AcquireVote,
  type Ballot,
  describeRefusal,
  describeVote,
  type ExtendVote,
  type Lock,
  quorumOf,
  RedlockEngine,
  type ReleaseVote,
} from "@/lib/redlock";
import { Crowd } from "./client-contest";
import { AskedOf, noted } from "./client-nodes";
import type { ClientAnswers, ClientHappening, ClientNews, ClientOrder, ClientTask } from "./client-task";
import { work, write } from "./client-work";
import { nowUs } from "./intervals";
import { sendRaw } from "./raw-command";

const CONNECT_WITHIN_MS = 3000;
const KNOWN_WITHIN_MS = 1000;
const READY_LOOKS_MAX = 3;
const BOOTSTRAP_TRIES_MAX = 4;
const LOOK_EVERY_MS = 10;

const { urls, guard, nodeTimeoutMs } = JSON.parse(process.argv[2] ?? "") as ClientTask;
const masters: readonly Master[] = createMasters(urls, {
  nodeTimeoutMs,
  probeEveryMs: 0,
  guard: guard === null ? noGuard() : new Guard({ mode: "full", ...guard }),
});
const asked = new AskedOf();
const engine = new RedlockEngine(noted(masters, asked), {
  clock: systemClock,
  random: systemRandom,
  wallClock: Date.now,
  settings: { nodeTimeoutMs },
});
const crowd = new Crowd({ urls, nodeTimeoutMs });
const held = new Map<string, Lock>();

function tell(news: ClientNews): void {
  process.send?.(news);
}

function happened(what: ClientHappening): void {
  tell({ kind: "happened", what });
}

async function acquire({
  id,
  resource,
  ttlMs,
  wishes,
}: Extract<ClientOrder, { verb: "acquire" }>): Promise<ClientAnswers["acquire"]> {
  const askedUs = nowUs();
  const outcome = await engine.tryAcquire([resource], ttlMs, wishes);
  // Rounded up, so that the interval on record lies inside the true one.
  const atUs = nowUs() + 1;
  if (outcome.kind === "not_acquired") {
    const votes = votesOf(await outcome.settled());
    return { kind: "refused", askedUs, atUs, votes, text: describeRefusal(outcome.refusal) };
  }
  const { lock } = outcome;
  const untilUs = atUs + Math.floor(lock.remaining() * 1000);
  held.set(id, lock);
  const votes = votesOf(await outcome.settled());
  return {
    kind: "granted",
    askedUs,
    atUs,
    untilUs,
    votes,
    holder: fingerprintOf(lock.token),
    fence: lock.fencingToken,
  };
}

async function release({ id }: { readonly id: string }): Promise<ClientAnswers["release"]> {
  const lock = lockOf(id);
  held.delete(id);
  const endedUs = nowUs();
  happened({ kind: "ending", id, atUs: endedUs });
  const { kind, settled } = await lock.release();
  return { outcome: kind, votes: votesOf(await settled()), atUs: nowUs() };
}

function lockOf(id: string): Lock {
  const lock = held.get(id);
  if (lock === undefined) throw new Error(`this client was never granted ${id}`);
  return lock;
}

async function reach(nodes: readonly string[]): Promise<ClientAnswers["reach"]> {
  const wanted = masters.filter(({ id }) => nodes.includes(id));
  const [deadline, knownBy] = [performance.now() + CONNECT_WITHIN_MS, performance.now() + KNOWN_WITHIN_MS];
  for (;;) {
    // What is known of a node may be old: one that was silent counts as down, and one that was a replica as such, until asked again.
    await Promise.all(wanted.map((master) => master.probe()));
    const isUp = wanted.every((master) => master.status().state === "up");
    // A node whose clock was read too slowly is asked for no votes; others may have a reason that stays.
    const isKnown = wanted.every((master) => master.status().refusesGrants === null);
    if (isUp && (isKnown || performance.now() > knownBy)) return { isReached: true };
    if (performance.now() > deadline) return { isReached: false };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function bootstrap(): Promise<ClientAnswers["bootstrap"]> {
  let left = masters;
  // A node of a busy machine may be too slow to answer once.
  for (let tries = 0; left.length > 0 && tries < BOOTSTRAP_TRIES_MAX; tries += 1) {
    const answers = await Promise.all(left.map(async (master) => ({ master, ...(await master.bootstrap()) })));
    left = answers.filter(({ kind }) => kind !== "done").map(({ master }) => master);
  }
  return { isDone: left.length === 0 };
}

async function raw({ node, words }: Extract<ClientOrder, { verb: "raw" }>): Promise<ClientAnswers["raw"]> {
  const url = urls.find((each) => each.endsWith(`#${node}`));
  if (url === undefined) throw new Error(`there is no node ${node}`);
  return { answer: await sendRaw(Number(new URL(url).port), words, nodeTimeoutMs), atUs: nowUs() };
}

function votesOf(ballots: readonly Ballot<AcquireVote | ExtendVote | ReleaseVote>[]): readonly LabVote[] {
  return ballots.map(({ node, vote }) => ({ node, kind: vote.kind, text: describeVote(vote) }));
}

function obey(order: ClientOrder): Promise<ClientAnswers[keyof ClientAnswers]> {
  switch (order.verb) {
    case "acquire":
      return acquire(order);
    case "release":
      return release(order);
    case "reach":
      return reach(order.nodes);
    case "read-clocks":
      return Promise.all(masters.map((master) => master.probe())).then(() => ({ isDone: true }));
    case "bootstrap":
      return bootstrap();
    case "raw":
      return raw(order);
    case "work":
      work(
        { engine, asked, tell: happened, votesOf: async (of) => votesOf(await of.settled()) },
        lockOf(order.id),
        order,
      );
      return Promise.resolve({ isWorking: true });
    case "write":
      return write(lockOf(order.id), order, happened);
    case "gather":
      return crowd.gather(order.clients).then(() => ({ isGathered: true }));
    case "contend":
      return crowd.contend(order);
    default:
      return order satisfies never;
  }
}

process.on("message", (message) => {
  const order = message as ClientOrder;
  obey(order).then(
    (answer) => tell({ kind: "answer", order: order.order, answer }),
    (error: unknown) => tell({ kind: "problem", order: order.order, text: String(error) }),
  );
});
// Without the lab it has nothing to live for.
process.on("disconnect", () => process.exit(1));
/** Nodes that are down may stay so, and a client begins without them; without a majority it waits on, as the machine may be busy. */
for (let looks = 0; looks < READY_LOOKS_MAX; looks += 1) {
  await reach(masters.map(({ id }) => id));
  const ready = masters.filter((master) => master.status().state === "up" && master.status().refusesGrants === null);
  if (ready.length >= quorumOf(masters.length)) break;
}
tell({ kind: "ready" });
