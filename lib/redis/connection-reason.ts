import type { Reply } from "./connection";

/** Longest piece of a server's error that is passed on. */
const WORDS_MAX = 300;

/** How ioredis names an error that the server answered. */
const SERVER_ERROR = "ReplyError";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset by the other side",
  EPIPE: "connection closed by the other side",
  ETIMEDOUT: "no answer to the connection attempt",
  EHOSTUNREACH: "host not reachable",
  ENETUNREACH: "network not reachable",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name could not be looked up",
  ENOENT: "no such socket",
  EACCES: "no permission to open the socket",
};

/** Why a connection failed, in a few words. */
export function connectionReason(error: unknown): string {
  if (!(error instanceof Error)) return "connection failed";
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null && REASONS[code] !== undefined) return `${REASONS[code]} (${code})`;
  if (error.name === SERVER_ERROR) return serverWords(error);
  return error.message || code || error.name;
}

/** True when the server answered with an error; false when the connection failed. */
export function isServerError(error: unknown): error is Error {
  return error instanceof Error && error.name === SERVER_ERROR;
}

/** The server's own words, without what it repeats of the command: that would be the token. */
export function serverWords(error: Error): string {
  const words = error.message.replace(/,? with args beginning with:[\s\S]*$/, "");
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
}

/** Whether the server refused to change to the database that was asked for. */
export function isSelectRefused(error: unknown): error is Error {
  if (!isServerError(error) || !("command" in error)) return false;
  const { command } = error;
  return typeof command === "object" && command !== null && "name" in command && command.name === "select";
}

/** Whether the server itself spoke, if only to refuse. */
export function hasAnswered(reply: Reply): boolean {
  return reply.kind === "answer" || reply.kind === "error";
}
