import { type Config, readEnv } from "./env";

export type LogLevel = Config["logLevel"];

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

let settings: { readonly level: LogLevel; readonly format: Config["logFormat"] } | null = null;

/**
 * Writes one line to stderr. Never pass a token: neither in `fields` nor in `message`.
 *
 * @param cause an error whose stack goes along; only its text, since the client's errors carry the command with the token
 */
export function log(
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): void {
  settings ??= settingsOf(readEnv().config);
  if (LEVELS.indexOf(level) < LEVELS.indexOf(settings.level)) return;
  const time = new Date().toISOString();
  const error = cause === undefined ? {} : { error: textOf(cause) };
  const line =
    settings.format === "json"
      ? JSON.stringify({ time, level, message, ...fields, ...error })
      : prettyLine({ time, level, message }, { ...fields, ...error });
  process.stderr.write(`${line}\n`);
}

function settingsOf({ logLevel, logFormat }: Config): { level: LogLevel; format: Config["logFormat"] } {
  return { level: logLevel, format: logFormat };
}

function prettyLine(
  { time, level, message }: { readonly time: string; readonly level: LogLevel; readonly message: string },
  fields: Readonly<Record<string, unknown>>,
): string {
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${message}${rest.join("")}`;
}

function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const own = cause.stack ?? `${cause.name}: ${cause.message}`;
  return cause.cause === undefined ? own : `${own}\ncaused by ${textOf(cause.cause)}`;
}
