import { parseArgs } from "node:util";
import { CLIENTS, type ClientKind } from "./clients";
import { NEMESES, type NemesisKind, REMEMBERING, SHIMMED } from "./plan";

/** What `npm run fault` was asked for. */
export interface FaultArguments {
  readonly seconds: number;
  readonly seed: number;
  readonly nodes: number;
  readonly workers: number;
  readonly contenders: number;
  readonly ttlMs: number;
  /** Wider for scenarios: a single late vote may decide what becomes of them. */
  readonly nodeTimeoutMs: number;
  /** Null: not said. */
  readonly client: ClientKind | null;
  readonly nemeses: readonly NemesisKind[];
  /** Named one by one: then none may be left out for want of what it needs. */
  readonly areNemesesNamed: boolean;
  /** Whether the engine keeps nodes out that may have forgotten votes; the libraries have no such thing. */
  readonly hasGuard: boolean;
  /** Whether most acquires of the engine are fair, beside others that are not. */
  readonly isFair: boolean;
  /** Names of scripted scenarios, or `all`; null = random faults. */
  readonly scenario: string | null;
  /** The table goes into README.md, too. */
  readonly isForReadme: boolean;
}

export const USAGE = `npm run fault -- [--seconds 30] [--seed N] [--nodes 5] [--workers 2] [--contenders 3] [--ttl 1500]
  [--node-timeout 100] [--client ${CLIENTS.join("|")}]
  [--guard full|off] [--nemesis none | ${NEMESES.join(",")}]
                            (default: all; without the guard, and for the libraries, all in which no node forgets;
                            ${SHIMMED.join(" and ")} need a C compiler)
  [--fair]                  most clients of the engine queue for their locks, beside others that do not
  [--scenario all | NAME]   scripted faults instead of random ones, as a table
  [--readme]                puts the table of all scenarios and clients into README.md`;

/** @throws RangeError or TypeError that names the argument */
export function faultArguments(argv: readonly string[]): FaultArguments {
  const option = { type: "string" } as const;
  const options = {
    ...{ seconds: option, seed: option, nodes: option, workers: option, contenders: option, ttl: option },
    ...{ client: option, guard: option, nemesis: option, scenario: option, "node-timeout": option },
    readme: { type: "boolean" } as const,
    fair: { type: "boolean" } as const,
  };
  const { values } = parseArgs({ args: [...argv], options });
  const whole = (
    name: Exclude<keyof typeof options, "readme" | "fair">,
    fallback: number,
    least: number,
    most: number,
  ): number => {
    const value = values[name] === undefined ? fallback : Number(values[name]);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new RangeError(`--${name} must be an integer from ${least} to ${most}, got ${values[name]}`);
  };
  const isForReadme = values.readme === true;
  if (isForReadme && (values.scenario !== "all" || values.client !== undefined)) {
    throw new RangeError("--readme writes the whole table: give --scenario all, and no --client");
  }
  const client = values.client === undefined ? null : oneOf("client", values.client, CLIENTS);
  const isFair = values.fair === true;
  if (isFair && ((client ?? "engine") !== "engine" || values.scenario !== undefined)) {
    throw new RangeError("--fair is for random faults on the engine: no other client, and no scenario");
  }
  const hasGuard =
    oneOf("guard", values.guard ?? "full", ["full", "off"]) === "full" && (client ?? "engine") === "engine";
  return {
    seconds: whole("seconds", 30, 1, 86_400),
    seed: whole("seed", Number(process.hrtime.bigint() % 1_000_000n), 0, 2 ** 32 - 1),
    nodes: whole("nodes", 5, 1, 15),
    workers: whole("workers", 2, 1, 16),
    contenders: whole("contenders", 3, 1, 64),
    ttlMs: whole("ttl", 1500, 100, 60_000),
    nodeTimeoutMs: whole("node-timeout", values.scenario === undefined ? 100 : 250, 1, 10_000),
    client,
    nemeses: nemesesOf(values.nemesis, hasGuard),
    areNemesesNamed: !["none", "all", undefined].includes(values.nemesis),
    hasGuard,
    isFair,
    scenario: values.scenario ?? null,
    isForReadme,
  };
}

function nemesesOf(text: string | undefined, hasGuard: boolean): readonly NemesisKind[] {
  if (text === undefined) return hasGuard ? NEMESES : REMEMBERING;
  if (text === "none") return [];
  if (text === "all") return NEMESES;
  return text.split(",").map((name) => oneOf("nemesis", name, NEMESES));
}

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new RangeError(`--${option} must be one of ${names.join(", ")}, got ${value}`);
  return found;
}
