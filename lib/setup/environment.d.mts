/** One layout of `REDLOCK_LAYOUTS`; see lib/layouts/declared.ts for what its parts do. */
export interface DeclaredLayout {
  readonly id: string;
  readonly label: string;
  readonly pattern: string;
  readonly type: "string" | "hash" | "set" | "zset";
  readonly holder:
    | { readonly kind: "regex"; readonly source: string }
    | { readonly kind: "json"; readonly path: readonly string[] }
    | { readonly kind: "field"; readonly name: string }
    | null;
  readonly refusal: string | null;
  readonly publish: { readonly channel: string; readonly message: string } | null;
}

/** What the console was told by its environment, checked. */
export interface EnvironmentConfig {
  /** URLs of the masters; null for the embedded cluster. */
  readonly nodes: readonly string[] | null;
  /** Redis glob patterns; null for every key that looks like a lock. */
  readonly keyPatterns: readonly string[] | null;
  /** Lock layouts an operator described, checked. */
  readonly layouts: readonly DeclaredLayout[];
  readonly host: string;
  readonly port: number;
  readonly nodeTimeoutMs: number;
  /** Longest TTL in use, milliseconds. */
  readonly maxTtlMs: number;
  /** How far the clock of a node may be from the others', milliseconds; 0 = not said, see the engine's setting. */
  readonly clockErrorMs: number;
  /** The operator named `maxTtlMs`, so a longer TTL is a mistake. */
  readonly refusesLongerTtl: boolean;
  /** Restart guard. */
  readonly guard: "full" | "connection" | "off";
  readonly isGuardChosen: boolean;
  readonly readOnly: boolean;
  /** The Quorum Lab may start processes. */
  readonly lab: boolean;
  /** Name of the environment, `production` for instance; null when none was given. */
  readonly environment: string | null;
  readonly allowInsecure: boolean;
  readonly dataDir: string;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly logFormat: "pretty" | "json";
}

export interface EnvironmentResult {
  readonly config: EnvironmentConfig;
  /** Sentences about what has no effect. */
  readonly warnings: string[];
  /** Sentences about what is wrong; with any of them the console must not start. */
  readonly errors: string[];
}

/** Reads the whole configuration; never throws. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  options?: { readonly isTerminal?: boolean; readonly readFile?: (path: string) => string },
): EnvironmentResult;

/** The effective configuration as `NAME=value` lines that may be shown. */
export function maskedLines(result: EnvironmentResult): string[];

/** Whether only programs of this machine can reach `host`. */
export function isLoopback(host: string): boolean;
