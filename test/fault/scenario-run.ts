import { join } from "node:path";
import { buildServerShim } from "@/lib/cluster";
import { CLIENTS, type ClientKind } from "./clients";
import type { Scenario, ScenarioOutcome } from "./scenario";
import { type PlaySetup, play } from "./scenario-stage";
import { CLOCK_SCENARIOS } from "./scenarios/clock";
import { HOLDING_SCENARIOS } from "./scenarios/holding";
import { HUNG_SCENARIOS } from "./scenarios/hung";
import { LATE_SCENARIOS } from "./scenarios/late";
import { MEMBERSHIP_SCENARIOS } from "./scenarios/membership";
import { RESTART_SCENARIOS } from "./scenarios/restart";

/** In the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  ...RESTART_SCENARIOS,
  ...CLOCK_SCENARIOS,
  ...MEMBERSHIP_SCENARIOS,
  ...HOLDING_SCENARIOS,
  ...LATE_SCENARIOS,
  ...HUNG_SCENARIOS,
];

/** So many are played at a time: most of them wait most of the time. More would take each other's processor. */
const AT_A_TIME = 4;

/** One cell of the table. */
export interface ScenarioCell {
  readonly scenario: Scenario;
  readonly client: ClientKind;
  readonly outcome: ScenarioOutcome;
}

export interface ScenarioRequest extends Omit<PlaySetup, "onGrant" | "shim"> {
  /** Null = every client. */
  readonly client: ClientKind | null;
  /** `all` or a name. */
  readonly scenario: string;
  readonly folder: string;
  /** Breaks off before the next one. */
  readonly signal: AbortSignal;
  /** One more is over. */
  onPlayed(progress: { readonly played: number; readonly planned: number }): void;
}

/** Plays the scripted faults against real nodes. `grants` counts the locks that clients were given. */
export async function runScenarios(
  request: ScenarioRequest,
): Promise<{ readonly cells: readonly ScenarioCell[]; readonly grants: number }> {
  const scenarios = SCENARIOS.filter(({ name }) => request.scenario === "all" || request.scenario === name);
  if (scenarios.length === 0) {
    throw new RangeError(`--scenario must be all or one of: ${SCENARIOS.map(({ name }) => name).join("; ")}`);
  }
  const clients = request.client === null ? CLIENTS : [request.client];
  const plays = clients.flatMap((client) => scenarios.map((scenario) => ({ client, scenario })));
  const needsShim = scenarios.some((scenario) => scenario.needsShim);
  const shim = needsShim ? await buildServerShim(join(request.folder, "shim")) : null;
  const cells: ScenarioCell[] = [];
  let grants = 0;
  const onGrant = (): void => {
    grants += 1;
  };
  let next = 0;
  let played = 0;
  const playOn = async (): Promise<void> => {
    for (let index = next++; index < plays.length; index = next++) {
      request.signal.throwIfAborted();
      const cell = plays[index];
      if (cell === undefined) return;
      const folder = join(request.folder, `play-${index}`);
      cells[index] = {
        ...cell,
        outcome: await play(cell.scenario, cell.client, { ...request, shim, onGrant, folder }),
      };
      played += 1;
      request.onPlayed({ played, planned: plays.length });
    }
  };
  // All of them end before this does, also when one is broken off: nothing may outlive the run.
  const ended = await Promise.allSettled(Array.from({ length: AT_A_TIME }, playOn));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return { cells, grants };
}

/** Red: unsafe, stuck, or not to be told. */
export function isRed({ outcome }: ScenarioCell): boolean {
  return outcome.kind === "violated" || outcome.kind === "not_live" || outcome.kind === "broken";
}
