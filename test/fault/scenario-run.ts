import { join } from "node:path";
import { CLIENTS, type ClientKind, createClient, type LockClient } from "./clients";
import { FaultLink } from "./fault-link";
import { type FaultNode, startFaultNodes } from "./fault-nodes";
import { LIVENESS_SCENARIOS } from "./liveness-scenarios";
import { SAFETY_SCENARIOS } from "./safety-scenarios";
import { acquireSoon, ONE_TRY, RESOURCE, type Scenario, type ScenarioOutcome } from "./scenario";

export const SCENARIOS: readonly Scenario[] = [...SAFETY_SCENARIOS, ...LIVENESS_SCENARIOS];

/** One cell of the table. */
export interface ScenarioCell {
  readonly scenario: Scenario;
  readonly client: ClientKind;
  readonly outcome: ScenarioOutcome;
}

export interface ScenarioRequest {
  /** Null = every client. */
  readonly client: ClientKind | null;
  /** `all` or a name. */
  readonly scenario: string;
  readonly nodeTimeoutMs: number;
  readonly root: string;
  readonly folder: string;
  /** Breaks off before the next one. */
  readonly signal: AbortSignal;
}

/** Plays the scripted faults against real nodes, one after the other. `grants` counts the locks that clients were given. */
export async function runScenarios(
  request: ScenarioRequest,
): Promise<{ readonly cells: readonly ScenarioCell[]; readonly grants: number }> {
  const scenarios = SCENARIOS.filter(({ name }) => request.scenario === "all" || request.scenario === name);
  if (scenarios.length === 0) {
    throw new RangeError(`--scenario must be all or one of: ${SCENARIOS.map(({ name }) => name).join("; ")}`);
  }
  const { nodes, stop } = await startFaultNodes(5, join(request.folder, "nodes"));
  const cells: ScenarioCell[] = [];
  let grants = 0;
  const onGrant = (): void => {
    grants += 1;
  };
  try {
    for (const client of request.client === null ? CLIENTS : [request.client]) {
      for (const scenario of scenarios) {
        request.signal.throwIfAborted();
        cells.push({ scenario, client, outcome: await play(request, { scenario, client, nodes, onGrant }) });
      }
    }
    return { cells, grants };
  } finally {
    await stop();
  }
}

/** One row per scenario, one column per client. */
export function scenarioTable(cells: readonly ScenarioCell[]): string {
  const clients = [...new Set(cells.map(({ client }) => client))];
  const rows = [...new Set(cells.map(({ scenario }) => scenario))].map((scenario) => {
    const own = clients.map((client) => cells.find((cell) => cell.client === client && cell.scenario === scenario));
    return `| ${[scenario.name, ...own.map((cell) => (cell === undefined ? "" : inWords(cell.outcome)))].join(" | ")} |`;
  });
  return [`| scenario | ${clients.join(" | ")} |`, `|---|${clients.map(() => "---|").join("")}`, ...rows].join("\n");
}

/** Red: unsafe, or stuck. */
export function isRed({ outcome }: ScenarioCell): boolean {
  return outcome.kind === "violated" || outcome.kind === "not_live";
}

function inWords(outcome: ScenarioOutcome): string {
  switch (outcome.kind) {
    case "ok":
      return outcome.note === "" ? "ok" : `ok (${outcome.note})`;
    case "violated":
      return `**V** ${outcome.note}`;
    case "not_live":
      return `**L** ${outcome.note}`;
    case "not_applicable":
      return "–";
    default:
      return outcome satisfies never;
  }
}

async function play(
  { nodeTimeoutMs, root }: ScenarioRequest,
  cast: {
    readonly scenario: Scenario;
    readonly client: ClientKind;
    readonly nodes: readonly FaultNode[];
    readonly onGrant: () => void;
  },
): Promise<ScenarioOutcome> {
  const { scenario, client: kind, onGrant } = cast;
  const nodes = cast.nodes.slice(0, scenario.membership);
  await Promise.all(nodes.map(({ server }) => server.client.flushall()));
  const links = await Promise.all(nodes.map(({ server }) => FaultLink.start(server.port)));
  const common = { kind, nodeTimeoutMs, root };
  const open = [
    createClient({ ...common, ...scenario.a, guard: null, urls: links.map((link) => link.url) }),
    createClient({ ...common, ...ONE_TRY, guard: null, urls: nodes.map(({ server }) => server.url) }),
  ];
  const [a, b] = open.map((client) => counted(client, onGrant));
  if (a === undefined || b === undefined) throw new RangeError("a scenario needs two clients");
  try {
    // Connected, and its scripts known to every node: a scenario is about its fault and nothing else.
    for (const client of [a, b]) await (await acquireSoon(client, 1000, 5000))?.release();
    await Promise.all(nodes.map(({ server }) => server.client.del(RESOURCE)));
    return await scenario.play({ a, b, links, nodes, ttlMs: scenario.ttlMs });
  } finally {
    for (const { server } of nodes) server.resume();
    for (const client of open) client.disconnect();
    for (const link of links) link.close();
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
