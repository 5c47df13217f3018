import { basename, join } from "node:path";
import type { ShimBuild } from "@/lib/cluster";
import { createMasters, Guard, membersOf } from "@/lib/redis";
import { until } from "../support/until";
import { type ClientKind, type ClientOptions, createClient, type LockClient } from "./clients";
import { FaultLink } from "./fault-link";
import { startFaultNodes } from "./fault-nodes";
import { type Holder, startHolder } from "./holder-process";
import { ONE_TRY, type Scenario, type ScenarioOutcome, type Stage } from "./scenario";
import { acquireSoon, settledWithin, unblock } from "./scenario-steps";

/** No scenario takes so long, also on a busy machine. */
const PLAYED_WITHIN_MS = 60_000;

const CONNECTED_WITHIN_MS = 5000;
const REFUSED_WITHIN_MS = 500;
const BOOTSTRAP_TIMEOUT_MS = 5000;
const HOLDER_RETRIES = 20;

/** What every play of one run shares. */
export interface PlaySetup {
  readonly nodeTimeoutMs: number;
  /** Folder with the project's package.json. */
  readonly root: string;
  /** The bundled holder. */
  readonly holder: string;
  /** Null when no scenario of the run needs it. */
  readonly shim: ShimBuild | null;
  /** A client was given a lock. */
  onGrant(): void;
}

/**
 * Plays one scenario with one client on nodes of its own, and leaves nothing behind. Never rejects.
 *
 * @param folder for the data of the nodes; not yet there
 */
export async function play(
  scenario: Scenario,
  kind: ClientKind,
  { folder, ...setup }: PlaySetup & { readonly folder: string },
): Promise<ScenarioOutcome> {
  if (scenario.needsShim && setup.shim?.kind !== "built") {
    return { kind: "not_available", note: setup.shim?.reason ?? "no shim was built" };
  }
  const ends: (() => void | Promise<void>)[] = [];
  try {
    const playing = setTheStage({ ...setup, scenario, kind, folder }, ends).then((stage) => scenario.play(stage));
    const settled = await settledWithin(playing, PLAYED_WITHIN_MS);
    if (settled === null) return { kind: "broken", note: `not over in ${PLAYED_WITHIN_MS} ms` };
    return settled.kind === "fulfilled" ? settled.value : { kind: "broken", note: settled.reason };
  } finally {
    // The nodes were started first and end last.
    for (const end of ends.reverse()) await end();
  }
}

async function setTheStage(
  cast: PlaySetup & { readonly scenario: Scenario; readonly kind: ClientKind; readonly folder: string },
  ends: (() => void | Promise<void>)[],
): Promise<Stage> {
  const { scenario, kind, onGrant, shim } = cast;
  const playShim = scenario.needsShim && shim?.kind === "built" ? shimOf(shim, basename(cast.folder)) : null;
  const { nodes, stop } = await startFaultNodes(
    scenario.membership ?? 5,
    join(cast.folder, "nodes"),
    playShim,
    scenario.serverArgs,
  );
  ends.push(stop);
  const [links, rivalLinks] = await Promise.all([linksTo(nodes, ends), linksTo(nodes, ends)]);
  const addresses = nodes.map(({ server }) => server.url);
  const optionsFor = (urls: readonly string[], members = urls): ClientOptions => ({
    ...ONE_TRY,
    ...{ kind, urls, nodeTimeoutMs: cast.nodeTimeoutMs, root: cast.root },
    guard: { members: membersOf(members), maxTtlMs: scenario.ttlMs },
  });
  const open = (options: ClientOptions): LockClient => {
    const client = createClient(options);
    ends.push(() => client.disconnect());
    return counted(client, onGrant);
  };
  if (kind === "engine") await bootstrap(addresses, scenario.ttlMs);
  const urlsOf = (of: readonly FaultLink[]): readonly string[] => of.map(({ url }) => url);
  const a = open({ ...optionsFor(urlsOf(links), addresses), ...scenario.a });
  const b = open(optionsFor(urlsOf(rivalLinks), addresses));
  // Connected, and its scripts known to every node: a scenario is about its fault and nothing else.
  const withinMs = scenario.isRefusalExpected === true ? REFUSED_WITHIN_MS : CONNECTED_WITHIN_MS;
  for (const client of [a, b]) await (await acquireSoon(client, 1000, withinMs))?.release();
  await unblock(nodes);
  return {
    ...{ a, b, links, rivalLinks, nodes, ttlMs: scenario.ttlMs },
    async open(list, { kind: other = kind, isFirst = false } = {}) {
      if (isFirst && other === "engine") await bootstrap(list, scenario.ttlMs);
      return open({ ...optionsFor(list), kind: other });
    },
    async startHolder(way): Promise<Holder> {
      const client = { ...optionsFor(addresses), retryCount: HOLDER_RETRIES };
      const holder = startHolder(cast.holder, { client, way, ttlMs: scenario.ttlMs });
      ends.push(() => holder.kill());
      return holder;
    },
  };
}

type BuiltShim = Extract<ShimBuild, { readonly kind: "built" }>;

/** With control files of this play: others run at the same time. */
function shimOf({ forServer }: BuiltShim, playName: string): BuiltShim {
  return { kind: "built", forServer: (name) => forServer(`${playName}-${name}`) };
}

async function linksTo(nodes: Stage["nodes"], ends: (() => void | Promise<void>)[]): Promise<readonly FaultLink[]> {
  const links = await Promise.all(nodes.map(({ server }) => FaultLink.start(server.port)));
  ends.push(() => {
    for (const link of links) link.close();
  });
  return links;
}

/** What an operator does before the first use: no lock can be held on nodes that were just started. */
async function bootstrap(list: readonly string[], maxTtlMs: number): Promise<void> {
  const guard = new Guard({ mode: "full", members: membersOf(list), maxTtlMs });
  const masters = createMasters(list, { nodeTimeoutMs: BOOTSTRAP_TIMEOUT_MS, probeEveryMs: 0, guard });
  try {
    for (const master of masters) {
      // On a busy machine the first connection may fail.
      const isDone = async (): Promise<boolean> => (await master.bootstrap()).kind === "done";
      await until(isDone, `${master.id} to be bootstrapped`);
    }
  } finally {
    for (const master of masters) await master.close();
  }
}

function counted(client: LockClient, onGrant: () => void): LockClient {
  return {
    ...client,
    async acquire(resource, ttlMs) {
      const lock = await client.acquire(resource, ttlMs);
      onGrant();
      return lock;
    },
  };
}
