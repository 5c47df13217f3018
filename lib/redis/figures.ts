import type { Reply, Send } from "./connection";

/** What a server says of itself when it is asked how it is; each answer may be missing or refused. */
export interface Figures {
  readonly info: Reply;
  readonly keys: number | null;
  /** Answers to CONFIG GET, for `settingOf`. */
  readonly fsync: Reply;
  readonly save: Reply;
}

/** Asks a server how it is, all at once. Never rejects. */
export async function askFigures(send: Send): Promise<Figures> {
  const [info, size, fsync, save] = await Promise.all([
    send("INFO"),
    send("DBSIZE"),
    send("CONFIG", "GET", "appendfsync"),
    send("CONFIG", "GET", "save"),
  ]);
  return { info, keys: size.kind === "answer" ? Number(size.value) : null, fsync, save };
}

/** The value out of the answer to CONFIG GET of one name; null when it was refused or is not known there. */
export function settingOf(reply: Reply): string | null {
  if (reply.kind !== "answer" || !Array.isArray(reply.value)) return null;
  const value: unknown = reply.value[1];
  return value === undefined ? null : String(value);
}
