import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import {
  LAB_CROWD,
  LAB_SCENARIOS,
  type LabCrowd,
  type LabRunSummary,
  type LabScenario,
  type LabScenarioId,
} from "@/lib/contract";

const DEFAULT_SEED = 1;

/** What to play and how to show it is in the URL, so that a run can be sent to a colleague and played again, or looked at. */
const CHOICE = {
  scenario: parseAsStringLiteral(LAB_SCENARIOS).withDefault("single-instance"),
  seed: parseAsInteger.withDefault(DEFAULT_SEED),
  n: parseAsInteger,
  clients: parseAsInteger,
  jitter: parseAsStringLiteral(["on", "off"]),
  requests: parseAsStringLiteral(["at-once", "in-turn"]),
  /** A run that is kept; without it the newest one is shown. */
  run: parseAsString,
  predict: parseAsStringLiteral(["1"]),
  present: parseAsStringLiteral(["1"]),
};

/** What would be played. */
export interface LabChoice {
  readonly scenario: LabScenarioId;
  readonly seed: number;
  readonly n: number;
  /** Left out where the scenario has none. */
  readonly crowd?: LabCrowd;
}

/** The URL of the lab, read and written. */
export function useChoice() {
  return useQueryStates(CHOICE);
}

type Query = ReturnType<typeof useChoice>[0];

/** What the URL asks for. Numbers that the scenario cannot be played with are brought to the nearest ones that it can. */
export function choiceOf({ seed, n, clients, jitter, requests }: Query, scenario: LabScenario): LabChoice {
  const own = { scenario: scenario.id, seed, n: clamped(n ?? scenario.n.usual, scenario.n) };
  const { crowd } = scenario;
  if (crowd === null) return own;
  return {
    ...own,
    crowd: {
      clients: clamped(clients ?? crowd.clients, LAB_CROWD),
      isJittered: jitter === null ? crowd.isJittered : jitter === "on",
      isInTurn: requests === null ? crowd.isInTurn : requests === "in-turn",
    },
  };
}

/** The part of the URL that stands for a crowd. */
export function crowdQuery(crowd: LabCrowd | null): Pick<Query, "clients" | "jitter" | "requests"> {
  if (crowd === null) return { clients: null, jitter: null, requests: null };
  const { clients, isJittered, isInTurn } = crowd;
  return { clients, jitter: isJittered ? "on" : "off", requests: isInTurn ? "in-turn" : "at-once" };
}

/** The part of the URL that stands for a run that is kept, and for playing it again where it is not kept any more. */
export function runQuery({ id, scenario, seed, n, crowd }: Omit<LabRunSummary, "state" | "tookMs">) {
  return { run: id, scenario, seed, n, ...crowdQuery(crowd) };
}

/** Whether a run is of what is chosen. */
export function isChoiceOf({ scenario, seed, n, crowd }: LabChoice, run: LabRunSummary): boolean {
  const isSameCrowd =
    crowd?.clients === run.crowd?.clients &&
    crowd?.isJittered === run.crowd?.isJittered &&
    crowd?.isInTurn === run.crowd?.isInTurn;
  return scenario === run.scenario && seed === run.seed && n === run.n && isSameCrowd;
}

function clamped(n: number, { least, most }: { readonly least: number; readonly most: number }): number {
  return Math.min(most, Math.max(least, n));
}
