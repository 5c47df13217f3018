import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENTS, type ClientKind } from "./clients";
import { type Scenario, type ScenarioOutcome, shown } from "./scenario";
import type { ScenarioCell } from "./scenario-run";

const TITLES: Readonly<Record<ClientKind, string>> = {
  engine: "this engine",
  "redlock-5": "redlock 5",
  "redlock-4": "redlock 4",
  sesamecare: "sesamecare",
};
const BEGIN = "<!-- scenarios:begin -->";
const END = "<!-- scenarios:end -->";

/** One row per scenario, one column per client. */
export function scenarioTable(cells: readonly ScenarioCell[]): string {
  const clients = CLIENTS.filter((kind) => cells.some(({ client }) => client === kind));
  const scenarios = [...new Set(cells.map(({ scenario }) => scenario))];
  const rows = scenarios.map((scenario) => {
    const own = clients.map((client) => cells.find((cell) => cell.client === client && cell.scenario === scenario));
    const words = own.map((cell) => (cell === undefined ? "" : inWords(cell.outcome)));
    return `| ${[scenario.name, settingsOf(scenario), ...words].join(" | ")} |`;
  });
  const head = ["Scenario", "ttl", ...clients.map((client) => TITLES[client])].join(" | ");
  return [`| ${head} |`, `|---|${"---|".repeat(clients.length + 1)}`, ...rows].join("\n");
}

function settingsOf({ ttlMs, a }: Scenario): string {
  const limitMs = a?.commandTimeoutMs ?? null;
  return `${ttlMs / 1000} s${limitMs === null ? "" : `, limit ${shown(limitMs)}`}`;
}

/** Puts the table and what it was made with between its marks. @throws Error when they are not there */
export function withScenarioTable(document: string, setup: string, table: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`README.md needs the marks ${BEGIN} and ${END}, in this order`);
  return `${document.slice(0, begin + BEGIN.length)}\n${setup}\n\n${table}\n${document.slice(end)}`;
}

/**
 * Writes the table of all scenarios and clients into README.md.
 *
 * @throws Error when a scenario could not be played: the table would have a hole
 */
export function writeScenarioTable(root: string, cells: readonly ScenarioCell[]): void {
  const hole = cells.find(({ outcome }) => outcome.kind === "broken" || outcome.kind === "not_available");
  if (hole !== undefined) {
    throw new Error(`README.md is left as it is: ${hole.client}, "${hole.scenario.name}": ${inWords(hole.outcome)}`);
  }
  const path = join(root, "README.md");
  const libraries = [
    ...["redlock-5", "redlock-4"].map((name) => `redlock ${versionOf(root, name)}`),
    `@sesamecare-oss/redlock ${versionOf(root, "@sesamecare-oss/redlock")}`,
    `ioredis ${versionOf(root, "ioredis")}`,
  ];
  const setup = `Made with redis-server ${serverVersion()}, ${libraries.join(", ")}:`;
  writeFileSync(path, withScenarioTable(readFileSync(path, "utf8"), setup, scenarioTable(cells)));
}

function versionOf(root: string, name: string): string {
  const text = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version.replace(/^v/, "");
}

function serverVersion(): string {
  return (
    /v=([\d.]+)/.exec(execFileSync("redis-server", ["--version"], { encoding: "utf8" }))?.[1] ?? "of unknown version"
  );
}

function inWords(outcome: ScenarioOutcome): string {
  switch (outcome.kind) {
    case "ok":
      return outcome.note === "" ? "ok" : `ok, ${outcome.note}`;
    case "refused":
      return `refuses: ${outcome.note}`;
    case "violated":
      return `**V** ${outcome.note}`;
    case "not_live":
      return `**L** ${outcome.note}`;
    case "not_applicable":
      return "–";
    case "not_available":
      return `not available here: ${outcome.note}`;
    case "broken":
      return `the scenario failed: ${outcome.note}`;
    default:
      return outcome satisfies never;
  }
}
